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

// These mean themselves, at the launch's type.
WARPTREE_DEVICE Dynamic operator-(Dynamic left, Dynamic right) {
    return apply_here(Op::kSubtract, left, right);
}
WARPTREE_DEVICE Dynamic operator*(Dynamic left, Dynamic right) {
    return apply_here(Op::kProduct, left, right);
}
WARPTREE_DEVICE Dynamic operator-(Dynamic value) {
    return {negate(active_operator.type, value.bits)};
}
WARPTREE_DEVICE Dynamic& operator-=(Dynamic& left, Dynamic right) {
    return left = left - right;
}
WARPTREE_DEVICE Dynamic& operator*=(Dynamic& left, Dynamic right) {
    return left = left * right;
}
WARPTREE_DEVICE std::partial_ordering operator<=>(Dynamic left, Dynamic right) {
    return compare(active_operator.type, left.bits, right.bits);
}
WARPTREE_DEVICE bool operator==(Dynamic left, Dynamic right) {
    return (left <=> right) == 0;
}

WARPTREE_DEVICE Dynamic fabs(Dynamic value) {
    return value < Dynamic{0} ? -value : value;
}

/// In a plain kernel; its old value is never used.
WARPTREE_DEVICE void atomicAdd(Dynamic* at, Dynamic value) {
    atomic_combine(at, value);
}
WARPTREE_DEVICE void atomicSub(Dynamic* at, Dynamic value) {
    atomic_combine(Op::kSubtract, at, value);
}
WARPTREE_DEVICE void atomicMin(Dynamic* at, Dynamic value) {
    atomic_combine(Op::kMin, at, value);
}
WARPTREE_DEVICE void atomicMax(Dynamic* at, Dynamic value) {
    atomic_combine(Op::kMax, at, value);
}
WARPTREE_DEVICE void atomicAnd(Dynamic* at, Dynamic value) {
    atomic_combine(Op::kAnd, at, value);
}
WARPTREE_DEVICE void atomicOr(Dynamic* at, Dynamic value) {
    atomic_combine(Op::kOr, at, value);
}
WARPTREE_DEVICE void atomicXor(Dynamic* at, Dynamic value) {
    atomic_combine(Op::kXor, at, value);
}

/// A warp's reductions of a plain kernel over Dynamic.
WARPTREE_DEVICE Dynamic __reduce_min_sync(unsigned mask, Dynamic value, int line = __builtin_LINE()) {
    return warp_combined(Op::kMin, mask, value, line);
}
WARPTREE_DEVICE Dynamic __reduce_max_sync(unsigned mask, Dynamic value, int line = __builtin_LINE()) {
    return warp_combined(Op::kMax, mask, value, line);
}
WARPTREE_DEVICE Dynamic __reduce_and_sync(unsigned mask, Dynamic value, int line = __builtin_LINE()) {
    return warp_combined(Op::kAnd, mask, value, line);
}
WARPTREE_DEVICE Dynamic __reduce_or_sync(unsigned mask, Dynamic value, int line = __builtin_LINE()) {
    return warp_combined(Op::kOr, mask, value, line);
}
WARPTREE_DEVICE Dynamic __reduce_xor_sync(unsigned mask, Dynamic value, int line = __builtin_LINE()) {
    return warp_combined(Op::kXor, mask, value, line);
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
