// Coarsening: the book's figures, and which factor is best.
#include "app/views/coarsening/facts.hpp"

#include <gtest/gtest.h>

#include "app/subject/testing.hpp"

namespace warptree::study {
namespace {

std::shared_ptr<const CoarsenStudy> coarsened(std::uint64_t n, std::uint32_t block, const std::string& kernel) {
    kernels::Request request{.kernel = kernel, .n = n, .block = block, .warp_size = 4};
    return study_coarsening(testing::subject(request), request);
}

// Source: PMPP 4e, Fig. 10.16: 32 elements, 8 threads a block.
TEST(Coarsening, IsTheBooks) {
    const auto s = coarsened(32, 8, "pmpp-coarsened");
    ASSERT_EQ(s->runs.size(), 2u);
    const CoarsenRun &plain = s->runs[0], &coarse = s->runs[1];
    EXPECT_EQ(plain.grid, 2u);
    EXPECT_EQ(plain.time(1), 8u);
    EXPECT_EQ(plain.waves(1) * plain.full_steps(), 2u);
    EXPECT_EQ(coarse.grid, 1u);
    EXPECT_EQ(coarse.time(1), 6u);
    EXPECT_EQ(coarse.full_steps(), 3u);
    EXPECT_EQ(plain.time(2), 4u) << "both blocks at once: nothing to save";
    EXPECT_EQ(s->best(1), 1u);
    EXPECT_EQ(s->best(2), 0u);
}

TEST(Coarsening, TheBestFactorFollowsTheResidentBlocks) {
    const auto s = coarsened(64, 8, "pmpp-coarsened");
    ASSERT_EQ(s->runs.size(), 3u);
    EXPECT_EQ(s->residents, (std::vector<std::uint32_t>{1, 2, 4}));
    EXPECT_EQ(s->runs[s->best(1)].factor, 4u) << "16, 12 or 10 steps";
    EXPECT_EQ(s->runs[s->best(2)].factor, 2u) << "8, 6 or 10";
    EXPECT_EQ(s->runs[s->best(4)].factor, 1u) << "4, 6 or 10";
}

TEST(Coarsening, BlockZeroStandsForAllAndTotalsAreTheSummarys) {
    for (const std::uint64_t n : {32, 100, 2048}) {
        const auto s = coarsened(n, 8, "pmpp-coarsened");
        for (const CoarsenRun& run : s->runs) {
            counters::Counters sum;
            for (const counters::Counters& step : run.steps) sum += step;
            EXPECT_EQ(sum.operations * run.grid, run.totals.operations) << n << " by " << run.factor;
            EXPECT_EQ(sum.barriers * run.grid, run.totals.barriers) << n << " by " << run.factor;
        }
        EXPECT_EQ(s->runs.front().totals, s->subject->summary.totals) << "factor 1 is the subject's own run";
    }
}

TEST(Coarsening, OtherKernelsGetTwoPlainBlocks) {
    EXPECT_EQ(coarsened(32, 0, "pmpp-simple")->runs.front().block, 8u);
    EXPECT_EQ(coarsened(16, 0, "pmpp-simple")->runs.front().grid, 2u);
    EXPECT_FALSE(coarsened(2, 0, "pmpp-simple")->problem.empty());
}

TEST(Coarsening, IsShownUpToItsLimitAndSaysWhereThatIs) {
    EXPECT_EQ(coarsened(65536, 128, "pmpp-coarsened")->problem, "");
    EXPECT_EQ(coarsened(65537, 128, "pmpp-coarsened")->problem,
              "Coarsening is shown for N from 4 to 65,536, not 65,537; choose another N.");
}

}  // namespace
}  // namespace warptree::study
