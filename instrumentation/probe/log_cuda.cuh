// Where recorded elements leave their events on the GPU: two columns of 16 bytes in device memory, addressed by (event
// number, thread) so that a warp's stores are coalesced. Each thread owns its slots; no atomic decides an order.
// Barriers and markers are one event a warp: these go to rows of their own, or the thread that speaks for its warp
// would be ahead of the others by a slot each time, and no store of theirs would be coalesced any more.
//
// A thread's event number and clock live in shared memory. A kernel has no place where the probe could set them up,
// so each carries the launch's stamp, and a state with another stamp starts afresh.
#pragma once

#include <cstring>

#include "instrumentation/log/raw.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::probe::inline cuda {

/// The trace buffer of one launch, as the device sees it, zeroed before. Slot (e, t) of recorded block b is at
/// (b * capacity + e) * block + t, mark (m, w) of its warp w at (b * warps + w) * mark_capacity + m.
struct DeviceLog {
    EventHead* head = nullptr;
    EventTail* tail = nullptr;
    EventHead* mark_head = nullptr;
    EventTail* mark_tail = nullptr;
    std::uint32_t* most_events = nullptr;  // (1,) most events of any thread that found no room
    std::uint32_t* most_marks = nullptr;   // (1,) likewise, of any warp
    OutOfBounds* faults = nullptr;         // (kMaxFaults,)
    std::uint32_t* fault_count = nullptr;  // (1,)
    std::uint32_t first_block = 0;         // the first recorded
    std::uint32_t blocks = 0;              // recorded; the others run as well and only say what room they need
    std::uint32_t capacity = 0;            // events a thread
    std::uint32_t mark_capacity = 0;       // barriers and markers a warp
    std::uint32_t stamp = 0;               // of this launch
    std::uint32_t without_barrier_line = 0;
    std::uint32_t earlier = 0;    // blocks of the run's earlier launches
    std::uint32_t on_others = 0;  // of this launch, on devices before this one
};
inline constexpr std::uint32_t kMaxFaults = 16;

static __constant__ DeviceLog device_log;

struct alignas(16) ThreadState {
    std::uint32_t stamp;
    std::uint16_t events, marks;  // how many it has left so far
    std::uint64_t clock;
};

inline constexpr std::uint32_t kMostInList = 0xffff;  // events of a thread, marks of a warp

WARPTREE_DEVICE std::uint32_t stamp_of(std::uint32_t block) {
    return device_log.stamp * 0x9e3779b9u + block + 1;
}
WARPTREE_DEVICE std::uint32_t block_stamp() {
    return stamp_of(blockIdx.x);
}
WARPTREE_DEVICE std::uint32_t this_block() {
    return device_log.on_others + blockIdx.x;
}
/// The block's number among those of all launches of the run: what is left in global memory says who wrote it.
WARPTREE_DEVICE std::uint32_t run_block() {
    return device_log.earlier + this_block();
}

/// Where a recorded block's slots begin, in blocks; device_log.blocks or more in one that is not recorded.
WARPTREE_DEVICE std::uint32_t recorded_row() {
    return this_block() - device_log.first_block;
}

WARPTREE_DEVICE ThreadState* thread_states() {
    __shared__ ThreadState states[1024];
    return states;
}

WARPTREE_DEVICE ThreadState load_state() {
    ThreadState state = thread_states()[threadIdx.x];
    if (state.stamp != block_stamp()) state = {block_stamp(), 0, 0, 0};
    return state;
}

template <class T>
WARPTREE_DEVICE std::uint64_t bits_of(const T& value) {
    std::uint64_t bits = 0;
    memcpy(&bits, &value, sizeof(T));
    return bits;
}

