// The CPU executor: runs a CUDA kernel, one fibre a thread, with CUDA's meaning of barriers, warps and exits.
//
// Blocks are spread over worker threads, a range of neighbours at a time; the threads of a block take turns on one
// worker in a chosen order, so what a block does is deterministic. Each lane runs until it waits (block barrier, warp
// synchronisation, shuffle) or ends. Neighbours: fibre.hpp switches stacks; simt.cuh gives kernels their CUDA words on
// top of this.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "instrumentation/log/raw.hpp"
#include "instrumentation/simt/fibre.hpp"
#include "instrumentation/simt/stacks.hpp"

namespace warptree::simt {

inline constexpr std::uint32_t kMaxBlock = 1024;

/// Stack of one thread, with what staggering takes of it.
#if defined(WARPTREE_ASAN_FIBRES)
inline constexpr std::size_t kStackBytes = std::size_t{64} * 1024 + kGuardBytes;
#else
inline constexpr std::size_t kStackBytes = std::size_t{16} * 1024 + kGuardBytes;
#endif

struct Dim3 {
    std::uint32_t x = 1, y = 1, z = 1;
};

struct Block;

/// What each thread runs: a callable, which has to outlive it.
struct Body {
    void (*call)(void*) = nullptr;
    void* callable = nullptr;

    Body() = default;
    template <class Callable>
    requires(!std::is_same_v<std::remove_cvref_t<Callable>, Body>) Body(Callable&& one)  // NOLINT: converts
        : call([](void* what) { (*static_cast<std::remove_reference_t<Callable>*>(what))(); }),
          callable(const_cast<void*>(static_cast<const void*>(&one))) {}
    void operator()() const { call(callable); }
};

/// What a lane hands to the others of its warp in a shuffle, vote or warp reduction.
struct Parcel {
    std::uint64_t bits = 0;
    std::uint32_t event = probe::kNone;
    std::uint32_t pad = 0;
};

/// threadIdx: blocks have one dimension.
struct ThreadIndex {
    std::uint32_t x = 0;
    static constexpr std::uint32_t y = 0, z = 0;
};

/// One CUDA thread: one cache line, all that a switch touches beside the stack.
struct alignas(64) Lane {
    Fibre fibre;           // first: a fibre's address is its lane's
    Lane* next = nullptr;  // in the ring of lanes that have not ended
    Block* block = nullptr;
    std::uint64_t clock = 0;  // markers, block barriers and warp synchronisations passed: see probe/raw.hpp
    ThreadIndex thread_index;
    std::uint16_t waiting_line = 0;  // where it waits; for the message of a deadlock
    bool ended = false;
    Lane* previous = nullptr;

