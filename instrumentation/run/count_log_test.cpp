// Counting where events lie, on logs made by hand as a GPU leaves them: each warp speaks for itself. That all kernels
// are counted so as by their rows, kept_test.cpp shows.
#include "instrumentation/run/count_log.cuh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warptree::kernels {
namespace {

using probe::RawKind;

/// Two warps of two threads: each thread reads element 40 t, and after a marker adds and waits for the others.
class LoggedByHand : public ::testing::Test {
protected:
    LoggedByHand() : head_(kThreads * kEvents), mark_head_(2 * kMarks), tail_(head_.size()), mark_tail_(2 * kMarks) {
        for (std::uint32_t thread = 0; thread < kThreads; ++thread) {
            event(0, thread, RawKind::kRead, 0, 10, 0, 40 * thread);
            event(1, thread, RawKind::kCombine, probe::kLaunchOperator, 12, probe::kOneMarker, 0);
        }
        for (const std::uint32_t warp : {0u, 1u}) {
            mark(warp, 0, RawKind::kMarker, 11, probe::kOneMarker, 1);
            mark(warp, 1, RawKind::kBarrier, 13, probe::kOneMarker, 0);
        }
    }
    void event(std::uint32_t at, std::uint32_t thread, RawKind kind, std::uint32_t array, std::uint32_t line,
               std::uint64_t clock, std::uint32_t index) {
        head_[at * kThreads + thread] = {probe::pack_what(kind, array, line, thread), index, probe::kNone,
                                         probe::kNone};
        tail_[at * kThreads + thread] = {clock, 0};
    }
    void mark(std::uint32_t warp, std::uint32_t at, RawKind kind, std::uint32_t line, std::uint64_t clock,
              std::uint32_t stride) {
        mark_head_[warp * kMarks + at] = {probe::pack_what(kind, probe::kNoArray, line, 2 * warp), stride, probe::kNone,
                                          probe::kNone};
        mark_tail_[warp * kMarks + at] = {clock, 0};
    }
    counters::Merger counted() {
        Cell used[2] = {};
        const Log log{.head = head_.data(),
                      .tail = tail_.data(),
                      .mark_head = mark_head_.data(),
                      .mark_tail = mark_tail_.data(),
                      .threads = kThreads,
                      .capacity = kEvents,
                      .lists = 2,
                      .marks = kMarks,
                      .warp_size = 2,
                      .sizes = 0xaaaaaaaa,  // 4 bytes each
                      .outputs = 1u << kOutput,
                      .rounds = rounds_.data(),
                      .used = used};
        for (std::uint32_t thread = 0; thread < kThreads; ++thread) survey_thread(log, 0, thread);
        for (std::uint32_t i = 0; i < 2 * kMarks; ++i) survey_mark(log, 0, i);
        StepSums sums;
        sums.make_room(rounds_);
        const StepTable steps{sums.first.data(), sums.totals.data(), sums.lines.data()};
        for (std::uint32_t thread = 0; thread < kThreads; ++thread) find_steps(log, steps, 0, thread);
        for (std::uint32_t i = 0; i < barrier_places(log); ++i) count_barrier(log, steps, 0, i);
        for (const std::uint32_t warp : {0u, 1u}) WarpCount(log, 0, warp).count(steps);
        counters::Merger all;
        sums.add_to(all, rounds_);
        return all;
    }

    static constexpr std::uint32_t kThreads = 4, kEvents = 4, kMarks = 3, kOutput = 1;
    std::vector<probe::EventHead> head_, mark_head_;
    std::vector<probe::EventTail> tail_, mark_tail_;
    std::vector<Round> rounds_ = std::vector<Round>(2);
};

TEST_F(LoggedByHand, steps_lines_and_costs) {
    const counters::Merger all = counted();
    EXPECT_EQ(all.steps(), (std::vector<trace::Step>{{trace::Phase::kLoad, 0, 10}, {trace::Phase::kTree, 1, 12}}));
    const counters::Summary summary = all.summary();
    EXPECT_EQ(summary.steps[0].global_ld, (counters::Global{2, 4, 4, 16})) << "160 bytes apart: nothing is shared";
    EXPECT_EQ(summary.steps[1].operations, 4u);
    EXPECT_EQ(summary.steps[1].active_warps, 2u);
    EXPECT_EQ(summary.steps[1].divergent_warps, 0u);
    EXPECT_EQ(summary.steps[1].barriers, 1u) << "two warps told of one barrier";
}

TEST_F(LoggedByHand, a_barrier_that_a_thread_of_a_diverged_warp_told_of_is_the_same_one) {
    event(2, 3, RawKind::kBarrier, probe::kNoArray, 13, probe::kOneMarker, 0);
    EXPECT_EQ(counted().summary().totals.barriers, 1u);
    mark_head_[1].what = mark_head_[kMarks + 1].what = 0;  // nobody else did
    EXPECT_EQ(counted().summary().totals.barriers, 1u);
    EXPECT_EQ(counted().summary().totals.operations, 4u) << "and it is no add";
}

TEST_F(LoggedByHand, a_read_that_is_stored_as_a_result_belongs_to_the_output_step) {
    for (std::uint32_t thread = 0; thread < kThreads; ++thread) {
        event(1, thread, RawKind::kRead, 0, 11, 0, thread);
        event(2, thread, RawKind::kWrite, kOutput, 11, 0, thread);
        head_[2 * kThreads + thread].a = kThreads + thread;  // what event 1 read
        event(3, thread, RawKind::kRead, 0, 12, 0, thread);
    }
    const counters::Summary summary = counted().summary();
    ASSERT_EQ(summary.steps.size(), 3u);
    EXPECT_EQ(summary.steps[0].global_ld.requests, 4u) << "of two warps, two each";
    EXPECT_EQ(summary.steps[0].active_warps, 2u) << "in one step, though the output step's events stand between";
    EXPECT_EQ(summary.steps[1].global_ld.requests, 2u);
    EXPECT_EQ(summary.steps[1].global_st.requests, 2u);
    EXPECT_EQ(summary.steps[2].barriers, 1u);
}

TEST_F(LoggedByHand, strides_that_differ_are_told_with_their_lines) {
    mark(1, 0, RawKind::kMarker, 14, probe::kOneMarker, 2);
    counted();
    const auto checked = check_rounds(rounds_);
    ASSERT_FALSE(checked);
    EXPECT_THAT(checked.error().message, ::testing::HasSubstr("round 1: one says stride 1 (line 11), another stride 2 "
                                                              "(line 14)"));
    EXPECT_TRUE(check_most_rounds(kMostRounds));
    EXPECT_THAT(check_most_rounds(kMostRounds + 1).error().message, ::testing::HasSubstr("calls step() 65536 times"));
}

}  // namespace
}  // namespace warptree::kernels
