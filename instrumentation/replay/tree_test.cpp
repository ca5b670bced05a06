// The tree, derived from provenance.
#include <vector>

#include <gtest/gtest.h>

#include "instrumentation/replay/replay.hpp"
#include "instrumentation/trace/testing.hpp"

namespace warptree::replay {
namespace {

using trace::kNoEvent;
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

TEST(Tree, of_the_simple_kernel) {
    const trace::Trace trace = trace::testing::simple_trace(trace::testing::textbook_input(8), 4);
    const std::vector<Node> nodes = tree(trace, 0);
    ASSERT_EQ(nodes.size(), 7u);

    // Step 0: thread t adds elements 2t and 2t + 1
    for (std::uint32_t t = 0; t < 4; ++t) {
        EXPECT_EQ(nodes[t].step, 0u);
        EXPECT_EQ(nodes[t].thread, t);
        EXPECT_EQ(nodes[t].left, (Place{0, 2 * t}));
        EXPECT_EQ(nodes[t].right, (Place{0, 2 * t + 1}));
        EXPECT_EQ(nodes[t].written, (Place{0, 2 * t}));
        EXPECT_EQ(nodes[t].left_from, kNoEvent);
        EXPECT_EQ(nodes[t].right_from, kNoEvent);
    }
    // Step 1: what threads 0 and 1, 2 and 3 made meets
    EXPECT_EQ(nodes[4].left_from, static_cast<std::int32_t>(nodes[0].row));
    EXPECT_EQ(nodes[4].right_from, static_cast<std::int32_t>(nodes[1].row));
    EXPECT_EQ(nodes[5].thread, 2u);
    EXPECT_EQ(nodes[5].left_from, static_cast<std::int32_t>(nodes[2].row));
    EXPECT_EQ(nodes[5].right_from, static_cast<std::int32_t>(nodes[3].row));
    // Step 2: the root
    EXPECT_EQ(nodes[6].left_from, static_cast<std::int32_t>(nodes[4].row));
    EXPECT_EQ(nodes[6].right_from, static_cast<std::int32_t>(nodes[5].row));
    EXPECT_EQ(nodes[6].right, (Place{0, 4}));
}

TEST(Tree, follows_values_through_copies_and_shuffles) {
    TraceBuilder builder(launch(4));
    const auto in = builder.array("input", Space::kGlobal, Role::kInput, 4, std::vector<double>{1, 2, 3, 4});
    const auto s = builder.array("s", Space::kShared, Role::kScratch, 4);
    builder.step(Phase::kTree, 2, 1);
    builder.step(Phase::kTree, 1, 2);
    const At a0{0, 0, 0, 1}, a1{0, 0, 1, 1}, b0{0, 1, 0, 2};
    const Register first = builder.combine(a0, builder.read(a0, in, 0), builder.read(a0, in, 2));
    const Register second = builder.combine(a1, builder.read(a1, in, 1), builder.read(a1, in, 3));
    builder.write(a1, s, 1, second);
    const Register copied = builder.read(a1, s, 1);
    builder.write(a1, s, 3, copied);
    const Register fetched = builder.read(a1, s, 3);
    const Register received = builder.shuffle(b0, 1, fetched);
    const Register root = builder.combine(b0, first, received);
    builder.combine(b0, root, Register{0, kNoEvent});
    const trace::Trace trace = builder.build();
    const std::vector<Node> nodes = tree(trace, 0);
    ASSERT_EQ(nodes.size(), 4u);
    EXPECT_EQ(nodes[0].written, std::nullopt);
    EXPECT_EQ(nodes[1].written, (Place{s, 1}));
    EXPECT_EQ(nodes[2].left, std::nullopt);  // in a register
    EXPECT_EQ(nodes[2].left_from, static_cast<std::int32_t>(nodes[0].row));
    EXPECT_EQ(nodes[2].right, std::nullopt);  // from another lane's register
    EXPECT_EQ(nodes[2].right_from, static_cast<std::int32_t>(nodes[1].row));
    EXPECT_EQ(nodes[3].left_from, static_cast<std::int32_t>(nodes[2].row));
    EXPECT_EQ(nodes[3].right_from, kNoEvent);
}

TEST(Tree, a_result_stored_in_a_later_step_is_written_there) {
    TraceBuilder builder(launch(1));
    const auto in = builder.array("input", Space::kGlobal, Role::kInput, 2);
    const auto out = builder.array("output", Space::kGlobal, Role::kOutput, 1);
    builder.step(Phase::kTree, 1, 1);
    builder.step(Phase::kOutput, 0, 2);
    const At at{0, 0, 0, 1};
    const Register sum = builder.combine(at, builder.read(at, in, 0), builder.read(at, in, 1));
    builder.reduction({0, 1, 0, 2}, out, 0, sum);
    const trace::Trace trace = builder.build();
    EXPECT_EQ(tree(trace, 0).at(0).written, (Place{out, 0}));
}

TEST(Tree, a_result_stored_twice_is_written_where_it_went_first) {
    TraceBuilder builder(launch(1));
    const auto out = builder.array("output", Space::kGlobal, Role::kOutput, 2);
    builder.step(Phase::kTree, 1, 1);
    const At at{0, 0, 0, 1};
    const Register sum = builder.combine(at, builder.read(at, out, 0), builder.read(at, out, 1));
    builder.write(at, out, 1, sum);
    builder.write(at, out, 0, sum);
    const trace::Trace trace = builder.build();
    EXPECT_EQ(tree(trace, 0).at(0).written, (Place{out, 1}));
}

TEST(Tree, of_one_block_of_several) {
    TraceBuilder builder(launch(1, 2));
    const auto in = builder.array("input", Space::kGlobal, Role::kInput, 4, std::vector<double>{1, 2, 3, 4});
    const auto sums = builder.array("sums", Space::kGlobal, Role::kScratch, 2);
    builder.step(Phase::kTree, 1, 1);
    builder.step(Phase::kTree, 1, 2);
    for (std::uint32_t b = 0; b < 2; ++b) {
        const At at{b, 0, 0, 1};
        builder.write(at, sums, b, builder.combine(at, builder.read(at, in, 2 * b), builder.read(at, in, 2 * b + 1)));
    }
    const At last{0, 1, 0, 2};  // the block that finishes last need not have the highest number
    builder.combine(last, builder.read(last, sums, 0), builder.read(last, sums, 1));
    const trace::Trace trace = builder.build();
    const std::vector<Node> first = tree(trace, 0), second = tree(trace, 1);
    ASSERT_EQ(first.size(), 2u);
    ASSERT_EQ(second.size(), 1u);
    EXPECT_EQ(first[1].left_from, static_cast<std::int32_t>(first[0].row));
    EXPECT_EQ(first[1].right_from, static_cast<std::int32_t>(second[0].row));
    EXPECT_EQ(second[0].left, (Place{in, 2}));
}

}  // namespace
}  // namespace warptree::replay
