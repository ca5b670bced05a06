// Hazards: what counts as one, what does not, and how it is told.
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

constexpr Register kLiteral{1, trace::kNoEvent};

trace::Launch launch() {
    trace::Launch out;
    out.kernel = "by-hand";
    out.block = 8;
    out.warp_size = 4;
    return out;
}

/// One shared array of 8 and two steps.
struct Bench {
    TraceBuilder builder{launch()};
    std::uint8_t s = builder.array("s", Space::kShared, Role::kScratch, 8);

    Bench() {
        builder.step(Phase::kTree, 2, 10);
        builder.step(Phase::kTree, 1, 10);
    }
    std::vector<Hazard> found() const { return hazards(builder.build(), 0); }
};

TEST(Hazards, a_correct_kernel_has_none) {
    const trace::Trace trace = trace::testing::simple_trace(trace::testing::textbook_input(64), 4);
    EXPECT_TRUE(hazards(trace, 0).empty());
}

TEST(Hazards, a_read_and_a_write_without_a_barrier) {
    Bench bench;
    bench.builder.write({0, 0, 5, 10}, bench.s, 3, kLiteral);
    bench.builder.read({0, 1, 0, 11}, bench.s, 3);
    const trace::Trace trace = bench.builder.build();
    const std::vector<Hazard> found = hazards(trace, 0);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].kind, Hazard::Kind::kReadWrite);
    EXPECT_EQ(found[0].cell, (Place{bench.s, 3}));
    EXPECT_LT(found[0].first, found[0].second);
    EXPECT_EQ(trace.thread[found[0].first], 5u);
    EXPECT_EQ(trace.thread[found[0].second], 0u);
}

TEST(Hazards, a_barrier_between_keeps_them_apart) {
    Bench bench;
    bench.builder.write({0, 0, 5, 10}, bench.s, 3, kLiteral);
    bench.builder.barrier({0, 0, 0, 12});
    bench.builder.read({0, 1, 0, 11}, bench.s, 3);
    EXPECT_TRUE(bench.found().empty());
}

// A loop that reads, computes and swaps if nobody came between; and a cell that a lock guards, taken on line 9, left on
// 12
TEST(Hazards, swaps_and_what_a_lock_guards_are_none) {
    Bench loop;
    for (const std::uint16_t thread : {1, 2}) {
        loop.builder.read({0, 0, thread, 10}, loop.s, 3);
        loop.builder.swap({0, 0, thread, 11}, loop.s, 3, kLiteral);
    }
    EXPECT_TRUE(loop.found().empty());
    for (const bool left : {true, false}) {
        Bench locked;
        for (const std::uint16_t thread : {1, 2}) {
            locked.builder.write({0, 0, thread, 10}, locked.s, 3, kLiteral);
            locked.builder.swap({0, 0, thread, 9}, locked.s, 0, kLiteral);
            if (left) locked.builder.swap({0, 0, thread, 12}, locked.s, 0, kLiteral);
        }
        EXPECT_EQ(locked.found().size(), left ? 0u : 1u);
    }
}

TEST(Hazards, two_writes) {
    Bench bench;
    bench.builder.write({0, 0, 1, 10}, bench.s, 3, kLiteral);
    bench.builder.write({0, 0, 2, 10}, bench.s, 3, kLiteral);
    const std::vector<Hazard> found = bench.found();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].kind, Hazard::Kind::kWriteWrite);
}

TEST(Hazards, two_reads_one_thread_and_other_cells_are_none) {
    Bench bench;
    bench.builder.read({0, 0, 1, 10}, bench.s, 3);
    bench.builder.read({0, 0, 2, 10}, bench.s, 3);
    bench.builder.write({0, 0, 4, 10}, bench.s, 5, kLiteral);
    bench.builder.read({0, 0, 4, 10}, bench.s, 5);
    bench.builder.write({0, 0, 6, 10}, bench.s, 6, kLiteral);
    bench.builder.write({0, 0, 7, 10}, bench.s, 7, kLiteral);
    EXPECT_TRUE(bench.found().empty());
}

TEST(Hazards, a_warp_sync_parts_lanes_of_one_warp) {
    Bench bench;
    bench.builder.write({0, 0, 1, 10}, bench.s, 3, kLiteral);
    bench.builder.warp_sync({0, 0, 0, 12});
    bench.builder.read({0, 1, 2, 11}, bench.s, 3);
    EXPECT_TRUE(bench.found().empty());
}

TEST(Hazards, a_thread_does_not_clash_with_itself_where_others_come_later) {
    Bench bench;
    bench.builder.read({0, 0, 1, 10}, bench.s, 3);
    bench.builder.write({0, 0, 1, 10}, bench.s, 3, kLiteral);
    bench.builder.warp_sync({0, 0, 0, 12});
    bench.builder.read({0, 1, 2, 11}, bench.s, 3);
    EXPECT_TRUE(bench.found().empty());
}

TEST(Hazards, a_warp_sync_does_not_part_two_warps) {
    Bench bench;
    bench.builder.write({0, 0, 1, 10}, bench.s, 3, kLiteral);
    bench.builder.warp_sync({0, 0, 0, 12});
    bench.builder.warp_sync({0, 0, 4, 12});
    bench.builder.read({0, 1, 5, 11}, bench.s, 3);
    EXPECT_EQ(bench.found().size(), 1u);
}

