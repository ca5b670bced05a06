// Tests of what captions, the tree and its tooltips say of a value that leaves its type's range.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/kit/layout.hpp"
#include "app/kit/testing.hpp"
#include "app/views/story/story.hpp"
#include "app/views/tree/view.hpp"

namespace warptree::scene {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::shared_ptr<const Subject> halves() {
    return testing::subject({.kernel = "pmpp-simple",
                             .n = 8,
                             .warp_size = 4,
                             .type = value::Type::kFloat16,
                             .input = "32000,32000,32000,32000,-32000,-32000,-32000,-32000"});
}

TEST(RangeLeft, is_told_in_the_caption_of_its_step) {
    const auto subject = halves();
    EXPECT_THAT(caption(*subject, {1, 1}), Not(HasSubstr("inf")));
    EXPECT_THAT(caption(*subject, {2, 1}),
                HasSubstr(" Thread 0: 64000 + 64000 = inf, more than float16 holds (65504)."));
    EXPECT_THAT(caption(*subject, {2, 1}, kBriefest), HasSubstr(" Thread 0: 64000 + 64000 = inf."));
    EXPECT_THAT(caption(*subject, {3, 1}), HasSubstr(" Thread 0: inf + -inf = nan, no number."));
    const auto wraps =
        testing::subject({.kernel = "sequential", .n = 2, .type = value::Type::kInt32, .input = "2147483647,1"});
    EXPECT_THAT(caption(*wraps, {2, 1}),
                HasSubstr("Thread 0: 2147483647 + 1 = -2147483648, which wraps around: int32 is from"));
}

TEST(RangeLeft, stands_below_the_tree_once_its_steps_are_told) {
    const auto subject = halves();
    for (const Vec size : {Vec{1920, 1080}, {1280, 720}, {3840, 2160}}) {
        const Box box = layout(size).middle;
        const Scene scene = tree_view(*subject, {.position = 3}, {}, box, testing::kMeasure, {}, true);
        EXPECT_EQ(testing::fault(scene, box), "");
        if (size.y >= 1080) {
            EXPECT_TRUE(testing::says(scene, "Step 2, thread 0: 64000 + 64000 = inf")) << size.x;
        }
        EXPECT_FALSE(testing::says(tree_view(*subject, {.position = 2}, {}, box, testing::kMeasure, {}, true), "nan"))
            << "it is still to come";
        EXPECT_FALSE(
            testing::says(tree_view(*subject, {.position = 1, .told = 1}, {}, box, testing::kMeasure, {}, true), "inf"))
            << "a question is open";
    }
}

TEST(RangeLeft, is_in_the_tooltip_of_its_thread) {
    const auto subject = halves();
    const auto& first = subject->facts->range.first;
    ASSERT_EQ(first.size(), 2u);
    const Target edge{.kind = Target::Kind::kEdge, .index = subject->facts->graph.row[first[0].node]};
    EXPECT_THAT(story(*subject, {.position = 3}, edge),
                ::testing::Contains("64000 + 64000 = inf, more than float16 holds (65504)"));
    EXPECT_THAT(story(*subject, {.position = 1}, edge), ::testing::Contains("still to come"));
}

}  // namespace
}  // namespace warptree::scene
