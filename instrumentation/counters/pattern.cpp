// The footprint of one warp access: segments, sectors, bank conflicts.
//
// Lanes nearly always touch memory in ascending order; then distinct pieces are counted by comparing neighbours, with
// no set and no table. Other patterns are sorted first.
#include "instrumentation/counters/pattern.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "instrumentation/counters/counters.hpp"

namespace warptree::counters {
namespace {

constexpr std::uint32_t kSegmentShift = std::countr_zero(kSegmentBytes), kSectorShift = std::countr_zero(kSectorBytes);

void put_in_order(std::span<std::uint32_t> values) {
    if (!std::is_sorted(values.begin(), values.end())) std::sort(values.begin(), values.end());
}

/// Distinct values of (ascending >> shift).
std::uint32_t distinct(std::span<const std::uint32_t> ascending, std::uint32_t shift) {
    std::uint32_t count = ascending.empty() ? 0 : 1;
    for (std::size_t i = 1; i < ascending.size(); ++i) {
        count += (ascending[i] >> shift) != (ascending[i - 1] >> shift) ? 1 : 0;
    }
    return count;
}

/// Distinct pieces of 2^shift bytes that elements of any size and alignment overlap.
int pieces(std::span<const std::uint32_t> first_byte, std::uint32_t size, std::uint32_t shift) {
    std::vector<std::uint64_t> touched;
    for (const std::uint32_t first : first_byte) {
        if (first == kInactive || size == 0) continue;
        const std::uint64_t last = (std::uint64_t{first} + size - 1) >> shift;
        for (std::uint64_t piece = first >> shift; piece <= last; ++piece) touched.push_back(piece);
    }
    std::sort(touched.begin(), touched.end());
    return static_cast<int>(std::unique(touched.begin(), touched.end()) - touched.begin());
}

}  // namespace

Footprint footprint(std::span<std::uint32_t> elements, std::uint32_t size) {
    put_in_order(elements);
    const auto bits = static_cast<std::uint32_t>(std::countr_zero(size));
    return {distinct(elements, kSegmentShift - bits), distinct(elements, kSectorShift - bits), distinct(elements, 0)};
}

std::uint32_t conflicts(std::span<std::uint32_t> words, std::uint32_t size) {
    put_in_order(words);
    // Elements to words. Of two words of one element each lies as the other does: looking at the lower is enough, in
    // banks of 8 bytes, half as many.
    const std::uint32_t banks = size == 8 ? kBanks / 2 : kBanks;
    if (size < 4)
        for (std::uint32_t& word : words) word = word * size / 4;
    // Words closer together than the banks are many never meet in one.
    if (words.empty() || words.back() - words.front() < banks) return 0;
    std::array<std::uint8_t, kBanks> passes{};
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0 && words[i] == words[i - 1]) continue;  // one word is broadcast
        most = std::max<std::uint32_t>(most, ++passes[words[i] % banks]);
    }
    return most - 1;
}

int segments(std::span<const std::uint32_t> first_byte, std::uint32_t size) {
    return pieces(first_byte, size, kSegmentShift);
}

int sectors(std::span<const std::uint32_t> first_byte, std::uint32_t size) {
    return pieces(first_byte, size, kSectorShift);
}

int bank_conflicts(std::span<const std::uint32_t> words) {
    std::vector<std::uint32_t> active;
    for (const std::uint32_t word : words) {
        if (word != kInactive) active.push_back(word);
    }
    return static_cast<int>(conflicts(active));
}

}  // namespace warptree::counters
