// The catalog's host function that a kernel has, run over an element type on a machine of this backend.
#pragma once

#include "instrumentation/run/backend.hpp"
#include "kernels/catalog.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

template <class T>
void run_over(const Kernel& kernel, Machine& machine) {
    each_kernel([&](const Kernel& row, auto host_function) {
        if (row.name != kernel.name) return;
        Host<T> host(machine);
        host_function.template operator()<T>(host);
    });
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
