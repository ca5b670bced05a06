// Folds: what repeats in a run, against loops counted by hand.
#include "app/subject/folds.hpp"

#include <gtest/gtest.h>

#include "app/subject/testing.hpp"

namespace warptree::study {
namespace {

std::vector<Fold> folds_of(const kernels::Request& request) {
    return testing::subject(request)->facts->folds;
}

TEST(Folds, ALoopThatAddsIsOneFold) {
    EXPECT_EQ(folds_of({.kernel = "sequential", .n = 64}), (std::vector<Fold>{{0, 64}}));
    // Of 16 adds a thread the first reads two elements, the last waits for all.
    EXPECT_EQ(folds_of({.kernel = "pmpp-coarsened", .n = 256, .coarsen = 8}), (std::vector<Fold>{{1, 14}}));
}

TEST(Folds, ALoopOfTwoAddsIsOneFold) {
    // Each of 16 times: an add that loads two elements, and one in registers. The last time it also stores and waits.
    EXPECT_EQ(folds_of({.kernel = "harris-7", .n = 1u << 18}), (std::vector<Fold>{{0, 30}}));
}

TEST(Folds, ThreeTimesAreNone) {
    EXPECT_TRUE(folds_of({.kernel = "sequential", .n = 3, .warp_size = 4}).empty());
    EXPECT_TRUE(folds_of({.kernel = "pmpp-simple", .n = 256}).empty());
}

TEST(Folds, StepsOfAFoldAreAlike) {
    for (const kernels::Request& request :
         {kernels::Request{.kernel = "vectorized", .n = 65536}, {.kernel = "sequential", .n = 64}}) {
        const auto s = testing::subject(request);
        for (const Fold& fold : s->facts->folds)
            for (std::size_t step = fold.first + 1; step < fold.end; ++step) {
                EXPECT_EQ(s->trace.steps[step], s->trace.steps[fold.first]);
                EXPECT_EQ(s->lanes[step], s->lanes[fold.first]);
            }
    }
}

TEST(Folds, AnOpenOneIsItsSteps) {
    const std::vector<Fold> folds = {{2, 10}, {12, 20}};
    EXPECT_EQ(row_of(folds, 0, 5), (Fold{2, 10}));
    EXPECT_EQ(row_of(folds, 1, 5), (Fold{5, 6}));
    EXPECT_EQ(row_of(folds, 1, 12), (Fold{12, 20}));
    EXPECT_EQ(row_of(folds, 0, 11), (Fold{11, 12}));
    EXPECT_EQ(row_of(folds, kAllOpen, 12), (Fold{12, 13}));
}

}  // namespace
}  // namespace warptree::study