    std::uint32_t thread() const { return thread_index.x; }
};

/// What the lanes of a meeting handed in.
struct Handed {
    std::array<Parcel, 32> parcels;  // by lane number
    std::uint32_t lanes = 0;         // those that did: a lane that ended, or that its warp never had, hands in nothing
};

/// Lanes of one warp that meet: the same mask names the same meeting.
struct Meeting {
    std::uint32_t mask = 0;
    std::uint32_t arrived = 0;
    std::uint32_t leaving = 0;  // lanes that have still to see what was handed in
    std::uint32_t generation = 0;
    bool logged = false;  // this generation's synchronisation has its event
    std::array<Parcel, 32> incoming;
    Handed handed;
};

struct Warp {
    std::vector<std::unique_ptr<Meeting>> meetings;  // as many as were ever open at once
};

/// Blocks that run together on one worker: barriers among them, and a view of each other's shared memory.
struct Cluster {
    std::uint32_t size = 1, first_block = 0;
    std::uint32_t first_stamp = 0;  // that of the block with rank 0; the others' follow
    std::uint32_t live = 0;         // lanes of all its blocks that have not ended
    std::uint32_t arrived = 0;      // of those, at the cluster barrier
    std::uint32_t generation = 0;
    std::vector<Block*> blocks{};  // (size,)
};

/// What the threads at a barrier that takes a vote said.
struct Votes {
    std::uint32_t all = 0, yes = 0;
};

/// Everything that the lanes of the running block share.
struct Block {
    Dim3 block_index{0, 0, 0};
    Dim3 block_dim;
    Dim3 grid_dim;
    std::uint32_t warp_size = 32;
    std::uint32_t live = 0;     // lanes that have not ended
    std::uint32_t arrived = 0;  // of those, at the block barrier
    std::uint32_t generation = 0;
    std::uint32_t lowest = 0;    // of the threads at the barrier, where barriers are recorded; kNone: none came; else 0
    std::uint32_t meetings = 0;  // arrivals at and departures from warp meetings
    std::uint32_t held = 0;      // lanes that keep_in_step() holds
    std::uint32_t launch_block = 0;  // its number among the blocks of the launch, on whatever device
    std::uint32_t run_block = 0;     // its number among the blocks of all launches of the run
    std::uint32_t stamp = 0;         // no other block that ran on this worker had it: see probe/log_cpu.hpp
    std::uint16_t without_barrier_line = 0;
    Body body;
    Fibre own_scheduler;
    Fibre* scheduler = &own_scheduler;  // in a cluster, that of its first block
    Cluster* cluster = nullptr;         // null: the block runs alone
    std::uint32_t rank = 0;             // in its cluster
    std::uint32_t device = 0;           // its place among those that the launch is on
    probe::BlockLog* log = nullptr;     // null: nothing is recorded
    std::vector<Lane> lanes;
    std::vector<Warp> warps;
    bool given_up = false;                      // no lane could go on, or the launch was cancelled
    Stacks stacks;                              // of its threads
    const Lane* overflown = nullptr;            // the one that left its stack
    std::uint16_t uncounted_line = 0;           // where a thread passed more than a trace can count; 0: nowhere
    const std::atomic<bool>* cancel = nullptr;  // that of the launch
    Votes votes[2] = {};                        // of __syncthreads_count and its like, by parity of generation

    /// No thread is at the barrier.
    void clear_barrier() {
        arrived = 0;
        lowest = log != nullptr ? probe::kNone : 0;
    }
    void open_barrier() {
        clear_barrier();
        ++generation;
    }

    /// Differs whenever some lane got on: if it is the same after a whole turn of the ring, none can.
    std::uint64_t state() const { return cluster == nullptr ? own_state() : cluster_state(); }
    std::uint64_t own_state() const {
        return (std::uint64_t{generation} << 32 | meetings) ^ (std::uint64_t{arrived} << 48) ^
               (std::uint64_t{live} << 20);
    }
    std::uint64_t cluster_state() const;
};

#if !defined(WARPTREE_ASAN_FIBRES)
static_assert(sizeof(Lane) == 64);
#endif
static_assert(std::is_standard_layout_v<Lane>);

/// The lane that runs on this worker now.
inline thread_local constinit Lane* current_lane = nullptr;

inline constexpr std::size_t kAhead = 3;  // lanes past the next

/// Hands over to a lane of the ring, the next one where nothing speaks for another; returns when it is this lane's turn
/// again.
/// returns  this lane
[[gnu::always_inline]] inline Lane* yield(Lane* self, Lane* next) {
    if (next == self) return self;
    // A block's lanes overflow the first cache: fetch one further on meanwhile, where the usual order has it. To follow
    // the ring there would be to wait for the very memory that is to be fetched.
    __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(next) + kAhead * sizeof(Lane)),
                       1);
    current_lane = next;
    return reinterpret_cast<Lane*>(switch_fibre(self->fibre, next->fibre));
}
[[gnu::always_inline]] inline Lane* yield(Lane* self) {
    return yield(self, self->next);
}

/// Gives up the block: no lane can go on. Does not return.
[[noreturn]] void give_up(Lane* self);

/// Gives up the block where its launch was cancelled. Looked at whenever a barrier or a meeting opens and now and then
/// between events, so that a kernel that never ends can be stopped, too.
[[gnu::always_inline]] inline void end_if_cancelled(Lane* self) {
    const std::atomic<bool>* const cancel = self->block->cancel;
    if (cancel != nullptr && cancel->load(std::memory_order_relaxed)) [[unlikely]]
        give_up(self);
}

/// Lets others run until a barrier opens, at which this lane found itself once more before all had come.
/// reached     the number of times that it opened
/// generation  that number when this lane came
void wait_on(Lane* self, const std::uint32_t& reached, std::uint32_t generation);