/// Writes one event of this thread.
/// returns  its position
WARPTREE_DEVICE std::uint32_t emit(ThreadState& state, RawKind kind, std::uint32_t array, int line, std::uint32_t index,
                                   std::uint32_t a, std::uint32_t b, std::uint64_t bits) {
    const std::uint32_t position = state.events * blockDim.x + threadIdx.x;
    if (state.events < device_log.capacity) {
        const std::uint32_t row = recorded_row();
        if (row < device_log.blocks) {
            const std::size_t slot = static_cast<std::size_t>(row) * device_log.capacity * blockDim.x + position;
            device_log.head[slot] = {pack_what(kind, array, static_cast<std::uint32_t>(line), threadIdx.x), index, a,
                                     b};
            device_log.tail[slot] = {state.clock, bits};
        }
    } else {
        atomicMax_system(device_log.most_events, state.events + 1u);
    }
    if (state.events < kMostInList) ++state.events;
    return position;
}

/// Writes what one thread says for its warp: a barrier or a marker, which no operand refers to.
WARPTREE_DEVICE void emit_mark(ThreadState& state, RawKind kind, int line, std::uint32_t index, std::uint32_t a) {
    if (threadIdx.x % 32 != 0) {  // its warp has diverged: another thread may speak for it as well
        emit(state, kind, kNoArray, line, index, a, kNone, 0);
        return;
    }
    if (state.marks < device_log.mark_capacity) {
        const std::uint32_t row = recorded_row();
        if (row < device_log.blocks) {
            const std::uint32_t warp = row * ((blockDim.x + 31) / 32) + threadIdx.x / 32;
            const std::size_t slot = static_cast<std::size_t>(warp) * device_log.mark_capacity + state.marks;
            device_log.mark_head[slot] = {pack_what(kind, kNoArray, static_cast<std::uint32_t>(line), threadIdx.x),
                                          index, a, kNone};
            device_log.mark_tail[slot] = {state.clock, 0};
        }
    } else {
        atomicMax_system(device_log.most_marks, state.marks + 1u);
    }
    if (state.marks < kMostInList) ++state.marks;
}

static WARPTREE_CALLED std::uint32_t log_bits(RawKind kind, std::uint32_t array, int line, std::uint32_t index,
                                              std::uint32_t a, std::uint32_t b, std::uint64_t bits) {
    ThreadState state = load_state();
    const std::uint32_t position = emit(state, kind, array, line, index, a, b, bits);
    thread_states()[threadIdx.x] = state;
    return position;
}
template <class T>
WARPTREE_DEVICE std::uint32_t log(RawKind kind, std::uint32_t array, int line, std::uint32_t index, std::uint32_t a,
                                  std::uint32_t b, const T& value) {
    return log_bits(kind, array, line, index, a, b, bits_of(value));
}

/// The CPU, which runs the first blocks to see how much room a launch takes, notes it for both.
WARPTREE_DEVICE void note_shared(std::uint32_t, const void*, std::uint32_t) {}

static WARPTREE_CALLED void fault(RawKind kind, std::uint32_t array, int line, std::uint32_t index,
                                  std::uint32_t extent) {
    const std::uint32_t at = atomicAdd_system(device_log.fault_count, 1u);
    if (at < kMaxFaults)
        device_log.faults[at] = {pack_what(kind, array, static_cast<std::uint32_t>(line), threadIdx.x), index, extent,
                                 this_block()};
}

/// The lowest active lane of `mask` speaks for its warp: barriers and markers are one event a warp, one a block after
/// merging.
WARPTREE_DEVICE bool leads_warp(unsigned mask = 0xffffffffu) {
    return threadIdx.x % 32 == static_cast<std::uint32_t>(__ffs(__activemask() & mask) - 1);
}

static WARPTREE_CALLED void log_marker(int line, std::uint32_t stride, std::uint32_t phase) {
    ThreadState state = load_state();
    state.clock += kOneMarker;
    if (leads_warp()) emit_mark(state, RawKind::kMarker, line, stride, phase);
    thread_states()[threadIdx.x] = state;
}

