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
              "manifest.json: sites[0] is a read with the op negate; combines, warp_reduces and reductions alone have "
              "one");
    trace = own_operators();
    trace.launch.warp_size = 8;
    EXPECT_EQ(problem(trace), "index.npy, row 5: 4294967295 is out of range, there are 256 masks of a warp's lanes");
}

TEST(Problem, AStrideIsHowFarOperandsAreApart) {
    Trace trace = every_kind_trace();
    ASSERT_EQ(trace.steps[1].stride, 2u);
    trace.steps[1].stride = 3;
    EXPECT_EQ(problem(trace), "manifest.json: steps[1].stride is 3, but operands of its adds are 2 apart");
    trace.steps[1].stride = 0;
    EXPECT_EQ(problem(trace), "manifest.json: steps[1].stride is 0, but operands of its adds are 2 apart");
    trace = every_kind_trace();
    trace.steps[2].stride = 4;  // of lanes
    EXPECT_EQ(problem(trace), "manifest.json: steps[2].stride is 4, but operands of its adds are 1 apart");
    trace = every_kind_trace();
    trace.steps[0].stride = 1;
    EXPECT_EQ(problem(trace), "manifest.json: steps[0].stride is 1, but steps of the phase load have none");
}

/// A thread's sums of a loop, and sections of 4 that the sums before them raise.
Trace sections() {
    testing::TraceBuilder builder(Launch{.kernel = "sections", .n = 12, .block = 4, .warp_size = 4});
    const auto input = builder.array("input", Space::kGlobal, Role::kInput, 12, testing::textbook_input(12));
    const auto sums = builder.array("sums", Space::kShared, Role::kScratch, 3);
    const auto output = builder.array("output", Space::kGlobal, Role::kOutput, 12);
    testing::Register sum;
    for (std::uint32_t i = 0; i < 12; i += 4) {
        const auto step = builder.step(Phase::kTree, 4, 2);
        sum = builder.combine({0, step, 0, 2}, sum, builder.read({0, step, 0, 2}, input, i));
        builder.write({0, step, 0, 3}, sums, i / 4, sum);
    }
    for (std::uint32_t i = 4; i < 12; i += 4) {
        const auto step = builder.step(Phase::kAdd, 4, 5);
        for (std::uint16_t t = 0; t < 4; ++t)
            builder.write({0, step, t, 5}, output, i + t,
                          builder.combine({0, step, t, 5}, builder.read({0, step, t, 5}, sums, i / 4 - 1),
                                          builder.read({0, step, t, 6}, input, i + t)));
    }
    return builder.build();
}

TEST(Problem, AStrideIsHowFarALoopGoesAndHowLongSectionsAre) {
    EXPECT_EQ(problem(sections()), "");
    for (const std::uint32_t stride : {1u, 3u, 5u, 8u}) {
        Trace loop = sections(), add = sections();
        for (Step& step : loop.steps)
            if (step.phase == Phase::kTree) step.stride = stride;
        for (Step& step : add.steps)
            if (step.phase == Phase::kAdd) step.stride = stride;
        EXPECT_EQ(problem(loop), "manifest.json: steps[1].stride is " + std::to_string(stride) +
                                     ", but operands of its adds are 4 apart");
        EXPECT_EQ(problem(add), "manifest.json: steps[3].stride is " + std::to_string(stride) +
                                    ", but what one sum is added to is not a section of that length");
    }
}

/// Two blocks of 4 lanes that hold two elements each: lanes scan their own, then each other's; the second block's are
/// raised by what the first tells. n: 16, or 13, of which the last three are not there.
Trace lanes_of_two(std::uint32_t n) {
    testing::TraceBuilder builder(Launch{.kernel = "lanes", .n = n, .grid = 2, .block = 4, .warp_size = 4});
    const auto input = builder.array("input", Space::kGlobal, Role::kInput, n, testing::textbook_input(n));
    const auto output = builder.array("output", Space::kGlobal, Role::kOutput, 16);
    const auto told = builder.array("told", Space::kGlobal, Role::kScratch, 2);
    const auto pack = builder.step(Phase::kScan, 1, 2), one = builder.step(Phase::kScan, 2, 3),
               two = builder.step(Phase::kScan, 4, 3), add = builder.step(Phase::kAdd, 8, 4);
    for (std::uint32_t block : {0u, 1u}) {
        testing::Register upto[4];
        for (std::uint16_t t = 0; t < 4; ++t) {
            const std::uint32_t first = 8 * block + 2 * t;
            if (first < n) upto[t] = builder.read({block, pack, t, 2}, input, first);
            if (first + 1 < n)
                upto[t] =
                    builder.combine({block, pack, t, 2}, upto[t], builder.read({block, pack, t, 2}, input, first + 1));
        }
        for (const std::uint16_t by : {1, 2}) {
            const std::uint16_t step = by == 1 ? one : two;
            testing::Register left[4];
            for (std::uint16_t t = by; t < 4; ++t) left[t] = builder.shuffle({block, step, t, 3}, t - by, upto[t - by]);
            for (std::uint16_t t = by; t < 4; ++t) upto[t] = builder.combine({block, step, t, 3}, left[t], upto[t]);
        }
        for (std::uint16_t t = 0; t < 4; ++t) {
            if (block == 0 && t == 3) builder.write({block, add, t, 4}, told, 0, upto[t]);
            if (block == 1)
                upto[t] = builder.combine({block, add, t, 4}, builder.read({block, add, t, 4}, told, 0), upto[t]);
            builder.write({block, add, t, 5}, output, 4 * block + t, upto[t]);
        }
    }
    return builder.build();
}

