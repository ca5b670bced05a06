// The footprint of one warp access: how many pieces of memory its lanes touch. Internal to the counters; for the GPU
// too.
//
// Lanes nearly always touch memory in ascending order; then distinct pieces are counted by comparing neighbours, with
// no set and no table. Other patterns are sorted first.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "instrumentation/counters/counters.hpp"

namespace warptree::counters {

inline constexpr std::uint32_t kSegmentShift = std::countr_zero(kSegmentBytes),
                               kSectorShift = std::countr_zero(kSectorBytes);

/// Pieces of global memory that one access touches.
struct Footprint {
    std::uint32_t segments = 0, sectors = 0, cells = 0;
};

/// Puts the elements of up to 32 lanes in ascending order.
constexpr void put_in_order(std::span<std::uint32_t> values) {
    for (std::size_t i = 1; i < values.size(); ++i) {
        const std::uint32_t value = values[i];
        std::size_t at = i;
        for (; at > 0 && values[at - 1] > value; --at) values[at] = values[at - 1];
        values[at] = value;
    }
}

/// Distinct values of (ascending >> shift).
constexpr std::uint32_t distinct(std::span<const std::uint32_t> ascending, std::uint32_t shift) {
    std::uint32_t count = ascending.empty() ? 0 : 1;
    for (std::size_t i = 1; i < ascending.size(); ++i) {
        count += (ascending[i] >> shift) != (ascending[i - 1] >> shift) ? 1 : 0;
    }
    return count;
}

/// elements  element index of each active lane, at most 32; put in ascending order by the call
/// size      bytes an element: a power of two up to 32
constexpr Footprint footprint(std::span<std::uint32_t> elements, std::uint32_t size) {
    put_in_order(elements);
    // Its logarithm; of std::countr_zero() nvcc 13 makes 32 on a GPU, whatever the number.
    const auto bits = static_cast<std::uint32_t>(std::popcount(size - 1));
    return {distinct(elements, kSegmentShift - bits), distinct(elements, kSectorShift - bits), distinct(elements, 0)};
}

/// Shared-memory passes beyond the first.
/// elements  element index of each active lane; at most 32, of 8 bytes at most 16; put in ascending order by the call
/// size      bytes an element: 1, 2, 4 or 8
constexpr std::uint32_t conflicts(std::span<std::uint32_t> words, std::uint32_t size = 4) {
    put_in_order(words);
    // Elements to words. Of two words of one element each lies as the other does: looking at the lower is enough, in
    // banks of 8 bytes, half as many.
    const std::uint32_t banks = size == 8 ? kBanks / 2 : kBanks;
    if (size < 4)
        for (std::uint32_t& word : words) word = word * size / 4;
    // Words closer together than the banks are many never meet in one.
    if (words.empty() || words.back() - words.front() < banks) return 0;
    std::uint8_t passes[kBanks] = {};
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0 && words[i] == words[i - 1]) continue;  // one word is broadcast
        most = std::max<std::uint32_t>(most, ++passes[words[i] % banks]);
    }
    return most - 1;
}

}  // namespace warptree::counters
