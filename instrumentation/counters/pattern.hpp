// The footprint of one warp access: how many pieces of memory its lanes touch. Internal to the counters.
#pragma once

#include <cstdint>
#include <span>

namespace warptree::counters {

/// Pieces of global memory that one access touches.
struct Footprint {
    std::uint32_t segments = 0, sectors = 0, cells = 0;
};

/// elements  element index of each active lane, at most 32; put in ascending order by the call
/// size      bytes an element: a power of two up to 32
Footprint footprint(std::span<std::uint32_t> elements, std::uint32_t size);

/// Shared-memory passes beyond the first.
/// elements  element index of each active lane; at most 32, of 8 bytes at most 16; put in ascending order by the call
/// size      bytes an element: 1, 2, 4 or 8
std::uint32_t conflicts(std::span<std::uint32_t> elements, std::uint32_t size = 4);

}  // namespace warptree::counters
