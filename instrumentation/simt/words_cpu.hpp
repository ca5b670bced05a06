// CUDA's words for g++ and clang++, on top of the CPU executor. Kernel files see these as macros and functions of the
// same spelling; nothing else should include this.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <concepts>
#include <cstring>
#include <functional>
#include <type_traits>

#include <math.h>  // fabs as CUDA has it, in no namespace

#include "instrumentation/simt/executor.hpp"
#include "instrumentation/simt/shuffle.hpp"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __restrict__ __restrict
// One block at a time runs on a worker, so a worker's static storage is the block's shared memory.
#ifdef __clang__  // takes no such array for constant where constinit asks
#define __shared__ static thread_local
#else
#define __shared__ static thread_local constinit
#endif

#define threadIdx (::warptree::simt::current_lane->thread_index)
#define blockIdx (::warptree::simt::current_lane->block->block_index)
#define blockDim (::warptree::simt::current_lane->block->block_dim)
#define gridDim (::warptree::simt::current_lane->block->grid_dim)
#define warpSize (::warptree::simt::current_lane->block->warp_size)

namespace warptree::simt {

[[gnu::always_inline]] inline void block_barrier(int line) {
    wait_for_block(static_cast<std::uint16_t>(line));
}

/// __syncthreads_count and its like: how many threads of the block came, and how many of them said true.
inline Votes block_vote(bool mine, int line) {
    Block& block = *current_lane->block;
    Votes& votes = block.votes[block.generation % 2];  // those of the barrier before are still being read
    if (block.arrived == 0) votes = {};
    ++votes.all;
    votes.yes += mine;
    wait_for_block(static_cast<std::uint16_t>(line), true);
    return votes;
}

inline void warp_barrier(std::uint32_t mask, int line) {
    meet(mask, {}, static_cast<std::uint16_t>(line), true);
}

/// A parcel handed in by each lane of `mask`; the value that a lane handed in.
template <class T>
const Handed& hand_in(std::uint32_t mask, T value, int line) {
    static_assert(sizeof(T) <= sizeof(Parcel::bits) && std::is_trivially_copyable_v<T>);
    Parcel parcel;
    std::memcpy(&parcel.bits, &value, sizeof(T));
    return meet(mask, parcel, static_cast<std::uint16_t>(line), false);
}
template <class T>
T value_of(const Parcel& parcel) {
    T value;
    std::memcpy(&value, &parcel.bits, sizeof(T));
    return value;
}

/// A source that handed in nothing (it ended, or the warp is not full: undefined in CUDA) gives the caller's own value.
template <class T>
T exchange(std::uint32_t mask, T value, std::uint32_t source, int line) {
    const Handed& handed = hand_in(mask, value, line);
    return (handed.lanes >> source & 1) == 0 ? value : value_of<T>(handed.parcels[source]);
}

inline std::uint32_t lane_number() {
    return current_lane->thread() % current_lane->block->warp_size;
}

/// The groups that a shuffle keeps to: of at least one lane, and none wider than a warp.
inline std::uint32_t group_width(std::uint32_t width) {
    return std::clamp(width, 1u, current_lane->block->warp_size);
}

/// The lanes' values combined in order of lanes.
template <class T, class Combine>
T reduce(std::uint32_t mask, T value, int line, Combine&& combine) {
    const Handed& handed = hand_in(mask, value, line);
    bool first = true;
    for (std::uint32_t lanes = handed.lanes; lanes != 0; lanes &= lanes - 1) {
        const T next = value_of<T>(handed.parcels[static_cast<std::size_t>(std::countr_zero(lanes))]);
        value = first ? next : combine(value, next);
        first = false;
    }
    return value;
}

/// The lanes of `mask` that handed in the same bits as the caller, and in `all` those that handed in any.
template <class T>
std::uint32_t alike(std::uint32_t mask, T value, int line, std::uint32_t* all = nullptr) {
    const Handed& handed = hand_in(mask, value, line);
    std::uint32_t same = 0;
    for (std::uint32_t lane = 0; lane < handed.parcels.size(); ++lane)
        if ((handed.lanes >> lane & 1) != 0 && handed.parcels[lane].bits == handed.parcels[lane_number()].bits)
            same |= 1u << lane;
    if (all != nullptr) *all = handed.lanes;
    return same;
}

}  // namespace warptree::simt

// Spelled as in CUDA: a kernel calls them without a namespace.
[[gnu::always_inline]] inline void __syncthreads(int line = __builtin_LINE()) {
    warptree::simt::block_barrier(line);
}

inline int __syncthreads_count(int predicate, int line = __builtin_LINE()) {
    return static_cast<int>(warptree::simt::block_vote(predicate != 0, line).yes);
}
inline int __syncthreads_or(int predicate, int line = __builtin_LINE()) {
    return warptree::simt::block_vote(predicate != 0, line).yes != 0;
}
inline int __syncthreads_and(int predicate, int line = __builtin_LINE()) {
    const warptree::simt::Votes votes = warptree::simt::block_vote(predicate != 0, line);
    return votes.yes == votes.all;
}

/// Blocks may run on several cores; what atomics put in order stays in order.
inline void __threadfence() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

inline void __syncwarp(unsigned mask = 0xffffffffu, int line = __builtin_LINE()) {
    warptree::simt::warp_barrier(mask, line);
}

/// The lowest bit set, counted from 1; 0 where none is.
inline int __ffs(unsigned bits) {
    return bits == 0 ? 0 : std::countr_zero(bits) + 1;
}

