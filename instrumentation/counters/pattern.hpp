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
/// words  4-byte word of each active lane, at most 32; put in ascending order by the call
std::uint32_t conflicts(std::span<std::uint32_t> words);

}  // namespace warptree::counters
