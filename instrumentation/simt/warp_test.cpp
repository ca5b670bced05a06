// Tests of what the lanes of one warp do together on the CPU executor: shuffles, __syncwarp, masks.
// Source of the shuffles' meaning: PTX ISA, shfl.sync. Neighbour: executor_test.cpp.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "instrumentation/simt/simt.cuh"
#include "instrumentation/simt/testing.hpp"

namespace warptree::simt {
namespace {

using testing::kOrders;
using testing::kWarpSizes;

Launch launch_of(std::uint32_t block, Order order = Order::kAscending, std::uint32_t warp_size = 32) {
    Launch launch;
    launch.block = block;
    launch.warp_size = warp_size;
    launch.order = order;
    launch.workers = 1;
    return launch;
}

std::uint32_t full_mask(std::uint32_t lanes) {
    return lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
}

// ---- Shuffles

enum class Mode { kUp, kDown, kXor, kIndex };
constexpr Mode kModes[] = {Mode::kUp, Mode::kDown, Mode::kXor, Mode::kIndex};

/// The lane that shfl.sync reads, word for word from the PTX ISA; a source outside its group gives the lane itself.
std::uint32_t ptx_source(Mode mode, std::uint32_t lane, std::uint32_t b, std::uint32_t width) {
    const std::uint32_t bval = b & 0x1f;
    const std::uint32_t cval = mode == Mode::kUp ? 0 : 0x1f, segmask = (32 - width) & 0x1f;
    const std::uint32_t max_lane = (lane & segmask) | (cval & ~segmask), min_lane = lane & segmask;
    std::uint32_t j = 0;
    bool in_range = false;
    switch (mode) {
        case Mode::kUp:
            j = lane - bval, in_range = static_cast<std::int32_t>(j) >= static_cast<std::int32_t>(max_lane);
            break;
        case Mode::kDown:
            j = lane + bval, in_range = j <= max_lane;
            break;
        case Mode::kXor:
            j = lane ^ bval, in_range = j <= max_lane;
            break;
        case Mode::kIndex:
            j = min_lane | (bval & ~segmask), in_range = j <= max_lane;
            break;
    }
    return in_range ? j : lane;
}

template <class T>
T shuffle(Mode mode, unsigned mask, T value, unsigned b, unsigned width) {
    switch (mode) {
        case Mode::kUp:
            return __shfl_up_sync(mask, value, b, width);
        case Mode::kDown:
            return __shfl_down_sync(mask, value, b, width);
        case Mode::kXor:
            return __shfl_xor_sync(mask, value, b, width);
        case Mode::kIndex:
            return __shfl_sync(mask, value, b, width);
    }
    return value;
}

TEST(Shuffles, read_the_lane_that_ptx_names) {
    for (const std::uint32_t warp_size : kWarpSizes)
        for (const Order order : kOrders) {
            int wrong = 0;
            const std::string error = run(launch_of(2 * warp_size, order, warp_size), [&] {
                const std::uint32_t lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
                for (const Mode mode : kModes)
                    for (std::uint32_t width = 1; width <= warpSize; width *= 2)
                        for (std::uint32_t b = 0; b < 40; ++b) {
                            if (warpSize < 32 && b >= warpSize) continue;  // CUDA has no such warp to compare with
                            const std::uint32_t mine = warp * 1000 + lane;
                            const std::uint32_t got = shuffle(mode, full_mask(warpSize), mine, b, width);
                            wrong += got != warp * 1000 + ptx_source(mode, lane, b, width);
                        }
            });
            ASSERT_EQ(error, "");
            ASSERT_EQ(wrong, 0) << "warps of " << warp_size << ", order " << static_cast<int>(order);
        }
}

TEST(Shuffles, take_values_of_up_to_eight_bytes) {
    int wrong = 0;
    const std::string error = run(launch_of(32), [&] {
        const unsigned lane = threadIdx.x;
        wrong +=
            __shfl_down_sync(0xffffffff, 0.25f * static_cast<float>(lane), 1) != 0.25f * std::fmin(lane + 1.f, 31.f);
        wrong += __shfl_xor_sync(0xffffffff, 1e300 * lane, 3) != 1e300 * (lane ^ 3);
        wrong += __shfl_sync(0xffffffff, -std::int64_t{lane} << 40, 5) != -(std::int64_t{5} << 40);
        wrong += __shfl_up_sync(0xffffffff, static_cast<unsigned char>(lane), 2) != (lane < 2 ? lane : lane - 2);
    });
    EXPECT_EQ(error, "");
    EXPECT_EQ(wrong, 0);
}

TEST(InStep, lanes_wait_for_those_behind_them_and_warps_come_one_after_the_other) {
    constexpr std::uint32_t kThreads = 64;
    for (const Order order : kOrders) {
        std::vector<std::string> went(3);  // of each place, in the order in which lanes came past it
        const std::string error = run(launch_of(kThreads, order), [&] {
            const std::uint32_t t = threadIdx.x;
            const auto come = [&](std::size_t place) {
                keep_in_step(place);
                went[place] += static_cast<char>('0' + t);
                EXPECT_TRUE(place == 0 || t >= 32 || went[0].size() == 32) << "of the first warp all have come past it";
            };
            come(0);
            if (t % 2 == 0) come(1);  // the others wait where the branches meet again
            EXPECT_TRUE(t >= 32 || went[2].empty());
            come(2);
            __syncthreads();
        });
        ASSERT_EQ(error, "");
        EXPECT_EQ(went[1].size(), kThreads / 2);
        for (const std::string& all : went) {
            const std::string first = all.substr(0, all.size() / 2);
            EXPECT_LT(*std::ranges::max_element(first), '0' + 32) << "the first warp is first";
            EXPECT_EQ(all[0], '0') << "and of it the first lane";
        }
    }
}

TEST(InStep, a_scan_is_right_that_nothing_else_keeps_in_step) {
    for (const Order order : kOrders) {
        std::uint32_t s[32];
        const std::string error = run(launch_of(32, order), [&] {
            const std::uint32_t t = threadIdx.x;
            s[t] = t;
            for (std::uint32_t turn = 0, d = 1; d < 32; ++turn, d *= 2) {
                if (t < d) continue;
                keep_in_step(2 * turn);
                const std::uint32_t sum = s[t] + s[t - d];
                keep_in_step(2 * turn + 1);
                s[t] = sum;
            }
        });
        ASSERT_EQ(error, "");
        for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(s[t], t * (t + 1) / 2);
    }
}

TEST(InStep, who_waits_elsewhere_is_waited_for_and_a_deadlock_is_still_told) {
    const std::string error = run(launch_of(64), [&] {
        if (threadIdx.x % 2 == 0) keep_in_step(threadIdx.x);
        __syncwarp();
        keep_in_step(0);
        __syncthreads();
    });
    EXPECT_EQ(error, "");
    const std::string hangs = run(launch_of(32), [&] {
        keep_in_step(0);
        if (threadIdx.x == 3) __syncwarp();
        if (threadIdx.x != 3) __syncthreads();
    });
    EXPECT_TRUE(says(hangs, "hangs")) << hangs;
}

/// The sum of a warp, by the textbook.
int warp_sum(int value) {
    for (unsigned offset = warpSize / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(full_mask(warpSize), value, offset);
    return value;
}

TEST(Shuffles, in_a_branch_that_other_warps_do_not_take) {
    for (const Order order : kOrders)
        for (const std::uint32_t block : {32u, 64u, 128u, 1024u}) {
            int sum = 0, others = 0;
            const std::string error = run(launch_of(block, order), [&] {
                int value = static_cast<int>(threadIdx.x);
                if (threadIdx.x < 32) {
                    value = warp_sum(value);
                } else {
                    ++others;
                }
                __syncthreads();
                if (threadIdx.x == 0) sum = value;
            });
            ASSERT_EQ(error, "");
            EXPECT_EQ(sum, 31 * 32 / 2);
            EXPECT_EQ(others, static_cast<int>(block) - 32);
        }
}

TEST(Shuffles, after_the_other_lanes_returned) {
    for (const Order order : kOrders) {
        int sum = 0;
        const std::string error = run(launch_of(100, order), [&] {
            if (threadIdx.x >= 16) return;
            int value = 1 << threadIdx.x;
            for (unsigned offset = 8; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffu, value, offset, 16);
            if (threadIdx.x == 0) sum = value;
        });
        ASSERT_EQ(error, "");
        EXPECT_EQ(sum, 0xffff);
    }
}

TEST(Shuffles, in_a_warp_that_is_not_full) {
    for (const Order order : kOrders)
        for (const std::uint32_t warp_size : kWarpSizes)
            for (std::uint32_t block = 1; block <= 70; ++block) {
                int wrong = 0;
                const std::string error = run(launch_of(block, order, warp_size), [&] {
                    const std::uint32_t t = threadIdx.x, first = t / warpSize * warpSize;
                    const std::uint32_t here = std::min(warpSize, block - first);  // lanes that this warp has
                    for (std::uint32_t delta = 0; delta < warpSize; ++delta) {
                        const std::uint32_t source = t - first + delta;
                        const std::uint32_t got = __shfl_down_sync(full_mask(warpSize), t, delta);
                        // A lane that is not there gives nothing to read; the caller keeps its own value.
                        wrong += got != (source < here ? first + source : t);
                    }
                });
                ASSERT_EQ(error, "");
                ASSERT_EQ(wrong, 0) << "block of " << block << ", warps of " << warp_size;
            }
}

TEST(Shuffles, between_groups_that_come_one_after_the_other) {
    // After a shuffle of the whole warp its halves go on by themselves: nobody may lose what the first one handed over.
    for (const Order order : kOrders)
        for (unsigned split = 1; split < 32; ++split) {
            int wrong = 0;
            const std::string error = run(launch_of(32, order), [&] {
                const unsigned lane = threadIdx.x, low = (1u << split) - 1;
                const unsigned half = lane < split ? low : ~low;
                const unsigned first = lane < split ? 0 : split, last = lane < split ? split - 1 : 31;
                for (unsigned round = 0; round < 3; ++round) {
                    wrong += __shfl_xor_sync(0xffffffffu, lane + round, 1) != (lane ^ 1) + round;
                    wrong += __shfl_down_sync(half, 100 * lane, 1) != 100 * (lane + 1) && lane != last;
                    wrong += __shfl_sync(half, lane + 7, first) != first + 7;
                }
            });
            ASSERT_EQ(error, "");
            ASSERT_EQ(wrong, 0) << "split at " << split << ", order " << static_cast<int>(order);
        }
}

TEST(Shuffles, of_sixteen_pairs_at_once) {
    for (const Order order : kOrders) {
        int wrong = 0;
        const std::string error = run(launch_of(64, order), [&] {
            const unsigned lane = threadIdx.x % 32;
            const unsigned pair = 1u << lane | 1u << (lane ^ 16);
            for (unsigned round = 0; round < 4; ++round)
                wrong += __shfl_xor_sync(pair, threadIdx.x * 10 + round, 16) != (threadIdx.x ^ 16) * 10 + round;
        });
        ASSERT_EQ(error, "");
        ASSERT_EQ(wrong, 0);
    }
}

TEST(Shuffles, with_a_width_wider_than_the_warp_or_none_keep_to_the_warp) {
    int wrong = 0;
    const std::string error = run(launch_of(8, Order::kAscending, 4), [&] {
        const unsigned t = threadIdx.x, lane = t % 4;
        wrong += __shfl_down_sync(0xfu, t, 16, 32) != t;
        wrong += __shfl_down_sync(0xfu, t, 2, 32) != (lane < 2 ? t + 2 : t);
        wrong += __shfl_xor_sync(0xfu, t, 16, 32) != t;
        wrong += __shfl_sync(0xfu, t, 1, 0) != t;
    });
    EXPECT_EQ(error, "");
    EXPECT_EQ(wrong, 0);
}

// ---- __syncwarp and masks

TEST(SyncWarp, separates_reads_from_writes) {
    for (const std::uint32_t warp_size : kWarpSizes)
        for (const Order order : kOrders)
            for (const std::uint32_t block : {1u, 4u, 5u, 32u, 50u, 256u}) {
                std::vector<std::uint32_t> cells(block);
                int wrong = 0;
                const std::string error = run(launch_of(block, order, warp_size), [&] {
                    const std::uint32_t t = threadIdx.x, first = t / warpSize * warpSize;
                    const std::uint32_t last = std::min(first + warpSize, block) - 1;
                    for (std::uint32_t round = 1; round < 4; ++round) {
                        cells[t] = round * 1000 + t;
                        __syncwarp();
                        const std::uint32_t other = t == last ? first : t + 1;
                        wrong += cells[other] != round * 1000 + other;
                        __syncwarp();
                    }
                });
                ASSERT_EQ(error, "");
                ASSERT_EQ(wrong, 0) << "block of " << block << ", warps of " << warp_size;
            }
}

TEST(SyncWarp, leaves_one_event_a_warp_with_the_lowest_lane) {
    for (const Order order : kOrders) {
        std::vector<std::uint32_t> threads;
        const BlockDone done = [&](std::uint32_t, std::uint32_t, probe::BlockLog& log) {
            for (std::uint32_t i = 0; i < log.size(); ++i) {
                EXPECT_EQ(probe::kind_of(log.data()[i].what), probe::RawKind::kWarpSync);
                threads.push_back(probe::thread_of(log.data()[i].what));
            }
        };
        const std::string error = run(
            launch_of(70, order),
            [] {
                const unsigned mask = threadIdx.x < 32 ? 0xff00ff00u : 0xffffffffu;
                if (threadIdx.x == 32) return;
                if (mask >> threadIdx.x % 32 & 1) __syncwarp(mask);
            },
            done);
        ASSERT_EQ(error, "");
        std::sort(threads.begin(), threads.end());
        EXPECT_EQ(threads, (std::vector<std::uint32_t>{8, 33, 64}));
    }
}

TEST(SyncWarp, is_left_out_where_asked) {
    Launch launch = launch_of(4);
    std::vector<int> cells(4);
    int seen = 0, line = 0;
    const auto kernel = [&] {
        cells[threadIdx.x] = 1;
        line = __LINE__ + 1;
        __syncwarp();
        seen += cells[(threadIdx.x + 1) % 4];
    };
    ASSERT_EQ(run(launch, kernel), "");
    EXPECT_EQ(seen, 4);
    launch.without_barrier_line = static_cast<std::uint16_t>(line);
    cells.assign(4, 0);
    seen = 0;
    ASSERT_EQ(run(launch, kernel), "");
    EXPECT_EQ(seen, 1);
}

TEST(ActiveMask, has_the_lanes_that_have_not_returned) {
    std::vector<unsigned> masks(40);
    const std::string error = run(launch_of(40), [&] {
        if (threadIdx.x % 2 == 1) return;
        __syncthreads();
        masks[threadIdx.x] = __activemask();
    });
    EXPECT_EQ(error, "");
    EXPECT_EQ(masks[0], 0x55555555u);
    EXPECT_EQ(masks[32], 0x55u);
}

// ---- Votes and reductions

TEST(Votes, say_what_the_lanes_of_the_mask_said) {
    for (const Order order : kOrders) {
        int wrong = 0;
        const std::string error = run(launch_of(40, order), [&] {
            const unsigned t = threadIdx.x, lane = t % 32, mask = lane % 2 == 0 ? 0x55555555u : 0xaaaaaaaau;
            const unsigned here = mask & (t < 32 ? 0xffffffffu : 0xffu);
            wrong += __ballot_sync(mask, lane < 5) != (0x1fu & here);
            wrong += __any_sync(mask, lane == 4) != (lane % 2 == 0);
            wrong += __all_sync(mask, lane % 2) != static_cast<int>(lane % 2);
            const unsigned third = 0x49249249u << lane % 3;  // every third lane
            wrong += __match_any_sync(mask, lane % 3) != (third & here);
            int same = 0;
            wrong += __match_all_sync(mask, lane % 2, &same) != here || same != 1;
            wrong += __match_all_sync(mask, lane, &same) != 0 || same != 0;
        });
        ASSERT_EQ(error, "");
        EXPECT_EQ(wrong, 0) << "order " << static_cast<int>(order);
    }
}

TEST(Votes, of_the_block_count_those_that_are_there) {
    for (const Order order : kOrders) {
        int wrong = 0;
        const std::string error = run(launch_of(70, order), [&] {
            const unsigned t = threadIdx.x;
            if (t == 69) return;
            wrong += __syncthreads_count(t % 2) != 34;
            wrong += __syncthreads_and(t < 69) != 1;
            wrong += __syncthreads_and(t < 68) != 0;
            wrong += __syncthreads_or(t == 5) != 1;
            wrong += __syncthreads_or(t == 69) != 0;
        });
        ASSERT_EQ(error, "");
        EXPECT_EQ(wrong, 0) << "order " << static_cast<int>(order);
    }
}

TEST(Reductions, of_a_warp_take_the_lanes_of_the_mask) {
    int wrong = 0;
    const std::string error = run(launch_of(32), [&] {
        const int lane = static_cast<int>(threadIdx.x), even = lane % 2 == 0;
        const unsigned mask = even ? 0x55555555u : 0xaaaaaaaau;
        wrong += __reduce_add_sync(mask, lane) != (even ? 240 : 256);
        wrong += __reduce_min_sync(mask, 5 - lane) != (even ? -25 : -26);
        wrong += __reduce_max_sync(mask, 5 - lane) != (even ? 5 : 4);
        wrong += __reduce_and_sync(mask, 0xf0u + threadIdx.x % 2) != (even ? 0xf0u : 0xf1u);
        wrong += __reduce_or_sync(mask, 1u << threadIdx.x) != mask;
        wrong += __reduce_xor_sync(mask, threadIdx.x == 3 ? 6u : 0u) != (even ? 0u : 6u);
    });
    EXPECT_EQ(error, "");
    EXPECT_EQ(wrong, 0);
}

TEST(Atomics, give_what_was_there) {
    int cell = 12, wrong = 0;
    const std::string error = run(launch_of(1), [&] {
        wrong += atomicAdd(&cell, 3) != 12;
        wrong += atomicSub(&cell, 1) != 15;
        wrong += atomicMin(&cell, 20) != 14;
        wrong += atomicMax(&cell, 20) != 14;
        wrong += atomicAnd(&cell, 0x1c) != 20;
        wrong += atomicOr(&cell, 1) != 20;
        wrong += atomicXor(&cell, 5) != 21;
    });
    EXPECT_EQ(error, "");
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(cell, 16);
}

}  // namespace
}  // namespace warptree::simt
