// What a GPU does with elements: operators by name, shuffles, a warp's reductions, atomics. Part of log_cuda.cuh; on
// the CPU log_cpu.hpp has the same.
#pragma once

namespace warptree::probe::inline cuda {

/// What elements of type Dynamic are in this launch, and what `+` does.
struct ActiveOperator {
    Type type;  // of the elements
    Op op;
    std::uint64_t identity;
    unsigned size;  // bytes an element
};
static __constant__ ActiveOperator active_operator;

static __device__ __noinline__ std::uint64_t apply_active(std::uint64_t a, std::uint64_t b) {
    return apply(active_operator.type, active_operator.op, a, b);
}
WARPTREE_DEVICE unsigned active_size() {
    return active_operator.size;
}
WARPTREE_DEVICE std::uint64_t active_identity() {
    return active_operator.identity;
}

/// An operator named, instead of the launch's.
static __device__ __noinline__ Dynamic apply_here(Op op, Dynamic a, Dynamic b) {
    return {apply(active_operator.type, op, a.bits, b.bits)};
}
template <class T>
WARPTREE_DEVICE T apply_here(Op op, T a, T b) {
    return apply(op, a, b);
}
/// Rounded by itself: never made one with the add that follows.
template <class T>
WARPTREE_DEVICE T product_of(const T& a, const T& b) {
    return a * b;
}
WARPTREE_DEVICE float product_of(float a, float b) {
    return __fmul_rn(a, b);
}

// What CUDA has for elements of its own types, of Dynamic in plain kernels.
using Long = unsigned long long;
WARPTREE_DEVICE Dynamic __shfl_sync(unsigned mask, Dynamic value, int source, int width = warpSize) {
    return {::__shfl_sync(mask, static_cast<Long>(value.bits), source, width)};
}
WARPTREE_DEVICE Dynamic __shfl_up_sync(unsigned mask, Dynamic value, unsigned delta, int width = warpSize) {
    return {::__shfl_up_sync(mask, static_cast<Long>(value.bits), delta, width)};
}
WARPTREE_DEVICE Dynamic __shfl_down_sync(unsigned mask, Dynamic value, unsigned delta, int width = warpSize) {
    return {::__shfl_down_sync(mask, static_cast<Long>(value.bits), delta, width)};
}
WARPTREE_DEVICE Dynamic __shfl_xor_sync(unsigned mask, Dynamic value, int lanes, int width = warpSize) {
    return {::__shfl_xor_sync(mask, static_cast<Long>(value.bits), lanes, width)};
}
WARPTREE_DEVICE unsigned __match_any_sync(unsigned mask, Dynamic value) {
    return ::__match_any_sync(mask, static_cast<Long>(value.bits));
}
WARPTREE_DEVICE unsigned __match_all_sync(unsigned mask, Dynamic value, int* predicate) {
    return ::__match_all_sync(mask, static_cast<Long>(value.bits), predicate);
}

WARPTREE_DEVICE void count_one(unsigned* at) {
    ::atomicAdd(at, 1u);
}
WARPTREE_DEVICE void leave(std::uint64_t* at, std::uint64_t value) {
    *at = value;
}
/// Of a clock that all blocks read.
WARPTREE_DEVICE unsigned long long nanoseconds() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}
WARPTREE_DEVICE void fetch_line(const void* at) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
}

WARPTREE_DEVICE std::uint32_t lane_number() {
    return threadIdx.x % 32;
}
/// The groups that a shuffle keeps to: of at least one lane, and none wider than a warp.
WARPTREE_DEVICE std::uint32_t group_width(std::uint32_t width) {
    return width < 1 ? 1 : width > 32 ? 32 : width;
}

/// What a lane got from another: the value, the event that made it, and the lane it came from.
template <class T>
struct Taken {
    T value;
    std::uint32_t event, source;
};
template <class T>
WARPTREE_DEVICE Taken<T> take(std::uint32_t mask, const T& value, std::uint32_t event, std::uint32_t source, int) {
    using ::__shfl_sync;
    const int from = static_cast<int>(source);
    return {__shfl_sync(mask, value, from), ::__shfl_sync(mask, event, from), source};
}

// __reduce_add_sync and its like exist from compute capability 8.0 on, for integers of 32 bits. Elsewhere the kernel is
// refused before it is launched; its code has to compile all the same.
template <class T>
WARPTREE_DEVICE T warp_combined(Op, std::uint32_t, T value, int) {
    __trap();
    return value;
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
WARPTREE_DEVICE std::int32_t warp_combined(Op op, std::uint32_t mask, std::int32_t value, int) {
    const auto bits = static_cast<std::uint32_t>(value);
    switch (op) {
        case Op::kMin:
            return ::__reduce_min_sync(mask, value);
        case Op::kMax:
            return ::__reduce_max_sync(mask, value);
        case Op::kAnd:
            return static_cast<std::int32_t>(::__reduce_and_sync(mask, bits));
        case Op::kOr:
            return static_cast<std::int32_t>(::__reduce_or_sync(mask, bits));
        case Op::kXor:
            return static_cast<std::int32_t>(::__reduce_xor_sync(mask, bits));
        default:
            return ::__reduce_add_sync(mask, value);
    }
}
WARPTREE_DEVICE Dynamic warp_combined(Op op, std::uint32_t mask, Dynamic value, int line) {
    const auto number = static_cast<std::int32_t>(static_cast<std::uint32_t>(value.bits));
    return {static_cast<std::uint32_t>(warp_combined(op, mask, number, line))};
}
#endif
template <class T>
WARPTREE_DEVICE T warp_total(std::uint32_t mask, const T& value, int line) {
    if constexpr (std::is_same_v<T, Dynamic>) {
        return warp_combined(active_operator.op, mask, value, line);
    } else {
        return warp_combined(Op::kSum, mask, value, line);
    }
}

/// Puts combine(what is there, value) there.
template <class T, class Combine>
WARPTREE_DEVICE void atomic_update(T* at, const T& value, Combine combine) {
    using Word = std::conditional_t<sizeof(T) == 8, Long, unsigned>;
    auto* cell = reinterpret_cast<Word*>(at);
    Word old = *cell, seen = 0;
    do {
        seen = old;
        T held;
        memcpy(&held, &seen, sizeof held);
        held = combine(held, value);
        Word wanted;
        memcpy(&wanted, &held, sizeof wanted);
        old = atomicCAS(cell, seen, wanted);
    } while (old != seen);
}
template <class T>
WARPTREE_DEVICE void atomic_combine(T* at, const T& value) {
    ::atomicAdd(at, value);
}
WARPTREE_DEVICE void atomic_combine(Dynamic* at, const Dynamic& value) {
    atomic_update(at, value, [](Dynamic a, Dynamic b) { return Dynamic{apply_active(a.bits, b.bits)}; });
}
template <class T>
WARPTREE_DEVICE void atomic_combine(Op op, T* at, const T& value) {
    atomic_update(at, value, [op](T a, T b) { return apply_here(op, a, b); });
}

}  // namespace warptree::probe::inline cuda
