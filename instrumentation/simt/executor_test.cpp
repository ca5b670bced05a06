// Tests of the CPU executor: launches, block barriers, exits, deadlocks, stacks, orders, workers, atomics.
// Neighbour: warp_test.cpp has what lanes of one warp do together.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "instrumentation/simt/simt.cuh"
#include "instrumentation/simt/testing.hpp"

namespace warptree::simt {
namespace {

using testing::kOrders;
using testing::kWarpSizes;

Launch launch_of(std::uint32_t grid, std::uint32_t block, Order order = Order::kAscending,
                 std::uint32_t warp_size = 32) {
    Launch launch;
    launch.grid = grid;
    launch.block = block;
    launch.warp_size = warp_size;
    launch.order = order;
    launch.workers = 1;
    return launch;
}

// ---- Launches

TEST(Launches, every_thread_of_every_block_runs_once) {
    for (const Order order : kOrders)
        for (const std::uint32_t block : {1u, 2u, 3u, 31u, 32u, 33u, 100u, 255u, 256u, 1000u, 1024u})
            for (const std::uint32_t grid : {1u, 2u, 7u, 40u})
                for (const std::uint32_t workers : {1u, 2u, 5u}) {
                    Launch launch = launch_of(grid, block, order);
                    launch.workers = workers;
                    std::vector<int> runs(grid * block);
                    const std::string error = run(launch, [&] {
                        if (blockDim.x == block && gridDim.x == grid && warpSize == 32u)
                            ++runs.at(blockIdx.x * blockDim.x + threadIdx.x);
                    });
                    ASSERT_EQ(error, "");
                    ASSERT_EQ(std::count(runs.begin(), runs.end(), 1), std::ptrdiff_t{grid} * block)
                        << grid << " blocks of " << block << " on " << workers;
                }
}

TEST(Launches, threads_take_turns_in_the_order_asked_for) {
    std::vector<std::uint32_t> seen;
    const auto note = [&] { seen.push_back(threadIdx.x); };
    ASSERT_EQ(run(launch_of(1, 5, Order::kAscending), note), "");
    EXPECT_EQ(seen, (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
    seen.clear();
    ASSERT_EQ(run(launch_of(1, 5, Order::kDescending), note), "");
    EXPECT_EQ(seen, (std::vector<std::uint32_t>{4, 3, 2, 1, 0}));
}

TEST(Launches, shuffled_blocks_each_run_once_in_an_order_of_the_seed) {
    for (const std::uint32_t cluster : {1u, 4u}) {
        const auto order = [&](std::uint64_t seed) {
            Launch launch = launch_of(64, 512);
            launch.cluster = cluster;
            launch.shuffle_blocks = seed;
            std::vector<std::uint32_t> seen;
            EXPECT_EQ(run(launch,
                          [&] {
                              if (threadIdx.x == 0) seen.push_back(blockIdx.x);
                          }),
                      "");
            return seen;
        };
        EXPECT_TRUE(std::ranges::is_sorted(order(0)));
        EXPECT_EQ(order(7), order(7));
        EXPECT_NE(order(7), order(8));
        std::vector<std::uint32_t> once = order(7);
        EXPECT_FALSE(std::ranges::is_sorted(once));
        std::ranges::sort(once);
        ASSERT_EQ(once.size(), 64u);
        for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(once[i], i);
    }
}

/// The order in which the threads of each block ran.
std::vector<std::vector<std::uint32_t>> shuffled(std::uint64_t seed, std::uint32_t workers, std::uint32_t grid) {
    Launch launch = launch_of(grid, 512, Order::kShuffled);
    launch.seed = seed;
    launch.workers = workers;
    std::vector<std::vector<std::uint32_t>> seen(grid);
    EXPECT_EQ(run(launch, [&] { seen.at(blockIdx.x).push_back(threadIdx.x); }), "");
    return seen;
}

TEST(Launches, a_shuffled_order_is_the_seeds_and_no_others) {
    const auto once = shuffled(7, 1, 40);
    EXPECT_EQ(once, shuffled(7, 1, 40));
    EXPECT_EQ(once, shuffled(7, 3, 40)) << "the order must not depend on the number of workers";
    EXPECT_NE(once, shuffled(8, 1, 40));
    EXPECT_NE(once[0], once[1]) << "each block has an order of its own";
    for (std::vector<std::uint32_t> block : once) {
        EXPECT_FALSE(std::is_sorted(block.begin(), block.end()));
        std::sort(block.begin(), block.end());
        std::vector<std::uint32_t> all(512);
        std::iota(all.begin(), all.end(), 0u);
        EXPECT_EQ(block, all);
    }
}

TEST(Launches, blocks_are_handed_over_in_contiguous_ascending_ranges) {
    for (const std::uint32_t workers : {1u, 2u, 3u, 7u}) {
        Launch launch = launch_of(50, 512);
        launch.workers = workers;
        std::mutex mutex;
        std::map<std::uint32_t, std::vector<std::uint32_t>> blocks;
        std::map<std::uint32_t, std::set<std::thread::id>> ran_on;
        const BlockDone done = [&](std::uint32_t range, std::uint32_t block, probe::BlockLog&) {
            const std::lock_guard lock(mutex);
            blocks[range].push_back(block);
            ran_on[range].insert(std::this_thread::get_id());
        };
        ASSERT_EQ(run(
                      launch, [] {}, done),
                  "");
        EXPECT_EQ(workers_for(launch), workers);
        EXPECT_EQ(blocks.size(), ranges_for(launch));
        EXPECT_EQ(blocks.size() == 1, workers == 1);
        std::uint32_t next = 0;
        for (const auto& [range, inside] : blocks) {
            EXPECT_EQ(inside.front(), first_block(launch, range));
            EXPECT_EQ(ran_on[range].size(), 1u) << "range " << range;
            for (const std::uint32_t block : inside) EXPECT_EQ(block, next++) << "range " << range;
        }
        EXPECT_EQ(next, 50u);
        EXPECT_EQ(first_block(launch, ranges_for(launch)), 50u);
    }
}

TEST(Launches, small_ones_take_one_worker_and_none_more_than_blocks) {
    Launch launch = launch_of(4, 32);
    launch.workers = 8;
    EXPECT_EQ(workers_for(launch), 1u);
    EXPECT_EQ(workers_for(launch_of(1, 1024)), 1u);
    launch = launch_of(20, 1024);
    launch.workers = 64;
    EXPECT_EQ(workers_for(launch), 20u);
    launch.workers = 0;
    EXPECT_GE(workers_for(launch), 1u);
}

// ---- Barriers

/// A value goes once round the block: at each phase every thread reads what its neighbour wrote in the phase before.
/// returns  how many reads saw another phase's value
int wrong_reads(const Launch& launch, std::uint32_t phases) {
    std::vector<std::uint32_t> cells(launch.block);
    int wrong = 0;
    const std::string error = run(launch, [&] {
        const std::uint32_t t = threadIdx.x, neighbour = (t + 1) % blockDim.x;
        for (std::uint32_t phase = 1; phase <= phases; ++phase) {
            cells[t] = phase * 4096 + t;
            for (std::uint32_t wait = 0; wait < (t / warpSize + phase) % 3; ++wait) __syncwarp();  // warps fall behind
            __syncthreads();
            wrong += cells[neighbour] != phase * 4096 + neighbour;
            __syncthreads();
        }
    });
    EXPECT_EQ(error, "");
    return wrong;
}

TEST(Barriers, separate_phases_at_every_block_size) {
    for (std::uint32_t block = 1; block <= kMaxBlock; ++block)
        for (const Order order : kOrders)
            ASSERT_EQ(wrong_reads(launch_of(1, block, order, kWarpSizes[block % 4]), 2), 0)
                << "block of " << block << ", order " << static_cast<int>(order);
}

TEST(Barriers, separate_phases_at_every_warp_size) {
    for (const std::uint32_t warp_size : kWarpSizes)
        for (const std::uint32_t block : {1u, 3u, 4u, 5u, 31u, 33u, 64u, 100u})
            for (const Order order : kOrders)
                ASSERT_EQ(wrong_reads(launch_of(1, block, order, warp_size), 5), 0)
                    << "block of " << block << ", warps of " << warp_size;
}

TEST(Barriers, without_one_a_neighbour_is_not_done) {
    Launch launch = launch_of(1, 8);
    std::vector<int> cells(8);
    int seen = 0;
    int line = 0;
    const auto kernel = [&] {
        cells[threadIdx.x] = 1;
        line = __LINE__ + 1;
        __syncthreads();
        seen += cells[(threadIdx.x + 1) % 8];
    };
    ASSERT_EQ(run(launch, kernel), "");
    EXPECT_EQ(seen, 8);
    launch.without_barrier_line = static_cast<std::uint16_t>(line);
    std::fill(cells.begin(), cells.end(), 0);
    seen = 0;
    ASSERT_EQ(run(launch, kernel), "");
    EXPECT_EQ(seen, 1) << "in ascending order only the last thread finds its neighbour done";
}

TEST(Barriers, threads_that_returned_are_not_waited_for) {
    for (const Order order : kOrders)
        for (const std::uint32_t block : {2u, 5u, 32u, 33u, 96u, 1024u})
            for (const std::uint32_t leave : {1u, 2u, 3u, 31u}) {
                std::vector<int> cells(block);
                int wrong = 0;
                const std::string error = run(launch_of(1, block, order), [&] {
                    const std::uint32_t t = threadIdx.x;
                    if (t % (leave + 1) == leave) return;  // early return before any barrier
                    cells[t] = 1;
                    __syncthreads();
                    if (t == 0)
                        wrong += std::accumulate(cells.begin(), cells.end(), 0) != int(block - block / (leave + 1));
                    if (t >= block / 2) return;  // and between two
                    __syncthreads();
                    cells[t] = 2;
                    __syncthreads();
                    for (std::uint32_t i = 0; i < block / 2; ++i)
                        wrong += cells[i] != (i % (leave + 1) == leave ? 0 : 2);
                });
                ASSERT_EQ(error, "");
                ASSERT_EQ(wrong, 0) << "block of " << block << ", every " << leave + 1 << " returns";
            }
}

TEST(Barriers, leave_one_event_each_with_the_lowest_thread) {
    for (const Order order : kOrders) {
        std::vector<probe::RawEvent> events;
        const BlockDone done = [&](std::uint32_t, std::uint32_t, probe::BlockLog& log) {
            events.assign(log.data(), log.data() + log.size());
        };
        const std::string error = run(
            launch_of(1, 40, order),
            [] {
                if (threadIdx.x < 3) return;
                __syncthreads();
                __syncthreads();
            },
            done);
        ASSERT_EQ(error, "");
        ASSERT_EQ(events.size(), 2u);
        for (const probe::RawEvent& event : events) {
            EXPECT_EQ(probe::kind_of(event.what), probe::RawKind::kBarrier);
            EXPECT_EQ(probe::thread_of(event.what), 3u);
        }
        EXPECT_EQ(probe::barrier_of(events[0].clock), 0u);
        EXPECT_EQ(probe::barrier_of(events[1].clock), 1u);
        EXPECT_EQ(probe::line_of(events[0].what) + 1, probe::line_of(events[1].what));
    }
}

// ---- Deadlocks and stacks

bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// What run() says of a kernel that never ends by itself, cancelled while it runs.
std::string cancelled(Launch launch, const Body& body, const BlockDone& done = {}) {
    std::atomic<bool> cancel = false;
    std::thread canceller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        cancel = true;
    });
    launch.cancel = &cancel;
    const std::string said = run(launch, body, done);
    canceller.join();
    EXPECT_EQ(run(launch_of(4, 64), [] { __syncthreads(); }), "") << "the executor is sound afterwards";
    return said;
}

TEST(Cancelled, kernels_that_never_end_do) {
    const volatile bool forever = true;
    for (const std::uint32_t workers : {1u, 3u}) {
        Launch launch = launch_of(64, 512);
        launch.workers = workers;
        EXPECT_EQ(cancelled(launch,
                            [&] {
                                while (forever) __syncthreads();
                            }),
                  "");
        EXPECT_EQ(cancelled(launch,
                            [&] {
                                while (forever) __syncwarp();
                            }),
                  "");
        EXPECT_EQ(cancelled(launch,
                            [&] {
                                while (forever) __shfl_down_sync(~0u, 1, 1);
                            }),
                  "");
        launch.cluster = 4;
        EXPECT_EQ(cancelled(launch,
                            [&] {
                                while (forever) wait_for_cluster(1);
                            }),
                  "");
    }
}

TEST(Cancelled, one_that_only_reads_ends_where_it_is_recorded) {
    const volatile bool forever = true;
    for (const bool drops : {false, true}) {
        Launch launch = launch_of(1, 32);
        launch.drop_events = drops;
        bool done = false;
        const auto spins = [&] {
            while (forever) current_lane->block->log->add({});
        };
        EXPECT_EQ(cancelled(launch, spins, [&](auto, auto, auto&) { done = true; }), "");
        EXPECT_FALSE(done) << "a block that was given up is not handed over";
    }
}

TEST(Deadlocks, name_block_threads_and_lines_and_leave_the_executor_sound) {
    for (const Order order : kOrders)
        for (int again = 0; again < 3; ++again) {
            int barrier_line = 0, sync_line = 0;
            const std::string error = run(launch_of(3, 64, order), [&] {
                if (blockIdx.x == 1 && threadIdx.x % 32 < 2) {
                    barrier_line = __LINE__ + 1;
                    __syncthreads();
                }
                sync_line = __LINE__ + 1;
                __syncwarp();
            });
            EXPECT_TRUE(says(error, "block 1")) << error;
            EXPECT_TRUE(says(error, "thread 0 at line " + std::to_string(barrier_line))) << error;
            EXPECT_TRUE(says(error, "thread 1 at line " + std::to_string(barrier_line))) << error;
            EXPECT_TRUE(says(error, "thread 2 at line " + std::to_string(sync_line))) << error;
            EXPECT_TRUE(says(error, "must reach the same __syncthreads()")) << error;
            EXPECT_EQ(error.back(), '.');
            ASSERT_EQ(wrong_reads(launch_of(1, 64, order), 3), 0) << "the executor must work again afterwards";
        }
}

TEST(Deadlocks, of_a_mask_with_a_lane_that_never_comes) {
    const std::string error = run(launch_of(1, 8, Order::kAscending, 8), [] {
        if (threadIdx.x < 4) {
            __syncwarp(0xff);
        } else {
            __syncthreads();
        }
    });
    EXPECT_TRUE(says(error, "hangs in block 0")) << error;
    EXPECT_TRUE(says(error, "thread 3 at line")) << error;
}

TEST(Deadlocks, on_one_worker_stop_the_others) {
    Launch launch = launch_of(64, 512);
    launch.workers = 4;
    const std::string error = run(launch, [] {
        if (blockIdx.x == 40 && threadIdx.x == 7) __syncthreads();
        __syncwarp();
    });
    EXPECT_TRUE(says(error, "block 40")) << error;
    EXPECT_EQ(run(launch, [] { __syncthreads(); }), "");
}

/// Writes `bytes` of stack.
[[gnu::noinline]] int dig(std::size_t bytes) {
    auto* here = static_cast<volatile char*>(__builtin_alloca(bytes));
    for (std::size_t i = 0; i < bytes; ++i) here[i] = 1;
    return here[bytes / 2];
}

[[gnu::noinline]] int dive(int depth) {
    volatile int here = depth;
    return depth == 0 ? 0 : dive(depth - 1) + here;
}

TEST(Stacks, whoever_leaves_one_is_named_and_nobody_else_is_touched) {
    for (const std::size_t bytes : {16'340u, 16'380u, 17'500u, 22'000u, 40'000u, 1'000'000u})
        for (const std::uint32_t digger : {0u, 1u, 63u})
            for (const std::uint32_t workers : {1u, 3u}) {
                SCOPED_TRACE(fmt::format("{} bytes, thread {}, {} workers", bytes, digger, workers));
                Launch launch = launch_of(300, 64);
                launch.workers = workers;
                std::atomic<int> strangers = 0;
                const std::string error = run(launch, [&] {
                    volatile std::uint32_t mine[32];
                    for (std::uint32_t i = 0; i < 32; ++i) mine[i] = threadIdx.x + i;
                    if (blockIdx.x == 40 && threadIdx.x == digger) dig(kStackBytes - kGuardBytes - 16'384 + bytes);
                    __syncthreads();
                    for (std::uint32_t i = 0; i < 32; ++i) strangers += mine[i] != threadIdx.x + i;
                });
                EXPECT_EQ(strangers, 0);
                if (bytes <= kGuardBytes + 16'384 && error.empty()) continue;  // as much may be left of it
                EXPECT_TRUE(says(error, fmt::format("Thread {} of block 40 uses more than ", digger))) << error;
                EXPECT_TRUE(says(error, "make its local arrays smaller")) << error;
                EXPECT_EQ(wrong_reads(launch_of(1, 64), 3), 0) << "the executor is sound afterwards";
            }
}

TEST(Stacks, half_of_one_is_used_in_peace_and_recursion_without_end_is_not) {
    int dug = 0;
    EXPECT_EQ(run(launch_of(1, 2), [&] { dug += dig(kStackBytes / 2); }), "");
    EXPECT_EQ(dug, 2);
    const std::string error = run(launch_of(4, 32), [&] { dug += dive(threadIdx.x == 9 ? 1'000'000 : 3); });
    EXPECT_TRUE(says(error, "Thread 9 of block 0 uses more than ")) << error;
    EXPECT_TRUE(says(error, "its recursion less deep")) << error;
}

/// A fault that has nothing to do with stacks is nobody's business here.
TEST(StacksDeathTest, other_faults_end_the_program_as_ever) {
    EXPECT_DEATH(run(launch_of(1, 2),
                     [] {
                         volatile int* nowhere = nullptr;
                         if (threadIdx.x == 1) *nowhere = 1;
                     }),
                 "");
}

TEST(Stacks, keep_live_values_across_switches) {
    double wrong = 0;
    const std::string error = run(launch_of(2, 96, Order::kShuffled), [&] {
        // More values than there are registers, of every kind, alive over each barrier.
        double d[12];
        std::uint64_t n[14];
        for (int i = 0; i < 12; ++i) d[i] = threadIdx.x * 100.0 + i;
        for (std::uint64_t i = 0; i < 14; ++i) n[i] = threadIdx.x * 1000 + i;
        for (int phase = 0; phase < 4; ++phase) {
            __syncthreads();
            for (double& x : d) x += 1;
            for (std::uint64_t& x : n) x += 2;
            __syncwarp();
        }
        for (int i = 0; i < 12; ++i) wrong += std::abs(d[i] - (threadIdx.x * 100.0 + i + 4));
        for (std::uint64_t i = 0; i < 14; ++i) wrong += n[i] != threadIdx.x * 1000 + i + 8;
    });
    EXPECT_EQ(error, "");
    EXPECT_EQ(wrong, 0);
}

// ---- Workers and atomics

__shared__ int block_cells[kMaxBlock];

/// Sums of segments of `block` cells through shared memory; each block's into its own place.
std::vector<int> segment_sums(std::uint32_t workers, Order order) {
    Launch launch = launch_of(64, 512, order);
    launch.workers = workers;
    std::vector<int> sums(64);
    const std::string error = run(launch, [&] {
        const std::uint32_t t = threadIdx.x;
        block_cells[t] = static_cast<int>((blockIdx.x * 512 + t) % 1009);
        for (std::uint32_t stride = 256; stride >= 1; stride /= 2) {
            __syncthreads();
            if (t < stride) block_cells[t] += block_cells[t + stride];
        }
        if (t == 0) sums[blockIdx.x] = block_cells[0];
    });
    EXPECT_EQ(error, "");
    return sums;
}

TEST(Workers, many_give_what_one_gives) {
    std::vector<int> expected(64);
    for (int i = 0; i < 64 * 512; ++i) expected[static_cast<std::size_t>(i / 512)] += i % 1009;
    for (const Order order : kOrders)
        for (const std::uint32_t workers : {0u, 1u, 2u, 3u, 8u}) EXPECT_EQ(segment_sums(workers, order), expected);
}

TEST(Workers, launches_at_the_same_time_do_not_meet) {
    std::vector<int> expected = segment_sums(1, Order::kAscending);
    std::vector<std::thread> threads;
    std::atomic<int> right = 0;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&] { right += segment_sums(2, Order::kDescending) == expected; });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(right, 4);
}

TEST(Atomics, lose_nothing_among_workers) {
    Launch launch = launch_of(64, 512);
    launch.workers = 4;
    int count = 0;
    float sum = 0;
    std::vector<std::atomic<int>> taken(64 * 512);
    const std::string error = run(launch, [&] {
        ++taken.at(static_cast<std::size_t>(atomicAdd(&count, 1)));
        atomicAdd(&sum, 0.5f);
    });
    EXPECT_EQ(error, "");
    EXPECT_EQ(count, 64 * 512);
    EXPECT_EQ(sum, 64 * 256.0f);
    EXPECT_TRUE(std::all_of(taken.begin(), taken.end(), [](const auto& n) { return n == 1; }))
        << "each thread gets an old value of its own";
}

TEST(Limits, more_barriers_than_a_trace_counts_are_refused_where_they_are_recorded) {
    const auto barriers = [](unsigned count) {
        return [count] {
            for (unsigned i = 0; i < count; ++i) __syncthreads();
        };
    };
    const auto warps = [](unsigned count) {
        return [count] {
            for (unsigned i = 0; i < count; ++i) __syncwarp();
        };
    };
    const auto most = barriers(65535), more = barriers(70000);
    const auto more_of_warps = warps(70000);
    const BlockDone recorded = [](std::uint32_t, std::uint32_t, probe::BlockLog&) {};
    EXPECT_EQ(run(launch_of(1, 2), more), "") << "nothing is recorded";
    EXPECT_EQ(run(launch_of(1, 2), most, recorded), "");
    for (const std::string& error :
         {run(launch_of(1, 2), more, recorded), run(launch_of(1, 2), more_of_warps, recorded)})
        EXPECT_TRUE(says(error, "past more than 65535 barriers, or synchronisations of its warp")) << error;
}

}  // namespace
}  // namespace warptree::simt
