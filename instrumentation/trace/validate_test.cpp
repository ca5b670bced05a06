// Tests of problem() beyond what a file can bring about: values made of themselves, columns of unequal length.
#include "instrumentation/trace/validate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "instrumentation/trace/file_testing.hpp"

namespace warptree::trace {
namespace {

using testing::every_kind_trace;
using ::testing::HasSubstr;

/// Two threads swap values by shuffles, over and over.
Trace swaps(std::uint16_t rounds) {
    testing::TraceBuilder builder(Launch{.kernel = "swap", .n = 2, .block = 2, .warp_size = 4});
    const auto input = builder.array("input", Space::kGlobal, Role::kInput, 2);
    testing::Register held[2];
    const auto step = builder.step(Phase::kLoad, 0, 1);
    for (std::uint16_t t = 0; t < 2; ++t) held[t] = builder.read({0, step, t, 1}, input, t);
    for (std::uint16_t round = 0; round < rounds; ++round) {
        const testing::Register zero = builder.shuffle({0, step, 0, 2}, 1, held[1]);
        held[1] = builder.shuffle({0, step, 1, 2}, 0, held[0]);
        held[0] = zero;
    }
    return builder.build();
}

TEST(Problem, AValueMadeOfItselfIsFound) {
    Trace trace = swaps(1);  // rows: 0 read, 1 shuffle of thread 0; 2 read, 3 shuffle of thread 1
    EXPECT_EQ(problem(trace), "");
    trace.a[1] = 3;
    EXPECT_EQ(problem(trace), "");
    trace.a[3] = 1;
    EXPECT_EQ(problem(trace), "a.npy, row 3: its value is made from row 1, which is made from row 3");
}

TEST(Problem, LongChainsAreFollowed) {
    Trace trace = swaps(30000);
    EXPECT_EQ(problem(trace), "");
    trace.a[1] = static_cast<std::int32_t>(trace.rows()) - 1;  // the first swap takes the last one's value
    EXPECT_THAT(problem(trace), HasSubstr("its value is made from row"));
}

/// x - y, its negation, an add and a vote.
Trace own_operators() {
    testing::TraceBuilder builder(Launch{.kernel = "own", .n = 2});
    const double numbers[] = {5, 3};
    const auto input = builder.array("input", Space::kGlobal, Role::kInput, 2, numbers);
    const testing::At at{0, builder.step(Phase::kTree, 1, 1), 0, 1};
    const testing::Register x = builder.read(at, input, 0), y = builder.read(at, input, 1);
    const testing::Register less = builder.apply(at, static_cast<Operator>(11), 2, x, y);
    builder.combine(at, builder.apply(at, Operator::kNegate, -2, less), x);
    builder.vote(at, 0xffffffffu);
    return builder.build();
}

TEST(Problem, OperatorsOfTheirOwn) {
    Trace trace = own_operators();
    EXPECT_EQ(problem(trace), "");
    EXPECT_EQ(trace.op(2), "subtract");
    EXPECT_EQ(trace.op(4), "sum");
    trace.b[3] = 0;
    EXPECT_EQ(problem(trace), "b.npy, row 3: the combine points at row 0, a read; it should be -1, none");
    trace = own_operators();
    trace.sites[0].op = Operator::kNegate;
    EXPECT_EQ(problem(trace),
              "manifest.json: sites[0] is a read of input, width 1, op negate: combines, warp_reduces and reductions "
              "alone have an op of their own");
    trace = own_operators();
    trace.launch.warp_size = 8;
    EXPECT_EQ(problem(trace), "index.npy, row 5: 4294967295 is out of range, there are 256 masks of a warp's lanes");
}

TEST(Problem, ColumnsOfDifferentLengths) {
    Trace trace = every_kind_trace();
    trace.barrier.pop_back();
    EXPECT_EQ(problem(trace), "barrier.npy has 53 rows, but has to have 54");
    trace = every_kind_trace();
    trace.final.pop_back();
    EXPECT_EQ(problem(trace), "final_2.npy is missing");
    trace = every_kind_trace();
    trace.initial[1].bytes.clear();
    EXPECT_EQ(problem(trace), "initial_2.npy holds 0 values of type float32, but output has 1 of type float32");
}

}  // namespace
}  // namespace warptree::trace