/// Records a barrier that this lane is the first to reach, or the lowest so far.
void log_barrier(Lane& self, std::uint16_t line);

/// Gives up the block where a recorded lane has passed as many barriers, or warp synchronisations, as a trace counts.
inline constexpr std::uint32_t kMostCounted = 0xffff;
[[noreturn]] void give_up_uncounted(Lane* self, std::uint16_t line);

/// Waits until every lane of the block that has not ended is here.
/// needed  whatever barrier the launch leaves out: a vote's answer hangs on it
[[gnu::always_inline]] inline void wait_for_block(std::uint16_t line, bool needed = false) {
    Lane* self = current_lane;
    Block& block = *self->block;
    if (block.without_barrier_line == line && !needed) return;
    if (self->thread() < block.lowest) [[unlikely]]
        log_barrier(*self, line);
    self->clock += probe::kOneBarrier;
    self->waiting_line = line;
    const std::uint32_t generation = block.generation;
    if (++block.arrived == block.live) {
        block.open_barrier();
        end_if_cancelled(self);
    }
    self = yield(self);
    if (self->block->generation == generation) [[unlikely]]
        wait_on(self, self->block->generation, generation);
}

/// Waits until every lane of the cluster that has not ended is here; of a block that runs alone, of the block.
void wait_for_cluster(std::uint16_t line);

/// Waits for the lanes of `mask` in this warp and exchanges parcels with them.
/// returns  what each lane handed in; valid until this lane waits again
const Handed& meet(std::uint32_t mask, const Parcel& parcel, std::uint16_t line, bool is_sync);

/// Holds a lane until those of its warp that are behind it in the code have come as far: they go on together, as on
/// hardware that keeps a warp in step; turns of a loop are one place. One warp goes on at a time, as far as it can. Of
/// a block that runs alone. place  where it is in the code; what comes first there has the smaller one
void keep_in_step(std::uint64_t place);

/// Lanes of this warp that have not ended.
std::uint32_t live_mask();

enum class Order : std::uint8_t { kAscending, kDescending, kShuffled };

struct Launch {
    std::uint32_t grid = 1;
    std::uint32_t block = 1;
    std::uint32_t warp_size = 32;
    Order order = Order::kAscending;
    std::uint64_t seed = 1;     // of the shuffled order
    std::uint32_t workers = 0;  // 0: one a core
    std::uint16_t without_barrier_line = 0;
    std::uint32_t cluster = 1;                  // blocks a cluster; the grid is a multiple of it
    std::uint32_t devices = 1;                  // each has as many blocks of the grid, and counts its own
    const std::atomic<bool>* cancel = nullptr;  // set by another thread: blocks end, and none begins; null: never
    std::uint32_t first = 0;                    // of the blocks to run, and
    std::uint32_t count = 0;                    // how many: both multiples of `cluster`; 0: from there to the last
    std::uint32_t earlier = 0;                  // blocks of the run's earlier launches
    std::uint64_t shuffle_blocks = 0;  // a seed: blocks, or clusters, begin in its order; 0: as numbered. Not recorded
    bool drop_events = false;          // recorded to be counted alone: see probe::BlockLog
    Stacks stacks =
        {};  // of the threads of a block, or of all of a cluster's, where the caller has some; one worker then

    std::uint32_t blocks() const { return count != 0 ? count : grid - first; }
};

/// Called on a worker after each block, with what it logged. A range is of neighbouring blocks; its blocks come in
/// ascending order, all on one worker.
using BlockDone = std::function<void(std::uint32_t range, std::uint32_t block, probe::BlockLog&)>;

/// How many workers run(launch) will use.
std::uint32_t workers_for(const Launch&);

/// How many ranges the blocks fall into: one for a lone worker, else several a worker. A worker that is done with one
/// takes the next, so that none waits long for one whose core has other work.
std::uint32_t ranges_for(const Launch&);

/// The first block of a range; of the one past the last: the number of blocks.
std::uint32_t first_block(const Launch&, std::uint32_t range);

/// Runs `body` once for each thread of the grid.
/// done     called after each block when recording; empty: nothing is recorded
/// returns  "" or a sentence: a deadlock, with the block, the threads and the lines where they wait
std::string run(const Launch&, const Body& body, const BlockDone& done = {});

}  // namespace warptree::simt
