// CUDA's words for g++ and clang++, on top of the CPU executor. Kernel files see these as macros and functions of the
// same spelling; nothing else should include this.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "instrumentation/simt/executor.hpp"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __restrict__ __restrict
// One block at a time runs on a worker, so a worker's static storage is the block's shared memory.
#define __shared__ static thread_local constinit

#define threadIdx (::warptree::simt::current_lane->thread_index)
#define blockIdx (::warptree::simt::current_lane->block->block_index)
#define blockDim (::warptree::simt::current_lane->block->block_dim)
#define gridDim (::warptree::simt::current_lane->block->grid_dim)
#define warpSize (::warptree::simt::current_lane->block->warp_size)

namespace warptree::simt {

[[gnu::always_inline]] inline void block_barrier(int line) {
    wait_for_block(static_cast<std::uint16_t>(line));
}

/// __syncthreads_or: whether any thread of the block said true.
inline bool block_vote(bool mine, int line) {
    Block& block = *current_lane->block;
    bool& vote = block.votes[block.generation % 2];  // that of the barrier before is still being read
    if (block.arrived == 0) vote = false;
    vote |= mine;
    wait_for_block(static_cast<std::uint16_t>(line));
    return vote;
}

inline void warp_barrier(std::uint32_t mask, int line) {
    meet(mask, {}, static_cast<std::uint16_t>(line), true);
}

/// A source that handed in nothing (it ended, or the warp is not full: undefined in CUDA) gives the caller's own value.
template <class T>
T exchange(std::uint32_t mask, T value, std::uint32_t source, int line) {
    static_assert(sizeof(T) <= sizeof(Parcel::bits) && std::is_trivially_copyable_v<T>);
    Parcel parcel;
    std::memcpy(&parcel.bits, &value, sizeof(T));
    const Handed& handed = meet(mask, parcel, static_cast<std::uint16_t>(line), false);
    if ((handed.lanes >> source & 1) == 0) return value;
    T result;
    std::memcpy(&result, &handed.parcels[source].bits, sizeof(T));
    return result;
}

inline std::uint32_t lane_number() {
    return current_lane->thread() % current_lane->block->warp_size;
}

/// The groups that a shuffle keeps to: of at least one lane, and none wider than a warp.
inline std::uint32_t group_width(std::uint32_t width) {
    return std::clamp(width, 1u, current_lane->block->warp_size);
}

/// Source lanes of the four shuffles; `width` splits the warp into groups. A source outside the group gives the lane
/// itself. As in shfl.sync, five bits of `by` count.
constexpr std::uint32_t down_source(std::uint32_t lane, std::uint32_t by, std::uint32_t width) {
    return lane % width + (by & 31) < width ? lane + (by & 31) : lane;
}
constexpr std::uint32_t up_source(std::uint32_t lane, std::uint32_t by, std::uint32_t width) {
    return lane % width >= (by & 31) ? lane - (by & 31) : lane;
}
constexpr std::uint32_t xor_source(std::uint32_t lane, std::uint32_t by, std::uint32_t width) {
    return (lane ^ (by & 31)) / width <= lane / width ? lane ^ (by & 31) : lane;
}
constexpr std::uint32_t index_source(std::uint32_t lane, std::uint32_t by, std::uint32_t width) {
    return lane / width * width + by % width;
}

}  // namespace warptree::simt

// Spelled as in CUDA: a kernel calls them without a namespace.
[[gnu::always_inline]] inline void __syncthreads(int line = __builtin_LINE()) {
    warptree::simt::block_barrier(line);
}

inline int __syncthreads_or(int predicate, int line = __builtin_LINE()) {
    return warptree::simt::block_vote(predicate != 0, line);
}

/// Blocks may run on several cores; what atomics put in order stays in order.
inline void __threadfence() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

inline void __syncwarp(unsigned mask = 0xffffffffu, int line = __builtin_LINE()) {
    warptree::simt::warp_barrier(mask, line);
}

inline unsigned __activemask() {
    return warptree::simt::live_mask();
}

template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, unsigned width = warpSize, int line = __builtin_LINE()) {
    using namespace warptree::simt;
    return exchange(mask, value, down_source(lane_number(), delta, group_width(width)), line);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, unsigned width = warpSize, int line = __builtin_LINE()) {
    using namespace warptree::simt;
    return exchange(mask, value, up_source(lane_number(), delta, group_width(width)), line);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, unsigned lanes, unsigned width = warpSize, int line = __builtin_LINE()) {
    using namespace warptree::simt;
    return exchange(mask, value, xor_source(lane_number(), lanes, group_width(width)), line);
}
template <class T>
T __shfl_sync(unsigned mask, T value, unsigned source, unsigned width = warpSize, int line = __builtin_LINE()) {
    using namespace warptree::simt;
    return exchange(mask, value, index_source(lane_number(), source, group_width(width)), line);
}

template <class T>
T atomicAdd(T* at, T value) {
    if constexpr (std::is_floating_point_v<T>) {
        std::atomic_ref<T> cell(*at);
        T old = cell.load(std::memory_order_relaxed);
        while (!cell.compare_exchange_weak(old, old + value, std::memory_order_relaxed)) {
        }
        return old;
    } else {
        return std::atomic_ref<T>(*at).fetch_add(value, std::memory_order_relaxed);
    }
}

/// Counts from 0 to `last`, and then from 0 again. returns  the count before
inline unsigned atomicInc(unsigned* at, unsigned last) {
    std::atomic_ref<unsigned> cell(*at);
    unsigned old = cell.load(std::memory_order_relaxed);
    while (!cell.compare_exchange_weak(old, old >= last ? 0 : old + 1, std::memory_order_acq_rel)) {
    }
    return old;
}
