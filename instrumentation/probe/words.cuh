// CUDA's words under recording: atomics, shuffles, a warp's reductions, votes and barriers.
//
// Neighbours: recorded.cuh is the recording type; element.cuh gives kernels these words.
#pragma once

#include "instrumentation/probe/recorded.cuh"

namespace warptree::probe::inline WARPTREE_BACKEND {

/// What an atomic under recording works on: &a[i], or an array, whose first cell it is.
template <class At>
concept AtomicPlace = requires(const At& at) {
    at.at(0).reduce(0u, typename At::Element(), 0);
};

/// The same of an array with a type of its own, whose atomics mean themselves.
template <class At>
concept OwnPlace = requires(const At& at) {
    at.at(0).reduce(Op::kSum, typename At::Element(), 0);
};

#define WARPTREE_ATOMIC(name, op, own_op)                                                                       \
    template <AtomicPlace At>                                                                                   \
    WARPTREE_DEVICE void name(const At& at, typename At::Element::Operand value, int line = __builtin_LINE()) { \
        at.at(line).reduce(static_cast<std::uint32_t>(op), value.value(), line);                                \
    }                                                                                                           \
    template <OwnPlace At>                                                                                      \
    WARPTREE_DEVICE void name(const At& at, typename At::Element value, int line = __builtin_LINE()) {          \
        at.at(line).reduce(own_op, value, line);                                                                \
    }
WARPTREE_ATOMIC(atomicAdd, kLaunchOperator, Op::kSum)
WARPTREE_ATOMIC(atomicSub, Op::kSubtract, Op::kSubtract)
WARPTREE_ATOMIC(atomicMin, Op::kMin, Op::kMin)
WARPTREE_ATOMIC(atomicMax, Op::kMax, Op::kMax)
WARPTREE_ATOMIC(atomicAnd, Op::kAnd, Op::kAnd)
WARPTREE_ATOMIC(atomicOr, Op::kOr, Op::kOr)
WARPTREE_ATOMIC(atomicXor, Op::kXor, Op::kXor)
#undef WARPTREE_ATOMIC

/// A value under recording: in a register, or a cell that holds one.
template <class V>
concept RecordedValue = std::is_same_v<V, Recorded<typename V::Element::Plain>> ||
    std::is_same_v<V, Ref<typename V::Element, false>> || std::is_same_v<V, Ref<typename V::Element, true>>;

/// A value from another lane's register, with the event that made it there.
template <class T>
WARPTREE_DEVICE Recorded<T> shuffled(unsigned mask, const Recorded<T>& value, std::uint32_t source, int line) {
    const Taken<T> taken = take(mask, value.plain(), value.event(), source, line);
    return Recorded<T>(taken.value,
                       log(RawKind::kShuffle, kNoArray, line, taken.source, taken.event, kNone, taken.value));
}
#define WARPTREE_SHUFFLE(name, source_of)                                                                       \
    template <RecordedValue V>                                                                                  \
    WARPTREE_DEVICE typename V::Element name(unsigned mask, V value, unsigned lanes, unsigned width = warpSize, \
                                             int line = __builtin_LINE()) {                                     \
        const typename V::Element mine = value;                                                                 \
        return shuffled(mask, mine, simt::source_of(lane_number(), lanes, group_width(width)), line);           \
    }
WARPTREE_SHUFFLE(__shfl_sync, index_source)
WARPTREE_SHUFFLE(__shfl_up_sync, up_source)
WARPTREE_SHUFFLE(__shfl_down_sync, down_source)
WARPTREE_SHUFFLE(__shfl_xor_sync, xor_source)
#undef WARPTREE_SHUFFLE

/// One instruction for the whole warp: each lane hands in a value, each gets what they make together.
template <class T>
WARPTREE_DEVICE Recorded<T> warp_total(unsigned mask, const Recorded<T>& value, int line) {
    const T total = warp_total(mask, value.plain(), line);
    return Recorded<T>(total, log(RawKind::kWarpReduce, kLaunchOperator, line, 0, value.event(), kNone, total));
}
template <class T>
WARPTREE_DEVICE Recorded<T> warp_combined(Op op, unsigned mask, const Recorded<T>& value, int line) {
    const T total = warp_combined(op, mask, value.plain(), line);
    return Recorded<T>(total,
                       log(RawKind::kWarpReduce, static_cast<std::uint32_t>(op), line, 0, value.event(), kNone, total));
}
#define WARPTREE_WARP_REDUCE(name, op)                                                              \
    template <RecordedValue V>                                                                      \
    WARPTREE_DEVICE typename V::Element name(unsigned mask, V value, int line = __builtin_LINE()) { \
        return warp_combined<typename V::Element::Plain>(op, mask, value, line);                    \
    }
WARPTREE_WARP_REDUCE(__reduce_min_sync, Op::kMin)
WARPTREE_WARP_REDUCE(__reduce_max_sync, Op::kMax)
WARPTREE_WARP_REDUCE(__reduce_and_sync, Op::kAnd)
WARPTREE_WARP_REDUCE(__reduce_or_sync, Op::kOr)
WARPTREE_WARP_REDUCE(__reduce_xor_sync, Op::kXor)
#undef WARPTREE_WARP_REDUCE

/// __syncthreads() of a kernel over T.
template <class T>
WARPTREE_DEVICE void barrier(int line) {
    block_barrier<ElementTraits<T>::kRecorded>(line);
}

/// __syncthreads_count() and its like, of a kernel over T.
template <class T, BlockVote Asked>
WARPTREE_DEVICE int vote_barrier(bool mine, int line) {
    return block_vote<ElementTraits<T>::kRecorded, Asked>(mine, line);
}

/// __syncwarp() of a kernel over T.
template <class T>
WARPTREE_DEVICE void warp_barrier_of(int line, unsigned mask = 0xffffffffu) {
    warp_barrier<ElementTraits<T>::kRecorded>(mask, line);
}

/// cudaGridDependencySynchronize(): the launch before has ended, and what it wrote is there. Only GPUs from Hopper on
/// start a launch before that.
WARPTREE_DEVICE void launch_before_has_ended() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

/// What a lane got of a vote, in a kernel over T.
template <class T, class Said>
WARPTREE_DEVICE Said voted(Said said, int line) {
    if constexpr (ElementTraits<T>::kRecorded)
        log(RawKind::kVote, kNoArray, line, static_cast<std::uint32_t>(said), kNone, kNone, 0u);
    return said;
}

/// What a value holds; a cell is read.
template <class V>
WARPTREE_DEVICE auto plain_of(const V& value) {
    if constexpr (RecordedValue<V>) {
        const typename V::Element read = value;
        return read.plain();
    } else {
        return value;
    }
}

}  // namespace warptree::probe::inline WARPTREE_BACKEND