inline unsigned __activemask() {
    return warptree::simt::live_mask();
}

#define WARPTREE_SHUFFLE(name, source_of)                                                                    \
    template <class T>                                                                                       \
    T name(unsigned mask, T value, unsigned lanes, unsigned width = warpSize, int line = __builtin_LINE()) { \
        using namespace warptree::simt;                                                                      \
        return exchange(mask, value, source_of(lane_number(), lanes, group_width(width)), line);             \
    }
WARPTREE_SHUFFLE(__shfl_sync, index_source)
WARPTREE_SHUFFLE(__shfl_up_sync, up_source)
WARPTREE_SHUFFLE(__shfl_down_sync, down_source)
WARPTREE_SHUFFLE(__shfl_xor_sync, xor_source)
#undef WARPTREE_SHUFFLE

inline unsigned __ballot_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
    std::uint32_t all = 0;
    const std::uint32_t mine = warptree::simt::alike(mask, predicate != 0, line, &all);
    return predicate != 0 ? mine : all & ~mine;
}
inline int __any_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
    return __ballot_sync(mask, predicate, line) != 0;
}
inline int __all_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
    return __ballot_sync(mask, predicate == 0, line) == 0;
}
/// Lanes whose value has the same bits.
template <class T>
unsigned __match_any_sync(unsigned mask, T value, int line = __builtin_LINE()) {
    return warptree::simt::alike(mask, value, line);
}
template <class T>
unsigned __match_all_sync(unsigned mask, T value, int* predicate, int line = __builtin_LINE()) {
    std::uint32_t all = 0;
    *predicate = warptree::simt::alike(mask, value, line, &all) == all;
    return *predicate != 0 ? all : 0;
}

// Of integers of 32 bits.
template <std::integral T>
T __reduce_add_sync(unsigned mask, T value, int line = __builtin_LINE()) {
    const auto add = [](T a, T b) { return static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b)); };
    return warptree::simt::reduce(mask, value, line, add);
}
template <std::integral T>
T __reduce_min_sync(unsigned mask, T value, int line = __builtin_LINE()) {
    return warptree::simt::reduce(mask, value, line, [](T a, T b) { return std::min(a, b); });
}
template <std::integral T>
T __reduce_max_sync(unsigned mask, T value, int line = __builtin_LINE()) {
    return warptree::simt::reduce(mask, value, line, [](T a, T b) { return std::max(a, b); });
}
inline unsigned __reduce_and_sync(unsigned mask, unsigned value, int line = __builtin_LINE()) {
    return warptree::simt::reduce(mask, value, line, std::bit_and<unsigned>());
}
inline unsigned __reduce_or_sync(unsigned mask, unsigned value, int line = __builtin_LINE()) {
    return warptree::simt::reduce(mask, value, line, std::bit_or<unsigned>());
}
inline unsigned __reduce_xor_sync(unsigned mask, unsigned value, int line = __builtin_LINE()) {
    return warptree::simt::reduce(mask, value, line, std::bit_xor<unsigned>());
}

namespace warptree::simt {

/// Puts combine(what is there, value) there. returns  what was there
template <class T, class Combine>
T atomic_update(T* at, const T& value, Combine&& combine) {
    std::atomic_ref<T> cell(*at);
    T old = cell.load(std::memory_order_relaxed);
    while (!cell.compare_exchange_weak(old, combine(old, value), std::memory_order_relaxed)) {
    }
    return old;
}

template <class T>
concept Number = std::is_arithmetic_v<T>;

}  // namespace warptree::simt

template <warptree::simt::Number T>
T atomicAdd(T* at, std::type_identity_t<T> value) {
    if constexpr (std::is_floating_point_v<T>) {
        return warptree::simt::atomic_update(at, value, std::plus<T>());
    } else {
        return std::atomic_ref<T>(*at).fetch_add(value, std::memory_order_relaxed);
    }
}
template <std::integral T>
T atomicSub(T* at, std::type_identity_t<T> value) {
    return std::atomic_ref<T>(*at).fetch_sub(value, std::memory_order_relaxed);
}
template <std::integral T>
T atomicMin(T* at, std::type_identity_t<T> value) {
    return warptree::simt::atomic_update(at, value, [](T a, T b) { return std::min(a, b); });
}
template <std::integral T>
T atomicMax(T* at, std::type_identity_t<T> value) {
    return warptree::simt::atomic_update(at, value, [](T a, T b) { return std::max(a, b); });
}
template <std::integral T>
T atomicAnd(T* at, std::type_identity_t<T> value) {
    return std::atomic_ref<T>(*at).fetch_and(value, std::memory_order_relaxed);
}
template <std::integral T>
T atomicOr(T* at, std::type_identity_t<T> value) {
    return std::atomic_ref<T>(*at).fetch_or(value, std::memory_order_relaxed);
}
template <std::integral T>
T atomicXor(T* at, std::type_identity_t<T> value) {
    return std::atomic_ref<T>(*at).fetch_xor(value, std::memory_order_relaxed);
}

/// Counts from 0 to `last`, and then from 0 again. returns  the count before
inline unsigned atomicInc(unsigned* at, unsigned last) {
    std::atomic_ref<unsigned> cell(*at);
    unsigned old = cell.load(std::memory_order_relaxed);
    while (!cell.compare_exchange_weak(old, old >= last ? 0 : old + 1, std::memory_order_acq_rel)) {
    }
    return old;
}
