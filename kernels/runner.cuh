// What the launches of both backends have in common: what a row of the catalog asks of them, and the row that a launch
// is of. Neighbours: backend_cpu.cpp and runner_cuda.cuh have the arrays.
#pragma once

#include "kernels/backend.hpp"
#include "kernels/catalog.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// A launch's arrays by their roles, and its sizes. Backend derives from it and has
///   array<T>(id)  the global array with this id, as a kernel over T takes it
template <class Backend>
class RowArguments {
public:
    explicit RowArguments(const Prepared& prepared) : prepared_(prepared) {}
    template <class T>
    Global<T> input() {
        return backend().template array<T>(0);
    }
    template <class T>
    Global<T> output() {
        return backend().template array<T>(1);
    }
    template <class T>
    Global<T> scratch() {
        return backend().template array<T>(2);
    }
    unsigned n() const { return static_cast<unsigned>(prepared_.request.n); }
    unsigned coarsen() const { return prepared_.request.coarsen; }
    std::uint32_t block() const { return prepared_.block; }

protected:
    const Prepared& prepared_;

private:
    Backend& backend() { return static_cast<Backend&>(*this); }
};

/// Launches the catalog's row over an element type.
template <class T, class Backend>
void launch_over(const Prepared& prepared, Backend& backend) {
    each_kernel([&](const Kernel& row, auto launch_row) {
        if (row.name == prepared.kernel->name) launch_row.template operator()<T>(backend);
    });
}

/// Launches the row over the launch's own type. Element: what becomes of it, Plain or probe::Recorded.
template <template <class> class Element, class Backend>
void launch(const Prepared& prepared, Backend& backend) {
    if (!prepared.native()) return launch_over<Element<probe::Dynamic>>(prepared, backend);
    if (prepared.value_type == value::Type::kInt32) return launch_over<Element<std::int32_t>>(prepared, backend);
    return launch_over<Element<float>>(prepared, backend);
}
template <class T>
using Plain = T;

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
