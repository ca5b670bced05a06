// The badge of a wrong result in the counters panel.
#include <gtest/gtest.h>

#include "app/kit/layout.hpp"
#include "app/kit/testing.hpp"
#include "app/views/counters/view.hpp"

namespace warptree::scene {
namespace {

std::shared_ptr<const Subject> run(const std::string& kernel, const std::string& op) {
    return testing::subject({.kernel = kernel, .n = 16, .warp_size = 4, .type = value::Type::kInt32, .op = op});
}

TEST(ResultBadge, ShowsAWrongResultOnceItIsOut) {
    const testing::FixedMeasure measure;
    const Box box{0, 0, 460, 1000};
    const auto wrong = run("pmpp-convergent", "subtract");
    EXPECT_FALSE(says(counters_view(*wrong, {4, 1}, box, measure), "Wrong result"));
    const Scene out = counters_view(*wrong, {5, 1}, box, measure);
    EXPECT_TRUE(says(out, "Wrong result: -2, right would be -54"));
    EXPECT_TRUE(says(out, "The kernel changes the order"));
    EXPECT_FALSE(says(counters_view(*run("pmpp-simple", "matrix"), {5, 1}, box, measure), "Wrong"));
}

TEST(ResultBadge, Fits) {
    const testing::FixedMeasure measure;
    for (const char* op : {"subtract", "matrix"}) {
        const auto wrong = run("pmpp-convergent", op);
        for (const Vec size : {Vec{1920, 1080}, Vec{1280, 720}, Vec{1080, 607}, Vec{1067, 600}}) {
            const Box box = layout(size).counters;
            EXPECT_EQ(testing::fault(counters_view(*wrong, {5, 1}, box, measure), box), "") << op << " " << size.x;
        }
    }
}

}  // namespace
}  // namespace warptree::scene
