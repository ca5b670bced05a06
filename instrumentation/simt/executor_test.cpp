// Tests of the CPU executor: launches, block barriers, exits, orders, workers, atomics.
// Neighbours: warp_test.cpp has what lanes of one warp do together, stops_test.cpp what ends a launch before its end.
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

using namespace simt::testing;

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
