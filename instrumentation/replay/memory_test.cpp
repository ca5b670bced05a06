// Memory after each step, against the figures of the textbook and of kernels made by hand.
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "instrumentation/replay/replay.hpp"
#include "instrumentation/trace/testing.hpp"

namespace warptree::replay {
namespace {

using trace::Phase;
using trace::Role;
using trace::Space;
using trace::testing::At;
using trace::testing::Register;
using trace::testing::TraceBuilder;

trace::Launch launch(std::uint32_t block, std::uint32_t grid = 1) {
    trace::Launch out;
    out.kernel = "by-hand";
    out.block = block;
    out.grid = grid;
    out.warp_size = 4;
    return out;
}

std::vector<double> contents(const Memory& memory, std::uint8_t array, std::size_t state, std::uint32_t extent) {
    std::vector<double> out;
    for (std::uint32_t i = 0; i < extent; ++i) out.push_back(memory.value(array, i, state));
    return out;
}

TEST(Memory, simple_kernel_as_in_the_book) {
    const std::vector<double> input{6, 2, 7, 4, 5, 8, 3, 1};
    const trace::Trace trace = trace::testing::simple_trace(input, 4);
    const Memory memory(trace, 0);
    EXPECT_EQ(contents(memory, 0, 0, 8), input);
    EXPECT_EQ(contents(memory, 0, 1, 8), (std::vector<double>{8, 2, 11, 4, 13, 8, 4, 1}));
    EXPECT_EQ(contents(memory, 0, 2, 8), (std::vector<double>{19, 2, 11, 4, 17, 8, 4, 1}));
    EXPECT_EQ(contents(memory, 0, 3, 8), (std::vector<double>{36, 2, 11, 4, 17, 8, 4, 1}));
    EXPECT_EQ(memory.text(1, 0, 3), "0");
    EXPECT_EQ(memory.text(1, 0, 4), "36");
    EXPECT_EQ(memory.used(0), 7u);  // elements 0, 2, 4 and 6 are written
    EXPECT_EQ(memory.used(1), 1u);
}

TEST(Memory, a_cell_names_the_row_that_wrote_it) {
    const trace::Trace trace = trace::testing::simple_trace(trace::testing::textbook_input(8), 4);
    const Memory memory(trace, 0);
    EXPECT_EQ(memory.cell(0, 4, 0).row, Cell::kInitial);
    const Cell cell = memory.cell(0, 4, 1);
    ASSERT_NE(cell.row, Cell::kInitial);
    EXPECT_EQ(trace.kind(cell.row), trace::Kind::kWrite);
    EXPECT_EQ(trace.index[cell.row], 4u);
    EXPECT_EQ(trace.thread[cell.row], 2u);
    EXPECT_EQ(memory.cell(0, 1, 4).row, Cell::kInitial);
}

TEST(Memory, a_step_changes_the_cells_that_it_writes) {
    const trace::Trace trace = trace::testing::simple_trace(trace::testing::textbook_input(4096), 32);
    const Memory memory(trace, 0);
    ASSERT_EQ(trace.arrays[0].extent, 4096u);
    for (std::uint32_t i = 0; i < 4096; ++i) EXPECT_EQ(memory.cell(0, i, 2).row == Cell::kInitial, i % 2 == 1) << i;
}

TEST(Memory, the_last_state_is_what_the_kernel_left) {
    const trace::Trace trace = trace::testing::simple_trace(trace::testing::textbook_input(64), 8);
    const Memory memory(trace, 0);
    for (std::uint32_t i = 0; i < 64; ++i)
        EXPECT_EQ(memory.value(0, i, trace.steps.size()), trace.final[0].as_double(i));
    EXPECT_EQ(memory.value(1, 0, trace.steps.size()), trace.final[1].as_double(0));
}

TEST(Memory, shared_cells_are_undefined_until_written) {
    TraceBuilder builder(launch(4));
    const auto in = builder.array("input", Space::kGlobal, Role::kInput, 4, std::vector<double>{1, 2, 3, 4});
    const auto s = builder.array("s", Space::kShared, Role::kScratch, 1024);
    builder.step(Phase::kLoad, 0, 1);
    for (std::uint16_t t = 0; t < 3; ++t) builder.write({0, 0, t, 1}, s, t, builder.read({0, 0, t, 1}, in, t));
    const trace::Trace trace = builder.build();
    const Memory memory(trace, 0);
    EXPECT_FALSE(memory.cell(s, 0, 0).defined);
    EXPECT_EQ(memory.text(s, 0, 0), "");
    EXPECT_TRUE(std::isnan(memory.value(s, 0, 0)));
    EXPECT_EQ(memory.text(s, 2, 1), "3");
    EXPECT_FALSE(memory.cell(s, 3, 1).defined);
    EXPECT_EQ(memory.used(s), 3u);
    EXPECT_EQ(memory.used(in), 0u);
}

TEST(Memory, a_block_sees_its_own_writes_and_its_own_shared_memory) {
    TraceBuilder builder(launch(1, 2));
    const auto out = builder.array("output", Space::kGlobal, Role::kOutput, 2, std::vector<double>{7, 8});
    const auto s = builder.array("s", Space::kShared, Role::kScratch, 1);
    builder.step(Phase::kLoad, 0, 1);
    for (std::uint32_t b = 0; b < 2; ++b) {
        builder.write({b, 0, 0, 1}, s, 0, Register{10.0 + b, trace::kNoEvent});
        builder.write({b, 0, 0, 2}, out, b, builder.read({b, 0, 0, 2}, s, 0));
    }
    const trace::Trace trace = builder.build();
    const Memory first(trace, 0), second(trace, 1);
    EXPECT_EQ(contents(first, out, 1, 2), (std::vector<double>{10, 8}));
    EXPECT_EQ(contents(second, out, 1, 2), (std::vector<double>{7, 11}));
    EXPECT_EQ(first.text(s, 0, 1), "10");
    EXPECT_EQ(second.text(s, 0, 1), "11");
}

TEST(Memory, a_later_barrier_interval_wins_over_a_later_thread) {
    TraceBuilder builder(launch(4));
    const auto s = builder.array("s", Space::kShared, Role::kScratch, 1);
    builder.step(Phase::kTree, 0, 1);
    builder.write({0, 0, 3, 1}, s, 0, Register{3, trace::kNoEvent});
    builder.barrier({0, 0, 0, 2});
    builder.write({0, 0, 0, 3}, s, 0, Register{1, trace::kNoEvent});
    const trace::Trace trace = builder.build();
    EXPECT_EQ(Memory(trace, 0).text(s, 0, 1), "1");
}

trace::Trace reductions(const std::string& op, value::Type type) {
    trace::Launch with = launch(4);
    with.op = op;
    with.type = type;
    TraceBuilder builder(with);
    const auto out = builder.array("output", Space::kGlobal, Role::kOutput, 1, std::vector<double>{5});
    builder.step(Phase::kOutput, 0, 1);
    for (std::uint16_t t = 0; t < 4; ++t) builder.reduction({0, 0, t, 1}, out, 0, Register{t + 2.0, trace::kNoEvent});
    return builder.build();
}

TEST(Memory, reductions_are_folded_into_what_the_cell_held) {
    for (const value::Type type : {value::Type::kFloat32, value::Type::kInt32}) {
        EXPECT_EQ(Memory(reductions("sum", type), 0).text(0, 0, 0), "5");
        const auto after = [&](const char* op) {
            const trace::Trace trace = reductions(op, type);
            return Memory(trace, 0).text(0, 0, 1);
        };
        EXPECT_EQ(after("sum"), "19");
        EXPECT_EQ(after("product"), "600");
        EXPECT_EQ(after("min"), "2");
        EXPECT_EQ(after("max"), "5");
        EXPECT_EQ(after("no such operator"), "?");
    }
}

TEST(Memory, a_large_untouched_array_costs_one_page) {
    TraceBuilder builder(launch(1));
    const auto in = builder.array("input", Space::kGlobal, Role::kInput, 1u << 20);
    for (std::uint16_t i = 0; i < 100; ++i) {
        builder.step(Phase::kTree, 1, 1);
        builder.write({0, i, 0, 1}, in, i * 10000u, Register{1, trace::kNoEvent});
    }
    const trace::Trace trace = builder.build();
    const Memory memory(trace, 0);
    std::vector<const Cell*> pages;
    for (std::size_t state = 0; state <= 100; ++state) {
        for (std::uint32_t i = 0; i < (1u << 20); i += kPage) pages.push_back(&memory.cell(in, i, state));
    }
    std::sort(pages.begin(), pages.end());
    pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
    EXPECT_LE(pages.size(), 101u);
    EXPECT_EQ(memory.cell(in, 990000, 99).row, Cell::kInitial);
    EXPECT_NE(memory.cell(in, 990000, 100).row, Cell::kInitial);
}

TEST(MemoryDeathTest, a_state_past_the_end_stops_with_both_numbers) {
    const trace::Trace trace = trace::testing::simple_trace(trace::testing::textbook_input(8), 4);
    const Memory memory(trace, 0);
    EXPECT_DEATH(memory.cell(0, 0, 5), "state 5 of 5");
    EXPECT_DEATH(memory.cell(2, 0, 0), "array 2 of 2");
    EXPECT_DEATH(memory.cell(0, 8, 0), "cell 8 of 8");
}

}  // namespace
}  // namespace warptree::replay
