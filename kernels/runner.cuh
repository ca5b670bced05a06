// The catalog's host function that a request means, run over its element type on a machine of this backend.
#pragma once

#include "kernels/backend.hpp"
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

/// Element: what becomes of the run's own type, Plain or probe::Recorded.
template <template <class> class Element>
void run_program(const Prepared& prepared, Machine& machine) {
    if (!prepared.native()) return run_over<Element<probe::Dynamic>>(*prepared.kernel, machine);
    if (prepared.value_type == value::Type::kInt32) return run_over<Element<std::int32_t>>(*prepared.kernel, machine);
    return run_over<Element<float>>(*prepared.kernel, machine);
}
template <class T>
using Plain = T;

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
