// The CPU executor: workers, stacks, rings of lanes, clusters. Neighbour: meeting.cpp, what the lanes of a warp do.
#include "instrumentation/simt/executor.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "instrumentation/beside.hpp"

namespace warptree::simt {
namespace {

constexpr std::uint32_t kRangesPerWorker = 8;

/// A lane that ends counts as present at the cluster barrier.
void leave(Cluster& cluster) {
    --cluster.live;
    if (cluster.arrived != cluster.live) return;
    cluster.arrived = 0;
    ++cluster.generation;
}

/// Where a lane begins: run the kernel, leave the ring, hand over for good.
[[noreturn]] void lane_entry() {
    Lane* self = current_lane;
    Block& block = *self->block;
    fibre_started(*block.scheduler);
    block.body();
    self->ended = true;
    --block.live;
    if (self->next == self) leave_fibre(self->fibre, *block.scheduler);  // the last of all
    if (block.cluster != nullptr) leave(*block.cluster);
    self->previous->next = self->next;
    self->next->previous = self->previous;
    if (block.arrived == block.live) block.open_barrier();
    current_lane = self->next;
    leave_fibre(self->fibre, self->next->fibre);
}

/// One worker's lanes, stacks and log, kept from launch to launch.
struct Arena {
    StackMemory own_stacks;
    std::vector<std::uint32_t> order;  // of the threads of a block
    std::uint32_t lanes = 0;
    Block block;
    std::unique_ptr<probe::BlockLog> log = std::make_unique<probe::BlockLog>();

