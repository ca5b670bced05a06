// Tests of last-block: its figures by hand, its order, and what memory shows of other blocks' sums.
#include <gtest/gtest.h>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/graph/folds.hpp"
#include "instrumentation/replay/replay.hpp"
#include "kernels/catalog.hpp"
#include "kernels/testing.hpp"

namespace warptree::kernels {
namespace {

/// 16 elements in 4 blocks of 2 threads: one warp of 4 lanes, half full, in each block.
trace::Trace small(std::string op = "sum") {
    return testing::only_launch(testing::recorded({.kernel = "last-block",
                                                   .n = 16,
                                                   .block = 2,
                                                   .warp_size = 4,
                                                   .type = value::Type::kInt32,
                                                   .op = std::move(op),
                                                   .input = "ramp"}));
}

TEST(LastBlock, figures_of_16_elements_by_hand) {
    const trace::Trace trace = small();
    const counters::Summary summary = counters::count(trace);
    ASSERT_EQ(trace.steps.size(), 6u);  // load; 1; the block sums, two each; 1; output
    const counters::Counters& load = summary.steps[0];
    EXPECT_EQ(load.operations, 8u);  // 2 threads of 4 blocks
    EXPECT_EQ(load.global_ld.requests, 8u);
    const counters::Counters& tree = summary.steps[1];
    EXPECT_EQ(tree.operations, 4u);
    EXPECT_EQ(tree.global_st.requests, 4u);    // block_sums
    EXPECT_EQ(tree.global_atom.requests, 4u);  // tickets
    EXPECT_EQ(tree.global_atom.sectors, 4u);
    EXPECT_EQ(tree.barriers, 8u - 4u);  // the vote; the loop's own barrier stands before its step
    EXPECT_EQ(summary.steps[2].operations, 2u);
    EXPECT_EQ(summary.steps[2].global_ld.requests, 1u);  // block_sums[0] and [1], by one warp
    EXPECT_EQ(summary.steps[2].active_warps, 1u);
    EXPECT_EQ(summary.steps[3].operations, 2u);
    EXPECT_EQ(summary.steps[4].operations, 1u);
    EXPECT_EQ(summary.steps[5].global_st.requests, 1u);
    EXPECT_EQ(summary.totals.barriers, 9u);  // two in each block, one more in the last
    EXPECT_EQ(summary.totals.global_red.requests, 0u);
    EXPECT_EQ(judge::result(run_of(trace)).text(0), "120");
}

TEST(LastBlock, adds_the_block_sums_in_one_order) {
    const trace::Trace trace = small();
    std::uint32_t output = 0;
    for (std::uint32_t row = 0; row < trace.rows(); ++row)
        if (trace.kind(row) == trace::Kind::kWrite && trace.array(row) == 1) output = row;
    EXPECT_EQ(trace.block[output], 3u);
    EXPECT_EQ(graph::expression(graph::build(trace), 0, output),
              "(((identity + ((x0 + x2) + (x1 + x3))) + ((x8 + x10) + (x9 + x11))) + "
              "((identity + ((x4 + x6) + (x5 + x7))) + ((x12 + x14) + (x13 + x15))))");
}

TEST(LastBlock, memory_shows_the_sums_that_the_last_block_read) {
    const trace::Trace trace = small();
    const replay::Memory last(trace, 3), first(trace, 0);
    ASSERT_EQ(trace.arrays[2].name, "block_sums");
    const std::size_t end = trace.steps.size();
    EXPECT_EQ(last.text(2, 0, 2), "0");  // not read yet
    EXPECT_EQ(last.text(2, 0, end), "6");
    EXPECT_EQ(last.text(2, 1, end), "22");
    EXPECT_EQ(last.text(2, 2, end), "38");
    EXPECT_EQ(last.text(2, 3, end), "54");
    EXPECT_EQ(first.text(2, 1, end), "0");
    EXPECT_EQ(trace.final.at(2).text(3), "54");
}

TEST(LastBlock, of_too_many_blocks_is_refused_before_it_runs) {
    const auto checked = [](std::uint64_t n, std::uint32_t block) {
        return check({.kernel = "last-block", .n = n, .block = block});
    };
    ASSERT_FALSE(checked(65536, 1));
    EXPECT_EQ(
        checked(65536, 1).error().message,
        "N = 65536 makes so many blocks of 1 thread that the last one, which adds up their results, takes too many "
        "steps to record; choose a block of 8 or more.");
    EXPECT_TRUE(checked(65536, 8));
    std::uint64_t most = 2;  // of blocks of one thread: what is planned can be recorded
    while (checked(most + 2, 1)) most += 2;
    EXPECT_GT(most, 2000u);
    const auto recorded = record({.kernel = "last-block", .n = most, .block = 1});
    EXPECT_TRUE(recorded) << most << ": " << recorded.error().message;
}

}  // namespace
}  // namespace warptree::kernels
