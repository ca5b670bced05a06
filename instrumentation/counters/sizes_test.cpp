// Tests of bank conflicts for elements of 1, 2, 4 and 8 bytes, against what NVIDIA's profiler counted on an H100
// (l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum; stores gave the same): one warp, lane t at element
// t * stride, all 32 lanes active or the first 20.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "instrumentation/counters/pattern.hpp"

namespace warptree::counters {
namespace {

struct Measured {
    std::uint32_t size, stride;  // bytes; elements
    std::uint32_t whole, first20;
};
constexpr Measured kMeasured[] = {
    {1, 0, 0, 0},  {1, 1, 0, 0},   {1, 2, 0, 0},    {1, 3, 0, 0},    {1, 4, 0, 0}, {1, 8, 1, 1}, {1, 16, 3, 2},
    {1, 32, 7, 4}, {2, 0, 0, 0},   {2, 1, 0, 0},    {2, 2, 0, 0},    {2, 3, 1, 0}, {2, 4, 1, 1}, {2, 8, 3, 2},
    {2, 16, 7, 4}, {2, 32, 15, 9}, {4, 0, 0, 0},    {4, 1, 0, 0},    {4, 2, 1, 1}, {4, 3, 0, 0}, {4, 4, 3, 2},
    {4, 8, 7, 4},  {4, 16, 15, 9}, {4, 32, 31, 19}, {8, 0, 0, 0},    {8, 1, 0, 0}, {8, 2, 2, 1}, {8, 3, 0, 0},
    {8, 4, 6, 3},  {8, 8, 14, 8},  {8, 16, 30, 18}, {8, 32, 30, 18},
};

/// Lanes first to last - 1 of such an access.
std::uint32_t counted(std::uint32_t size, std::uint32_t stride, std::uint32_t first, std::uint32_t last) {
    std::vector<std::uint32_t> elements;
    for (std::uint32_t lane = first; lane < last; ++lane) elements.push_back(lane * stride);
    return conflicts(elements, size);
}

TEST(Sizes, conflicts_are_those_of_the_hardware) {
    for (const auto [size, stride, whole, first20] : kMeasured) {
        const auto access = [&, size = size, stride = stride](std::uint32_t lanes) {
            if (size < 8) return counted(size, stride, 0, lanes);
            return counted(size, stride, 0, 16) + counted(size, stride, 16, lanes);  // half a warp at a time
        };
        EXPECT_EQ(access(32), whole) << size << " bytes, stride " << stride;
        EXPECT_EQ(access(20), first20) << size << " bytes, stride " << stride;
    }
}

TEST(Sizes, footprints_follow_from_byte_addresses) {
    std::vector<std::uint32_t> lanes(32);
    const auto touched = [&](std::uint32_t size, std::uint32_t stride) {
        for (std::uint32_t lane = 0; lane < 32; ++lane) lanes[lane] = lane * stride;
        return footprint(lanes, size);
    };
    EXPECT_EQ(touched(1, 1).segments, 1u);
    EXPECT_EQ(touched(1, 1).sectors, 1u);
    EXPECT_EQ(touched(1, 4).sectors, 4u);
    EXPECT_EQ(touched(2, 1).sectors, 2u);
    EXPECT_EQ(touched(8, 1).segments, 2u);
    EXPECT_EQ(touched(8, 1).sectors, 8u);
    EXPECT_EQ(touched(8, 16).segments, 32u);
}

}  // namespace
}  // namespace warptree::counters