    void reserve(std::uint32_t count, const Stacks& given) {
        if (lanes < count) {
            lanes = count <= 64 ? 64 : count <= 256 ? 256 : kMaxBlock;
            if (given.begin == nullptr) own_stacks = StackMemory(lanes, kStackBytes, lanes);
            block.lanes = std::vector<Lane>(lanes);
        }
        block.stacks = given.begin != nullptr ? given : own_stacks.stacks();
    }
};

std::vector<std::uint32_t> ring_order(const Launch& launch, std::uint32_t block_index) {
    std::vector<std::uint32_t> order(launch.block);
    std::iota(order.begin(), order.end(), 0u);
    if (launch.order == Order::kDescending) std::reverse(order.begin(), order.end());
    if (launch.order == Order::kShuffled) {
        std::mt19937_64 random(launch.seed * 0x9e3779b97f4a7c15u + block_index);
        for (std::uint32_t i = launch.block; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    }
    return order;
}

/// Sets up the lanes of one block and links them in the order of the launch, to a ring of their own.
/// returns  the lane to begin with
Lane* set_up(Arena& arena, const Launch& launch, std::uint32_t block_index) {
    static thread_local std::uint32_t stamps = 0;
    if (launch.order == Order::kShuffled) arena.order = ring_order(launch, block_index);
    Block& block = arena.block;
    if (block.log != nullptr) block.log->clear();
    block.stamp = ++stamps;
    block.block_index = {block_index % block.grid_dim.x, 0, 0};
    block.launch_block = block_index;
    block.device = block_index / block.grid_dim.x;
    block.run_block = launch.earlier + block_index;
    block.live = launch.block;
    block.held = 0;
    block.clear_barrier();
    block.given_up = false;
    block.uncounted_line = 0;
    block.overflown = nullptr;
    Lane* previous = &block.lanes[arena.order.back()];
    for (const std::uint32_t i : arena.order) {
        Lane& lane = block.lanes[i];
        prepare(lane.fibre, block.stacks.bottom(i), block.stacks.top(i), lane_entry);
        lane.block = &block;
        lane.clock = 0;
        lane.thread_index = {i};
        lane.ended = false;
        lane.previous = previous;
        previous->next = &lane;
        previous = &lane;
    }
    const std::size_t warps = (launch.block + launch.warp_size - 1) / launch.warp_size;
    block.warps.resize(warps);
    for (Warp& warp : block.warps)
        for (const auto& meeting : warp.meetings) meeting->mask = meeting->arrived = meeting->leaving = 0;
    return &block.lanes[arena.order.front()];
}

std::string describe_deadlock(const Block& block) {
    if (block.uncounted_line != 0)
        return fmt::format(
            "A thread of block {} comes to line {} past more than {} barriers, or synchronisations of its warp; a "
            "trace counts no more. Choose a smaller N, or see whether the loop around it ends.",
            block.launch_block, block.uncounted_line, kMostCounted);
    std::string waiting;
    int named = 0;
    for (const Lane& lane : block.lanes) {
        if (&lane - block.lanes.data() >= static_cast<std::ptrdiff_t>(block.block_dim.x)) break;
        if (lane.ended) continue;
        if (++named > 4) {
            waiting += ", ...";
            break;
        }
        waiting += fmt::format("{}thread {} at line {}", waiting.empty() ? "" : ", ", lane.thread(), lane.waiting_line);
    }
    return fmt::format(
        "The kernel hangs in block {}: no thread can go on ({}). Every thread that has not returned must reach the "
        "same __syncthreads(), and every lane of a mask the same warp operation.",
        block.launch_block, waiting);
}

std::string overflow_text(const Block& block) {
    return fmt::format(
        "Thread {} of block {} uses more than {} KB of stack; make its local arrays smaller, or its recursion less "
        "deep.",
        block.overflown->thread(), block.launch_block, (kStackBytes - kGuardBytes) / 1024);
}

bool is_cancelled(const Launch& launch) {
    return launch.cancel != nullptr && launch.cancel->load(std::memory_order_relaxed);
}

/// Makes an arena ready for blocks of a launch.
void begin_range(Arena& arena, const Launch& launch, std::uint32_t rank, const Body& body, bool recorded) {
    Stacks stacks = launch.stacks;
    if (stacks.begin != nullptr) stacks.begin += std::size_t{rank} * launch.block * stacks.between();
    arena.reserve(launch.block, stacks);
    arena.order = ring_order(launch, 0);
    Block& block = arena.block;
    block.own_scheduler = {};
    block.block_dim = {launch.block, 1, 1};
    block.grid_dim = {launch.grid / launch.devices, 1, 1};
    block.warp_size = launch.warp_size;
    block.without_barrier_line = launch.without_barrier_line;
    block.body = body;
    block.log = recorded ? arena.log.get() : nullptr;
    block.cancel = launch.cancel;
    arena.log->drop_events(launch.drop_events);
    arena.log->between_events = [] { end_if_cancelled(current_lane); };
}

/// The first block of each cluster of a range, in the order in which they begin.
std::vector<std::uint32_t> starts_of(const Launch& launch, std::uint32_t range) {
    const std::uint32_t first = first_block(launch, range), last = first_block(launch, range + 1);
    std::vector<std::uint32_t> starts((last - first) / launch.cluster);
    for (std::uint32_t i = 0; i < starts.size(); ++i) starts[i] = first + i * launch.cluster;
    if (launch.shuffle_blocks != 0) std::ranges::shuffle(starts, std::mt19937_64(launch.shuffle_blocks));
    return starts;
}

/// Arenas wait here between launches, warm.
class Arenas {
public:
    std::unique_ptr<Arena> take() {
        const std::lock_guard lock(mutex_);
        if (free_.empty()) return std::make_unique<Arena>();
        auto arena = std::move(free_.back());
        free_.pop_back();
        return arena;
    }
    void give(std::unique_ptr<Arena> arena) {
        const std::lock_guard lock(mutex_);
        free_.push_back(std::move(arena));
    }

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Arena>> free_;
};

Arenas& arenas() {
    static Arenas kept;
    return kept;
}

using Starts = std::vector<Lane*>;

/// Links the rings of a cluster's blocks to one. returns  the lane to begin with
Lane* link(const Cluster& cluster, const Launch& launch, const Starts& starts) {
    if (cluster.size == 1) return starts[0];
    std::vector<std::uint32_t> ranks(cluster.size);
    std::iota(ranks.begin(), ranks.end(), 0u);
    if (launch.order == Order::kDescending) std::reverse(ranks.begin(), ranks.end());
    if (launch.order == Order::kShuffled) {
        std::mt19937_64 random(launch.seed * 0x9e3779b97f4a7c15u + cluster.first_block);
        std::shuffle(ranks.begin(), ranks.end(), random);
    }
    Lane* const first = starts[ranks[0]];
    for (std::size_t i = 1; i < ranks.size(); ++i) {
        Lane *const start = starts[ranks[i]], *const end = start->previous, *const before = first->previous;
        before->next = start;
        start->previous = before;
        end->next = first;
        first->previous = end;
    }
    return first;
}

/// Runs a range of blocks on this worker, a cluster at a time; a block that runs alone is one of a single block.
/// all  an arena for each block of a cluster
std::string run_range(const std::vector<std::unique_ptr<Arena>>& all, const Launch& launch, std::uint32_t range,
                      const Body& body, const BlockDone& done, const std::atomic<bool>& stop) {
    Cluster cluster;
    cluster.size = launch.cluster;
    for (std::uint32_t rank = 0; rank < cluster.size; ++rank) {
        begin_range(*all[rank], launch, rank, body, static_cast<bool>(done));
        Block& block = all[rank]->block;
        block.scheduler = &all[0]->block.own_scheduler;
        block.cluster = cluster.size == 1 ? nullptr : &cluster;
        block.rank = rank;
        cluster.blocks.push_back(&block);
    }
    Starts lanes(cluster.size);
    const std::vector<std::uint32_t> starts = starts_of(launch, range);
    for (const std::uint32_t index : starts) {
        if (stop.load(std::memory_order_relaxed)) return {};
        if (is_cancelled(launch)) return {};
        cluster.first_block = index;
        cluster.live = cluster.size * launch.block;
        cluster.arrived = 0;
        for (std::uint32_t rank = 0; rank < cluster.size; ++rank)
            lanes[rank] = set_up(*all[rank], launch, index + rank);
        cluster.first_stamp = cluster.blocks[0]->stamp;
        current_lane = link(cluster, launch, lanes);
        enter_fibre(all[0]->block.own_scheduler, current_lane->fibre);
        for (const Block* block : cluster.blocks) {
            if (block->overflown != nullptr) return overflow_text(*block);
            if (block->given_up) return is_cancelled(launch) ? "" : describe_deadlock(*block);
        }
        for (std::uint32_t rank = 0; done && rank < cluster.size; ++rank)
            done(range, index + rank, *cluster.blocks[rank]->log);
    }
    return {};
}

}  // namespace

void give_up(Lane* self) {
    Block& block = *self->block;
    block.given_up = true;
    leave_fibre(self->fibre, *block.scheduler);
}

void give_up_uncounted(Lane* self, std::uint16_t line) {
    self->block->uncounted_line = line;
    give_up(self);
}

void log_barrier(Lane& self, std::uint16_t line) {
    if (probe::barrier_of(self.clock) == kMostCounted) give_up_uncounted(&self, line);
    self.block->lowest = self.thread();
    self.block->log->barrier(self.thread(), line, self.clock);
}

void wait_on(Lane* self, const std::uint32_t& reached, std::uint32_t generation) {
    const Block& block = *self->block;
    while (reached == generation) {
        const std::uint64_t seen = block.state();
        yield(self);
        if (reached == generation && block.held == 0 && block.state() == seen) give_up(self);
    }
}

std::uint64_t Block::cluster_state() const {
    std::uint64_t all = std::uint64_t{cluster->generation} << 32 ^ cluster->arrived;
    for (std::uint32_t i = 0; i < cluster->size; ++i) all = all * 0x9e3779b97f4a7c15u + cluster->blocks[i]->own_state();
    return all;
}

void wait_for_cluster(std::uint16_t line) {
    Lane* self = current_lane;
    Block& block = *self->block;
    if (block.without_barrier_line == line) return;
    if (block.log != nullptr) {
        if (probe::barrier_of(self->clock) == kMostCounted) give_up_uncounted(self, line);
        block.log->barrier(self->thread(), line, self->clock, probe::RawKind::kClusterBarrier);
    }
    self->clock += probe::kOneBarrier;
    self->waiting_line = line;
    std::uint32_t& reached = block.cluster != nullptr ? block.cluster->generation : block.generation;
    std::uint32_t& arrived = block.cluster != nullptr ? block.cluster->arrived : block.arrived;
    const std::uint32_t generation = reached;
    if (++arrived == (block.cluster != nullptr ? block.cluster->live : block.live)) {
        arrived = 0;
        ++reached;
        end_if_cancelled(self);
    }
    yield(self);
    if (reached == generation) wait_on(self, reached, generation);
}

std::uint32_t workers_for(const Launch& launch) {
    const std::uint64_t threads = std::uint64_t{launch.blocks()} * launch.block;
    if (launch.stacks.begin != nullptr) return 1;
    if (threads < 16384 || launch.shuffle_blocks != 0) return 1;  // a second worker would cost more than it saves
    const std::uint32_t wanted = launch.workers == 0 ? value::cores() : launch.workers;
    return std::clamp(wanted, 1u, launch.blocks() / launch.cluster);
}

std::uint32_t ranges_for(const Launch& launch) {
    const std::uint32_t workers = workers_for(launch);
    return workers == 1 ? 1 : std::min(workers * kRangesPerWorker, launch.blocks() / launch.cluster);
}

std::uint32_t first_block(const Launch& launch, std::uint32_t range) {
    const std::uint64_t clusters = launch.blocks() / launch.cluster;
    return launch.first + static_cast<std::uint32_t>(range * clusters / ranges_for(launch)) * launch.cluster;
}

std::string run(const Launch& launch, const Body& body, const BlockDone& done) {
    const std::uint32_t workers = workers_for(launch), ranges = ranges_for(launch);
    std::vector<std::string> errors(ranges);
    std::atomic<bool> stop = false;
    std::atomic<std::uint32_t> next = 0;
    const auto work = [&] {
        const std::optional<OverflowWatch> watch =
            launch.stacks.begin == nullptr ? std::optional<OverflowWatch>(std::in_place) : std::nullopt;
        std::vector<std::unique_ptr<Arena>> taken;
        for (std::uint32_t rank = 0; rank < launch.cluster; ++rank) taken.push_back(arenas().take());
        for (std::uint32_t range = next++; range < ranges; range = next++) {
            errors[range] = run_range(taken, launch, range, body, done, stop);
            if (!errors[range].empty()) stop = true;
        }
        for (auto& arena : taken) arenas().give(std::move(arena));
    };
    std::vector<std::exception_ptr> thrown(workers);  // memory may run out on any of them
    on_threads(workers, [&](std::size_t worker) {
        try {
            work();
        } catch (...) {
            thrown[worker] = std::current_exception();
            stop = true;
        }
    });
    for (const std::exception_ptr& one : thrown)
        if (one) std::rethrow_exception(one);
    for (const std::string& error : errors)
        if (!error.empty()) return error;
    return {};
}

}  // namespace warptree::simt
