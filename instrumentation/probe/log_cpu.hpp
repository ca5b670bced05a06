// Where recorded elements leave their events on the CPU: the log of the block that runs on this worker.
#pragma once

#include <atomic>
#include <bit>
#include <cstring>

#include "instrumentation/log/raw.hpp"
#include "instrumentation/simt/executor.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::probe::inline cpu {

/// Marks shared memory as written by this block of this launch: an origin with another stamp is left over.
[[gnu::always_inline]] inline std::uint32_t block_stamp() {
    return simt::current_lane->block->stamp;
}
[[gnu::always_inline]] inline std::uint32_t this_block() {
    return simt::current_lane->block->launch_block;
}
/// The block's number among those of all launches of the run: what is left in global memory says who wrote it.
[[gnu::always_inline]] inline std::uint32_t run_block() {
    return simt::current_lane->block->run_block;
}

template <class T>
[[gnu::always_inline]] inline std::uint64_t bits_of(const T& value) {
    static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    return bits;
}

template <class T>
[[gnu::always_inline]] inline std::uint32_t log(RawKind kind, std::uint32_t array, int line, std::uint32_t index,
                                                std::uint32_t a, std::uint32_t b, const T& value) {
    const simt::Lane& self = *simt::current_lane;
    return self.block->log->add({self.clock, bits_of(value),
                                 pack_what(kind, array, static_cast<std::uint32_t>(line), self.thread()), index, a, b});
}

/// The kernel comes by a shared array: how many elements it has, its type alone says.
[[gnu::always_inline]] inline void note_shared(std::uint32_t ordinal, const void* data, std::uint32_t extent) {
    simt::current_lane->block->log->shared(ordinal, data, extent);
}

[[gnu::noinline, gnu::cold]] inline void fault(RawKind kind, std::uint32_t array, int line, std::uint32_t index,
                                               std::uint32_t extent) {
    const simt::Lane& self = *simt::current_lane;
    if (self.block->log->faults.size() < 16)
        self.block->log->faults.push_back({pack_what(kind, array, static_cast<std::uint32_t>(line), self.thread()),
                                           index, extent, self.block->launch_block});
}

[[gnu::always_inline]] inline void log_marker(int line, std::uint32_t stride, std::uint32_t phase) {
    simt::Lane& self = *simt::current_lane;
    self.clock += kOneMarker;
    self.block->log->marker(self.thread(), static_cast<std::uint32_t>(line), self.clock, stride, phase);
}

/// __syncthreads and __syncwarp record themselves in the executor.
template <bool Recorded>
[[gnu::always_inline]] inline void block_barrier(int line) {
    simt::block_barrier(line);
}

template <bool Recorded, BlockVote Asked>
inline int block_vote(bool mine, int line) {
    const simt::Votes votes = simt::block_vote(mine, line);
    if (Asked == BlockVote::kCount) return static_cast<int>(votes.yes);
    return Asked == BlockVote::kOr ? votes.yes != 0 : votes.yes == votes.all;
}

template <bool Recorded>
inline void warp_barrier(unsigned mask, int line) {
    simt::warp_barrier(mask, line);
}

/// The groups that a shuffle keeps to, and the caller's lane.
using simt::group_width;
using simt::lane_number;

template <bool Recorded>
inline void cluster_barrier(int line) {
    simt::wait_for_cluster(static_cast<std::uint16_t>(line));
}
inline unsigned cluster_rank() {
    return simt::current_lane->block->rank;
}
inline unsigned cluster_size() {
    const simt::Cluster* cluster = simt::current_lane->block->cluster;
    return cluster == nullptr ? 1 : cluster->size;
}
inline const simt::Block& cluster_member(unsigned rank) {
    const simt::Block& self = *simt::current_lane->block;
    return self.cluster == nullptr ? self : *self.cluster->blocks[rank % self.cluster->size];
}
inline std::uint32_t cluster_block(unsigned rank) {
    return cluster_member(rank).launch_block;
}
inline std::uint32_t cluster_stamp(unsigned rank) {
    return cluster_member(rank).stamp;
}
/// Whether the block with this rank runs still.
inline bool is_there(unsigned rank) {
    return cluster_member(rank).live != 0;
}

