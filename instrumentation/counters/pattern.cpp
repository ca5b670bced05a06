// The footprint of one warp access by addresses that need not be aligned.
#include "instrumentation/counters/pattern.hpp"

#include <algorithm>
#include <vector>

namespace warptree::counters {
namespace {

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