static WARPTREE_CALLED void log_block_barrier(int line, RawKind kind = RawKind::kBarrier) {
    ThreadState state = load_state();
    if (leads_warp()) emit_mark(state, kind, line, 0, kNone);
    state.clock += kOneBarrier;
    thread_states()[threadIdx.x] = state;
}

template <bool Recorded>
WARPTREE_DEVICE void block_barrier(int line) {
    if constexpr (Recorded) {
        if (device_log.without_barrier_line == static_cast<std::uint32_t>(line)) return;
        log_block_barrier(line);
    }
    __syncthreads();
}

/// __syncthreads_count and its like: a barrier that cannot be left out, since its answer is needed.
template <bool Recorded, BlockVote Asked>
WARPTREE_DEVICE int block_vote(bool mine, int line) {
    if constexpr (Recorded) log_block_barrier(line);
    if constexpr (Asked == BlockVote::kCount) return __syncthreads_count(mine);
    if constexpr (Asked == BlockVote::kAnd) return __syncthreads_and(mine);
    return __syncthreads_or(mine);
}

template <bool Recorded>
WARPTREE_DEVICE void warp_barrier(unsigned mask, int line) {
    if constexpr (Recorded) {
        if (device_log.without_barrier_line == static_cast<std::uint32_t>(line)) return;
        if (leads_warp(mask)) log(RawKind::kWarpSync, kNoArray, line, 0, kNone, kNone, 0u);
        ThreadState state = load_state();
        state.clock += kOneWarpSync;
        thread_states()[threadIdx.x] = state;
    }
    __syncwarp(mask);
}

// Clusters exist from compute capability 9.0 on. Elsewhere the kernel is refused before it is launched; its code has to
// compile all the same.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
WARPTREE_DEVICE void wait_for_cluster() {
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
}
WARPTREE_DEVICE unsigned cluster_rank() {
    return __clusterRelativeBlockRank();
}
WARPTREE_DEVICE unsigned cluster_size() {
    return __clusterSizeInBlocks();
}
template <class Element>
WARPTREE_DEVICE Element* map_to_rank(Element* shared, unsigned rank) {
    return static_cast<Element*>(__cluster_map_shared_rank(shared, rank));
}
#else
WARPTREE_DEVICE void wait_for_cluster() {
    __trap();
}
WARPTREE_DEVICE unsigned cluster_rank() {
    return 0;
}
WARPTREE_DEVICE unsigned cluster_size() {
    return 1;
}
template <class Element>
WARPTREE_DEVICE Element* map_to_rank(Element* shared, unsigned) {
    return shared;
}
#endif

template <bool Recorded>
WARPTREE_DEVICE void cluster_barrier(int line) {
    if constexpr (Recorded) {
        if (device_log.without_barrier_line == static_cast<std::uint32_t>(line)) return;
        log_block_barrier(line, RawKind::kClusterBarrier);
    }
    wait_for_cluster();
}
WARPTREE_DEVICE std::uint32_t cluster_block(unsigned rank) {
    return blockIdx.x - cluster_rank() + rank;
}
WARPTREE_DEVICE std::uint32_t cluster_stamp(unsigned rank) {
    return stamp_of(cluster_block(rank));
}
WARPTREE_DEVICE bool is_there(unsigned) {
    return true;  // the hardware does not say
}

/// A shared array that the blocks of a cluster see of each other: on the GPU that can be any.
template <class Array>
using ClusterShared = Array;
template <class Element, unsigned N>
WARPTREE_DEVICE Element* at_rank(Element (&array)[N], unsigned rank) {
    return map_to_rank(&array[0], rank);
}
template <class Array>
WARPTREE_DEVICE Array* at_rank(Array& array, unsigned rank) {
    return map_to_rank(&array, rank);
}

}  // namespace warptree::probe::inline cuda

#include "instrumentation/probe/elements_cuda.cuh"
