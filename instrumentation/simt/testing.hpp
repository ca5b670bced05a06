// What the tests of the executor run through.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "instrumentation/simt/executor.hpp"
#include "instrumentation/simt/simt.cuh"

namespace warptree::simt::testing {

inline constexpr Order kOrders[] = {Order::kAscending, Order::kDescending, Order::kShuffled};
inline constexpr std::uint32_t kWarpSizes[] = {4, 8, 16, 32};

inline Launch launch_of(std::uint32_t grid, std::uint32_t block, Order order = Order::kAscending,
                        std::uint32_t warp_size = 32) {
    Launch launch;
    launch.grid = grid;
    launch.block = block;
    launch.warp_size = warp_size;
    launch.order = order;
    launch.workers = 1;
    return launch;
}

/// A value goes once round the block: at each phase every thread reads what its neighbour wrote in the phase before.
/// returns  how many reads saw another phase's value
inline int wrong_reads(const Launch& launch, std::uint32_t phases) {
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

inline bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace warptree::simt::testing
