// The coarsening view against PMPP Fig. 10.16, and in every window.
#include <gtest/gtest.h>

#include "app/scene/coarsening.hpp"
#include "app/scene/testing.hpp"

namespace warptree::scene {
namespace {

std::shared_ptr<const CoarsenStudy> study(std::uint64_t n, std::uint32_t block, const std::string& kernel) {
    kernels::Request request{.kernel = kernel, .n = n, .block = block, .warp_size = 4};
    auto trace = kernels::record(request);
    EXPECT_TRUE(trace) << trace.error().message;
    return study_coarsening(make_subject(std::move(*trace)), request);
}

// Source: PMPP 4e, Fig. 10.16: 32 elements, 8 threads a block.
TEST(Coarsening, IsTheBooks) {
    const auto s = study(32, 8, "pmpp-coarsened");
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
    const auto s = study(64, 8, "pmpp-coarsened");
    ASSERT_EQ(s->runs.size(), 3u);
    EXPECT_EQ(s->residents, (std::vector<std::uint32_t>{1, 2, 4}));
    EXPECT_EQ(s->runs[s->best(1)].factor, 4u) << "16, 12 or 10 steps";
    EXPECT_EQ(s->runs[s->best(2)].factor, 2u) << "8, 6 or 10";
    EXPECT_EQ(s->runs[s->best(4)].factor, 1u) << "4, 6 or 10";
}

TEST(Coarsening, BlockZeroStandsForAllAndTotalsAreTheSummarys) {
    for (const std::uint64_t n : {32, 100, 2048}) {
        const auto s = study(n, 8, "pmpp-coarsened");
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
    EXPECT_EQ(study(32, 0, "pmpp-simple")->runs.front().block, 8u);
    EXPECT_EQ(study(16, 0, "pmpp-simple")->runs.front().grid, 2u);
    EXPECT_FALSE(study(2, 0, "pmpp-simple")->problem.empty());
}

TEST(Coarsening, IsShownUpToItsLimitAndSaysWhereThatIs) {
    EXPECT_EQ(study(65536, 128, "pmpp-coarsened")->problem, "");
    EXPECT_EQ(study(65537, 128, "pmpp-coarsened")->problem,
              "Coarsening is shown for N from 4 to 65,536, not 65,537; choose another N.");
}

TEST(Coarsening, FitsEveryWindow) {
    const testing::FixedMeasure measure;
    for (const std::uint64_t n : {2, 16, 32, 64, 256, 2048}) {
        const auto s = study(n, 0, n == 64 ? "pmpp-coarsened" : "pmpp-simple");
        for (const Vec size :
             {Vec{1920, 1080}, Vec{1440, 1080}, Vec{1280, 720}, Vec{1080, 607}, Vec{768, 432}, Vec{2880, 1080}}) {
            const Box box = layout(size, View::kCoarsening).middle;
            for (std::uint32_t factor = 0; factor < 7; ++factor) {
                for (std::uint32_t resident = 0; resident < 5; ++resident) {
                    const Scene scene = coarsening_view(*s, {factor, resident}, box, measure).scene;
                    ASSERT_EQ(testing::fault(scene, box), "")
                        << n << ", stops " << factor << " " << resident << ", " << size.x << "x" << size.y;
                    ASSERT_LT(scene.shapes.size(), 4000u);
                }
            }
        }
    }
}

}  // namespace
}  // namespace warptree::scene
