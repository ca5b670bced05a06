// Source lanes of the four shuffles, for both backends. Source: PTX ISA, shfl.sync.
#pragma once

#include <cstdint>

namespace warptree::simt {

/// `width` splits the warp into groups. A source outside the group gives the lane itself. As in shfl.sync, five bits of
/// `by` count.
constexpr std::uint32_t down_source(std::uint32_t lane, std::uint32_t by, std::uint32_t width) {
    return lane % width + (by & 31) < width ? lane + (by & 31) : lane;
}
constexpr std::uint32_t up_source(std::uint32_t lane, std::uint32_t by, std::uint32_t width) {
    return lane % width >= (by & 31) ? lane - (by & 31) : lane;
}
constexpr std::uint32_t xor_source(std::uint32_t lane, std::uint32_t by, std::uint32_t width) {
    return (lane ^ (by & 31)) / width <= lane / width ? lane ^ (by & 31) : lane;
}
constexpr std::uint32_t index_source(std::uint32_t lane, std::uint32_t by, std::uint32_t width) {
    return lane / width * width + by % width;
}

}  // namespace warptree::simt