/// A shared array that the blocks of a cluster see of each other: on the CPU they share a worker, so each has a copy.
template <class Array>
struct EachBlocks {
    /// An index that knows the line it is written on, for the array within.
    struct Place {
        std::uint32_t value;
        int line;
        constexpr Place(std::uint32_t v, int l = __builtin_LINE()) : value(v), line(l) {}  // NOLINT: converts
    };
    Array of_rank[kMostCluster];
    decltype(auto) operator[](Place at) {
        if constexpr (std::is_array_v<Array>) {
            return (of_rank[cluster_rank()][at.value]);
        } else {
            return of_rank[cluster_rank()][{at.value, at.line}];
        }
    }
};
template <class Array>
inline auto* at_rank(EachBlocks<Array>& arrays, unsigned rank) {
    if constexpr (std::is_array_v<Array>) {
        return &arrays.of_rank[rank][0];
    } else {
        return &arrays.of_rank[rank];
    }
}
template <class Array>
using ClusterShared = EachBlocks<Array>;

/// What elements of type Dynamic are in the launch that runs on this worker, and what `+` does.
struct ActiveOperator {
    Type type = Type::kFloat32;  // of the elements
    Op op = Op::kSum;
};
inline thread_local constinit ActiveOperator active_operator{};

[[gnu::noinline]] inline std::uint64_t apply_active(std::uint64_t a, std::uint64_t b) {
    return apply(active_operator.type, active_operator.op, a, b);
}
inline unsigned active_size() {
    return static_cast<unsigned>(value::size_bytes(active_operator.type));
}
[[gnu::noinline]] inline std::uint64_t active_identity() {
    return identity(active_operator.type, active_operator.op);
}

/// An operator named, instead of the launch's.
[[gnu::noinline]] inline Dynamic apply_here(Op op, Dynamic a, Dynamic b) {
    return {apply(active_operator.type, op, a.bits, b.bits)};
}
template <class T>
inline T apply_here(Op op, T a, T b) {
    return apply(op, a, b);
}
/// Rounded by itself, whatever is done with it next.
template <class T>
inline T product_of(const T& a, const T& b) {
    return a * b;
}

/// What a lane got from another: the value, the event that made it, and the lane it came from.
template <class T>
struct Taken {
    T value;
    std::uint32_t event, source;
};
template <class T>
inline Taken<T> take(std::uint32_t mask, const T& value, std::uint32_t event, std::uint32_t source, int line) {
    simt::Parcel parcel;
    parcel.bits = bits_of(value);
    parcel.event = event;
    const simt::Handed& handed = simt::meet(mask, parcel, static_cast<std::uint16_t>(line), false);
    if ((handed.lanes >> source & 1) == 0) source = simt::lane_number();  // not there: see simt::exchange
    parcel = handed.parcels[source];
    return {simt::value_of<T>(parcel), parcel.event, source};
}

/// __reduce_add_sync and its like: the lanes' values combined in order of lanes. `+` is the element's operator.
template <class T>
inline T warp_total(std::uint32_t mask, const T& value, int line) {
    return simt::reduce(mask, value, line, std::plus<>());
}
template <class T>
inline T warp_combined(Op op, std::uint32_t mask, const T& value, int line) {
    return simt::reduce(mask, value, line, [op](const T& a, const T& b) { return apply_here(op, a, b); });
}

inline void count_one(unsigned* at) {
    std::atomic_ref(*at).fetch_add(1);
}
/// The same, by each block that runs at the same time.
inline void leave(std::uint64_t* at, std::uint64_t value) {
    std::atomic_ref(*at).store(value, std::memory_order_relaxed);
}
/// The CPU runs one block after the other: moments would tell nothing of the kernel.
inline unsigned long long nanoseconds() {
    return 0;
}
/// The CPU looks ahead by itself.
inline void fetch_line(const void*) {}

/// A reduction in memory, atomic among the blocks that run at the same time.
template <class T>
inline void atomic_combine(T* at, const T& value) {
    simt::atomic_update(at, value, std::plus<>());
}
template <class T>
inline void atomic_combine(Op op, T* at, const T& value) {
    simt::atomic_update(at, value, [op](const T& a, const T& b) { return apply_here(op, a, b); });
}

}  // namespace warptree::probe::inline cpu
