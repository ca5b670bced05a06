// Dynamic: one element type for every operator and type but the few that have native code (sum over float and int).
// An element is 64 bits; `+` asks the launch what they mean and what to do, behind one call, so that a hundred pairs
// of type and operator cost one instantiation of each kernel. Arrays of it have cells of 8 bytes; the trace, and with
// it every counter, has the true size.
//
// Neighbours: operator.hpp is the arithmetic; log_cpu.hpp and log_cuda.cuh know the operator of the launch.
#pragma once

#include "instrumentation/value/operator.hpp"

namespace warptree::probe::inline WARPTREE_BACKEND {

WARPTREE_DEVICE Dynamic operator+(Dynamic left, Dynamic right) {
    return {apply_active(left.bits, right.bits)};
}
WARPTREE_DEVICE Dynamic& operator+=(Dynamic& left, Dynamic right) {
    return left = left + right;
}

/// In a plain kernel; its old value is never used.
WARPTREE_DEVICE void atomicAdd(Dynamic* at, Dynamic value) {
    atomic_combine(at, value);
}

/// The element that changes nothing when added: 0, or the launch's operator says.
template <class T>
WARPTREE_DEVICE T neutral() {
    if constexpr (std::is_same_v<T, Dynamic>) {
        return Dynamic{active_identity()};
    } else {
        return T(0);
    }
}

}  // namespace warptree::probe::inline WARPTREE_BACKEND
