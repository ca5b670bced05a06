// Footprints of single accesses: segments, sectors, bank conflicts.
#include <array>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "instrumentation/counters/pattern.hpp"

namespace warptree::counters {
namespace {

/// Elements of the lanes up to `active`: first, first + stride, ...
std::vector<std::uint32_t> lanes(std::uint32_t first, std::uint32_t stride, std::uint32_t active = 32) {
    std::vector<std::uint32_t> out(active);
    for (std::uint32_t i = 0; i < active; ++i) out[i] = first + i * stride;
    return out;
}
/// Of elements of 4 bytes.
Footprint touched(std::vector<std::uint32_t> elements) {
    return footprint(elements, 4);
}
std::uint32_t bank_conflicts(std::vector<std::uint32_t> words) {
    return conflicts(words);
}

TEST(Segments, neighbours_share_one_line) {
    EXPECT_EQ(touched(lanes(0, 1)).segments, 1u);
    EXPECT_EQ(touched(lanes(0, 1)).sectors, 4u);
}

TEST(Segments, every_second_element_takes_two_lines) {
    EXPECT_EQ(touched(lanes(0, 2)).segments, 2u);
    EXPECT_EQ(touched(lanes(0, 2)).sectors, 8u);
}

TEST(Segments, a_shift_by_one_element_costs_one_more) {
    EXPECT_EQ(touched(lanes(1, 1)).segments, 2u);
    EXPECT_EQ(touched(lanes(1, 1)).sectors, 5u);
}

TEST(Segments, far_apart_lanes_take_a_line_each) {
    EXPECT_EQ(touched(lanes(0, 32)).segments, 32u);
    EXPECT_EQ(touched(lanes(0, 32)).sectors, 32u);
}

TEST(Segments, lanes_on_one_element_count_once) {
    EXPECT_EQ(touched(lanes(16, 0)).segments, 1u);
    EXPECT_EQ(touched(lanes(16, 0)).cells, 1u);
}

TEST(Segments, masked_lanes_do_not_count) {
    EXPECT_EQ(touched(lanes(0, 32, 3)).segments, 3u);
    EXPECT_EQ(touched(lanes(0, 1, 0)).segments, 0u);
    EXPECT_EQ(touched(lanes(0, 1, 0)).sectors, 0u);
}

TEST(BankConflicts, degrees_by_stride) {
    EXPECT_EQ(bank_conflicts(lanes(0, 1)), 0u);
    EXPECT_EQ(bank_conflicts(lanes(0, 2)), 1u);
    EXPECT_EQ(bank_conflicts(lanes(0, 3)), 0u);
    EXPECT_EQ(bank_conflicts(lanes(0, 4)), 3u);
    EXPECT_EQ(bank_conflicts(lanes(0, 32)), 31u);
    EXPECT_EQ(bank_conflicts(lanes(0, 33)), 0u);
}

TEST(BankConflicts, one_word_is_broadcast) {
    EXPECT_EQ(bank_conflicts(lanes(7, 0)), 0u);
    auto two_words = lanes(7, 0);
    two_words[5] = 39;  // the same bank, another word
    EXPECT_EQ(bank_conflicts(two_words), 1u);
}

TEST(BankConflicts, masked_lanes_do_not_count) {
    EXPECT_EQ(bank_conflicts(lanes(0, 32, 5)), 4u);
    EXPECT_EQ(bank_conflicts(lanes(0, 32, 0)), 0u);
}

/// The counting that the definitions describe, with sets.
struct Plain {
    std::set<std::uint32_t> segments, sectors, cells;
    std::array<std::set<std::uint32_t>, 32> banks;

    explicit Plain(const std::vector<std::uint32_t>& elements) {
        for (const std::uint32_t i : elements) {
            segments.insert(i * 4 / 128);
            sectors.insert(i * 4 / 32);
            cells.insert(i);
            banks[i % 32].insert(i);
        }
    }
    std::uint32_t conflicts() const {
        std::size_t most = 1;
        for (const auto& words : banks) most = std::max(most, words.size());
        return static_cast<std::uint32_t>(most - 1);
    }
};

TEST(Footprint, agrees_with_sets_on_random_accesses) {
    std::mt19937 random(7);
    for (int round = 0; round < 2000; ++round) {
        std::vector<std::uint32_t> elements(1 + random() % 32);
        const std::uint32_t span = 1u << (1 + random() % 12);
        for (std::uint32_t& element : elements) element = random() % span;
        const Plain plain(elements);
        std::vector<std::uint32_t> words = elements;
        EXPECT_EQ(conflicts(words), plain.conflicts());
        const Footprint touched = footprint(elements, 4);
        EXPECT_EQ(touched.segments, plain.segments.size());
        EXPECT_EQ(touched.sectors, plain.sectors.size());
        EXPECT_EQ(touched.cells, plain.cells.size());
    }
}

}  // namespace
}  // namespace warptree::counters
