// The timeline of a comparison, in step and by time.
#include "app/views/compare/facts.hpp"

#include <gtest/gtest.h>

#include "app/subject/testing.hpp"

namespace warptree::study {
namespace {

Comparison::Columns columns(std::initializer_list<const char*> kernels, std::uint64_t n, std::uint32_t warp) {
    Comparison::Columns all;
    for (const char* kernel : kernels) all.push_back(testing::subject(kernel, n, warp));
    return all;
}

TEST(Timeline, InStepTheShorterWaitsAtItsEnd) {
    const Comparison c(columns({"pmpp-simple", "sequential"}, 16, 4));
    const std::size_t mine = c.column(0).steps();
    ASSERT_GT(c.column(1).steps(), mine);
    EXPECT_EQ(c.moments(), c.column(1).steps());
    EXPECT_EQ(c.at(0, {3, 0.4f}), (Playhead{3, 0.4f}));
    EXPECT_FALSE(c.finished(0, mine)) << "its last step is the present one";
    EXPECT_TRUE(c.finished(0, mine + 1));
    EXPECT_EQ(c.at(0, {mine + 2, 0.5f}), (Playhead{mine, 1})) << "a finished column is at rest";
}

TEST(Timeline, ByTimeAStepLastsItsActiveWarps) {
    const Comparison c(columns({"pmpp-simple", "pmpp-convergent"}, 256, 32), true);
    for (std::size_t i = 0; i < c.size(); ++i) {
        const Subject& s = c.column(i);
        for (std::size_t step = 0; step < s.steps(); ++step) {
            EXPECT_EQ(c.end(i, step) - c.begin(i, step), s.summary.steps[step].active_warps) << step;
            const std::size_t moment = c.moment_of(i, step + 1);
            EXPECT_EQ(c.time(moment), c.end(i, step));
            EXPECT_EQ(c.at(i, {moment, 0.3f}), (Playhead{step + 1, 0.3f})) << "the moment at which it ends";
        }
        EXPECT_EQ(c.end(i, s.steps() - 1) * 32, s.summary.totals.consumed_slots) << "a warp issued is 32 slots";
    }
    std::size_t last[2] = {0, 0};
    for (std::size_t moment = 1; moment <= c.moments(); ++moment) {
        bool moved = false;
        for (std::size_t i = 0; i < 2; ++i) {
            const std::size_t now = c.at(i, {moment, 1}).position;
            EXPECT_LE(now - last[i], 1u) << "no step is jumped over";
            moved = moved || now > last[i];
            last[i] = now;
        }
        EXPECT_TRUE(moved) << "a moment without news: " << moment;
    }
    EXPECT_EQ(last[0], c.column(0).steps());
    EXPECT_EQ(last[1], c.column(1).steps());
}

TEST(Timeline, PhasesGoThereAndBack) {
    const Comparison c(columns({"pmpp-shared", "pmpp-simple"}, 16, 4));
    std::vector<std::size_t> stops = {0};
    while (stops.back() < c.moments()) {
        stops.push_back(c.next_phase(stops.back()));
        ASSERT_GT(stops.back(), stops[stops.size() - 2]);
    }
    EXPECT_EQ(stops[1], 1u) << "the load of pmpp-shared is a phase of its own";
    for (std::size_t i = stops.size() - 1; i > 0; --i) EXPECT_EQ(c.previous_phase(stops[i]), stops[i - 1]);
}

}  // namespace
}  // namespace warptree::study
