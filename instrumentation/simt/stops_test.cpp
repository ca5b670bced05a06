// What ends a launch before its end: cancelling, deadlocks, stacks that are left.
#include <atomic>
#include <chrono>
#include <cmath>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "instrumentation/simt/testing.hpp"

namespace warptree::simt {
namespace {

using namespace simt::testing;

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

}  // namespace
}  // namespace warptree::simt