TEST(Problem, AStrideIsHowMuchFurtherALanesValueReaches) {
    const std::vector<std::string> why = {
        "operands of its adds are 1 apart", "a lane's values reach 2 elements further",
        "a lane's values reach 4 elements further", "a section reaches 8 elements further"};
    for (std::size_t step = 0; step < why.size(); ++step)
        for (const std::uint32_t stride : {1u, 2u, 4u, 8u, 16u, 3u, 12u}) {
            Trace trace = lanes_of_two(16);
            const bool own = trace.steps[step].stride == stride;
            trace.steps[step].stride = stride;
            EXPECT_EQ(problem(trace), own ? ""
                                          : "manifest.json: steps[" + std::to_string(step) + "].stride is " +
                                                std::to_string(stride) + ", but " + why[step]);
        }
    EXPECT_EQ(problem(lanes_of_two(13)), "");
    Trace cut = lanes_of_two(13);
    cut.steps[3].stride = 4;
    EXPECT_THAT(problem(cut), HasSubstr("a section reaches 5 elements further"));
}

/// One warp of 4: every lane adds its neighbour's cell to its register, writes it behind a synchronisation and passes
/// another; then the same with the next cell but one.
Trace lockstep() {
    testing::TraceBuilder builder(Launch{.kernel = "lockstep", .n = 8, .block = 4, .warp_size = 4});
    const auto input = builder.array("input", Space::kGlobal, Role::kInput, 8, testing::textbook_input(8));
    const auto tile = builder.array("tile", Space::kShared, Role::kScratch, 8);
    testing::Register sums[4];
    const auto load = builder.step(Phase::kLoad, 0, 1);
    for (std::uint16_t t = 0; t < 4; ++t) {
        sums[t] = builder.read({0, load, t, 1}, input, t);
        builder.write({0, load, t, 1}, tile, t, sums[t]);
        builder.write({0, load, t, 2}, tile, t + 4, builder.read({0, load, t, 2}, input, t + 4));
    }
    for (const std::uint32_t stride : {2u, 1u}) {
        const auto step = builder.step(Phase::kTree, stride, 4);
        for (std::uint16_t t = 0; t < 4; ++t)
            sums[t] = builder.combine({0, step, t, 4}, sums[t], builder.read({0, step, t, 4}, tile, t + stride));
        builder.warp_sync({0, step, 0, 5});
        for (std::uint16_t t = 0; t < 4; ++t) builder.write({0, step, t, 6}, tile, t, sums[t]);
        builder.warp_sync({0, step, 0, 7});
    }
    return builder.build();
}

TEST(Problem, WarpSynchronisationsAreThoseOfTheRows) {
    const Trace sound = lockstep();
    ASSERT_EQ(problem(sound), "");
    for (std::size_t row = 0; row < sound.rows(); ++row)
        for (const int change : {-2, -1, 1, 2, 1000}) {
            Trace trace = sound;
            trace.warp_sync[row] = static_cast<std::uint16_t>(trace.warp_sync[row] + change);
            EXPECT_THAT(problem(trace), HasSubstr("warp_sync.npy, row ")) << row << " " << change;
        }
    Trace trace = testing::simple_trace(testing::textbook_input(8), 4);
    trace.warp_sync[3] = 1;
    EXPECT_EQ(problem(trace),
              "warp_sync.npy, row 3: 1 warp synchronisations were passed, but no row is a warp synchronisation");
}

TEST(Problem, LanesMayMissASynchronisation) {
    Trace trace = lockstep();
    for (std::size_t row = 0; row < trace.rows(); ++row)  // the second was of lanes 0 to 2
        if (trace.thread[row] == 3 && trace.step[row] == 2) --trace.warp_sync[row];
    EXPECT_EQ(problem(trace), "");
}

TEST(Problem, ColumnsOfDifferentLengths) {
    Trace trace = every_kind_trace();
    trace.barrier.pop_back();
    EXPECT_EQ(problem(trace), "barrier.npy has 53 rows, but step.npy has 54");
    trace = every_kind_trace();
    trace.final.pop_back();
    EXPECT_EQ(problem(trace), "final_2.npy is missing");
    trace = every_kind_trace();
    trace.initial[1].bytes.clear();
    EXPECT_EQ(problem(trace), "initial_2.npy holds 0 values of type float32, but output has 1 of type float32");
}

}  // namespace
}  // namespace warptree::trace
