// The accuracy view and errors on the tree: what they say, and that they fit.
#include "app/scene/accuracy_view.hpp"

#include <gtest/gtest.h>

#include "app/scene/testing.hpp"

namespace warptree::scene {
namespace {

using testing::says;

Scene drawn(const kernels::Request& request, std::size_t position, Vec size = {1920, 1080},
            AccuracyPicture picture = AccuracyPicture::kWorst) {
    const auto subject = testing::subject(request);
    const Box box = layout(size, View::kAccuracy).middle;
    return accuracy_view({*study_roundings(subject), picture, study::shipped_measurements()},
                         {.position = std::min(position, subject->steps())}, box, testing::kMeasure);
}

TEST(AccuracyView, says_what_is_lost_and_caught) {
    const Scene kahan = drawn({.kernel = "kahan", .n = 16, .input = "one-and-tiny"}, 17);
    EXPECT_TRUE(says(kahan, "lost, and caught"));
    EXPECT_TRUE(says(kahan, "log2 N"));
    EXPECT_TRUE(says(kahan, "neumaier"));
    EXPECT_TRUE(says(kahan, "One block makes the result, always in the same order"));
    const Scene atomics = drawn({.kernel = "pmpp-segmented", .n = 256, .block = 16, .input = "uniform"}, 9);
    EXPECT_TRUE(says(atomics, "8 sums of blocks meet in atomics. Added in 1,000 random orders"));
    EXPECT_TRUE(
        says(drawn({.kernel = "two-launch", .n = 256, .block = 16, .input = "uniform"}, 9), "meet in another launch"));
    EXPECT_TRUE(says(drawn({.kernel = "last-block", .n = 256, .block = 16, .input = "uniform"}, 9),
                     "The last block to come adds"));
    EXPECT_TRUE(says(drawn({.kernel = "kahan", .n = 16, .input = "uniform"}, 0), "Step on"));
}

TEST(AccuracyView, fits_every_window) {
    for (const char* kernel : {"kahan", "pmpp-segmented", "scan-sequential"})
        for (const Vec size : {Vec{1280, 720}, {1920, 1080}, {3840, 2160}, {1024, 768}, {700, 500}})
            for (const std::size_t position : {0u, 3u, 100u})
                EXPECT_EQ(testing::fault(drawn({.kernel = kernel, .n = 256, .input = "uniform"}, position, size),
                                         layout(size, View::kAccuracy).middle),
                          "")
                    << kernel << ", " << size.x << "x" << size.y;
}

TEST(TreeErrors, are_told_at_the_foot_with_their_legend) {
    const auto subject = testing::subject({.kernel = "sequential", .n = 16, .warp_size = 4, .input = "one-and-tiny"});
    const graph::Errors errors = graph::errors(subject->facts->graph);
    for (const Vec size : {Vec{1920, 1080}, {1600, 900}, {3840, 2160}}) {
        const Box box = layout(size).middle;
        const Scene scene = tree_view(*subject, {.position = 17}, {}, box, testing::kMeasure, {}, true, &errors);
        EXPECT_EQ(testing::fault(scene, box), "");
        EXPECT_TRUE(says(scene, "Off by 3.75 ulps")) << size.x;
        EXPECT_TRUE(says(scene, "exact"));
        EXPECT_FALSE(says(tree_view(*subject, {.position = 17}, {}, box, testing::kMeasure, {}, true), "Off by"));
    }
    const auto whole =
        testing::subject({.kernel = "pmpp-shared", .n = 16, .warp_size = 4, .type = value::Type::kInt32});
    const graph::Errors none = graph::errors(whole->facts->graph);
    EXPECT_TRUE(
        says(tree_view(*whole, {.position = 5}, {}, layout({1920, 1080}).middle, testing::kMeasure, {}, true, &none),
             "of this run they are not"));
}

}  // namespace
}  // namespace warptree::scene