TEST(Hazards, reductions_do_not_conflict_with_each_other_but_with_reads) {
    Bench bench;
    bench.builder.reduction({0, 0, 1, 10}, bench.s, 3, kLiteral);
    bench.builder.reduction({0, 0, 5, 10}, bench.s, 3, kLiteral);
    EXPECT_TRUE(bench.found().empty());
    bench.builder.read({0, 1, 5, 11}, bench.s, 3);
    EXPECT_EQ(bench.found().size(), 1u);
}

TEST(Hazards, the_nearest_access_is_named) {
    Bench bench;
    bench.builder.write({0, 0, 1, 10}, bench.s, 3, kLiteral);
    bench.builder.write({0, 1, 1, 10}, bench.s, 3, kLiteral);
    bench.builder.read({0, 1, 5, 11}, bench.s, 3);
    const trace::Trace trace = bench.builder.build();
    const std::vector<Hazard> found = hazards(trace, 0);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(trace.step[found[0].first], 1u);
}

TEST(Hazards, each_cell_and_interval_once) {
    Bench bench;
    for (int interval = 0; interval < 2; ++interval) {
        for (std::uint16_t t = 0; t < 8; ++t) bench.builder.write({0, 0, t, 10}, bench.s, 3, kLiteral);
        bench.builder.barrier({0, 0, 0, 12});
    }
    bench.builder.write({0, 1, 0, 10}, bench.s, 4, kLiteral);
    bench.builder.write({0, 1, 7, 10}, bench.s, 4, kLiteral);
    EXPECT_EQ(bench.found().size(), 3u);
}

std::string story(const trace::Trace& trace) {
    const std::vector<Hazard> found = hazards(trace, 0);
    return found.empty() ? "" : describe(trace, found.front());
}

TEST(Describe, says_who_where_when_and_what_mends_it) {
    Bench bench;
    bench.builder.write({0, 0, 5, 10}, bench.s, 3, kLiteral);
    bench.builder.read({0, 1, 0, 11}, bench.s, 3);
    EXPECT_EQ(story(bench.builder.build()),
              "Threads 5 (line 10, step 1) and 0 (line 11, step 2) touch s[3] with no barrier between them; thread 5 "
              "writes it, thread 0 reads it, and chance decides which comes first. A __syncthreads() between steps 1 "
              "and 2 would keep them apart.");
}

TEST(Describe, offers_a_warp_sync_within_a_warp) {
    Bench bench;
    bench.builder.write({0, 0, 2, 10}, bench.s, 3, kLiteral);
    bench.builder.read({0, 1, 0, 11}, bench.s, 3);
    EXPECT_NE(story(bench.builder.build()).find("A __syncwarp() or __syncthreads() between steps 1 and 2"),
              std::string::npos);
}

TEST(Describe, tells_one_line_from_two) {
    Bench one;
    one.builder.read({0, 0, 1, 10}, one.s, 3);
    one.builder.write({0, 0, 5, 10}, one.s, 3, kLiteral);
    EXPECT_NE(story(one.builder.build()).find("On line 10, read into a register"), std::string::npos);
    Bench two;
    two.builder.read({0, 0, 1, 12}, two.s, 3);
    two.builder.write({0, 0, 5, 10}, two.s, 3, kLiteral);
    EXPECT_NE(story(two.builder.build()).find("between lines 10 and 12"), std::string::npos);
}

TEST(Describe, of_writers_on_one_line_one_would_do) {
    for (const double second : {1., 2.}) {
        Bench bench;
        bench.builder.write({0, 0, 1, 10}, bench.s, 3, kLiteral);
        bench.builder.write({0, 0, 5, 10}, bench.s, 3, {second, trace::kNoEvent});
        const char* const told = second == 1 ? "Both write 1, so nothing hangs on that; one thread would do."
                                             : "No barrier puts in order what threads write on one line";
        EXPECT_NE(story(bench.builder.build()).find(told), std::string::npos) << told;
    }
}

TEST(Describe, says_what_an_atomic_does) {
    for (const auto& [op, does] : {std::pair("sum", "thread 1 adds to it"), {"max", "thread 1 changes it"}}) {
        Bench bench;
        bench.builder.reduction({0, 0, 1, 10}, bench.s, 3, kLiteral);
        bench.builder.read({0, 1, 5, 11}, bench.s, 3);
        trace::Trace trace = bench.builder.build();
        trace.launch.op = op;
        EXPECT_NE(story(trace).find(does), std::string::npos) << story(trace);
    }
}

TEST(Describe, names_the_barrier_that_the_run_left_out) {
    Bench bench;
    bench.builder.write({0, 0, 5, 10}, bench.s, 3, kLiteral);
    bench.builder.read({0, 1, 0, 11}, bench.s, 3);
    trace::Trace trace = bench.builder.build();
    trace.launch.without_barrier_line = 13;
    EXPECT_NE(story(trace).find("left out the barrier of line 13"), std::string::npos);
}

}  // namespace
}  // namespace warptree::replay
