// Stripes stay inside their shape and cover the right share of it; dashes close; curves end where they are cut.
#include "app/paint/geometry.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace warptree::paint {
namespace {

bool inside(const Points& convex, Vec p, float slack) {
    for (std::size_t i = 0; i < convex.size(); ++i) {
        const Vec a = convex[i], b = convex[(i + 1) % convex.size()];
        const float length = std::hypot(b.x - a.x, b.y - a.y);
        if (length < 1e-6f) continue;
        if (((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)) / length < -slack) return false;
    }
    return true;
}

class Hatched : public testing::TestWithParam<float> {};

TEST_P(Hatched, StripesStayInsideAndCoverTheirShare) {
    const float size = GetParam();
    for (const Points& outline :
         {rounded_outline({13, 7, size, size * 0.8f}, size / 6), circle_outline({40, 50}, size / 2)}) {
        float covered = 0;
        int stripes = 0;
        hatch(outline, 6, 2.4f, 1.3f, [&](std::span<const Vec> stripe) {
            ++stripes;
            covered += area(stripe);
            for (const Vec& point : stripe) EXPECT_TRUE(inside(outline, point, 0.01f)) << point.x << ' ' << point.y;
        });
        EXPECT_GE(stripes, 1);
        // The share is 2.4/6 but for the first and the last stripe.
        if (size >= 60) {
            EXPECT_NEAR(covered / area(outline), 0.4f, 0.03f);
        }
        EXPECT_LT(covered, area(outline));
    }
}
INSTANTIATE_TEST_SUITE_P(Sizes, Hatched, testing::Values(8.0f, 17.0f, 34.0f, 60.0f, 300.0f));

TEST(Hatch, NoStripeOutsideANarrowShape) {
    const Points sliver = rounded_outline({100, 100, 1.5f, 40}, 0);
    float covered = 0;
    hatch(sliver, 6, 2.4f, 0, [&](std::span<const Vec> stripe) { covered += area(stripe); });
    EXPECT_NEAR(covered / area(sliver), 0.4f, 0.1f);
}

TEST(Outline, RoundedAreaIsThatOfTheShape) {
    const float r = 9;
    EXPECT_NEAR(area(rounded_outline({0, 0, 60, 40}, r)), 60 * 40 - (4 - 3.14159f) * r * r, 3);
    EXPECT_NEAR(area(circle_outline({5, 5}, 20)), 3.14159f * 400, 8);
    EXPECT_FLOAT_EQ(area(rounded_outline({2, 3, 10, 10}, 0)), 100);
    EXPECT_NEAR(area(rounded_outline({0, 0, 10, 10}, 99)), 3.14159f * 25, 1.5f) << "radius cut to a circle";
}

TEST(Outline, NoPointTwice) {
    // A pill's straight left and right sides have no length: they have to be left out.
    for (const Points& outline : {rounded_outline({0, 0, 120, 42}, 21), rounded_outline({0, 0, 40, 40}, 20),
                                  rounded_outline({3, 3, 90, 3}, 4), circle_outline({50, 50}, 17)}) {
        for (std::size_t i = 0; i < outline.size(); ++i) {
            const Vec a = outline[i], b = outline[(i + 1) % outline.size()];
            EXPECT_GT(std::hypot(b.x - a.x, b.y - a.y), 0.005f) << i;
        }
    }
}

TEST(Dashes, EvenAndClosed) {
    const Points outline = rounded_outline({0, 0, 100, 30}, 10);
    const auto pieces = dashes(outline, dash_lengths(outline, 5, 4));
    float length = 0, drawn = 0;
    for (std::size_t i = 0; i < outline.size(); ++i) {
        const Vec a = outline[i], b = outline[(i + 1) % outline.size()];
        length += std::hypot(b.x - a.x, b.y - a.y);
    }
    const float each = length / static_cast<float>(pieces.size()) * 5 / 9;
    for (const Points& piece : pieces) {
        float own = 0;
        for (std::size_t i = 1; i < piece.size(); ++i)
            own += std::hypot(piece[i].x - piece[i - 1].x, piece[i].y - piece[i - 1].y);
        EXPECT_NEAR(own, each, 0.05f);
        drawn += own;
    }
    EXPECT_NEAR(drawn / length, 5.0f / 9, 0.01f);
    const Points point{{1, 1}, {1, 1}, {1, 1}};
    EXPECT_TRUE(dashes(point, dash_lengths(point, 5, 4)).empty()) << "a point has no dashes";
}

TEST(Curve, CutShort) {
    const Cubic line{{0, 0}, {10, 0}, {20, 0}, {30, 0}};
    EXPECT_FLOAT_EQ(first_part(line, 0.5f).to.x, 15);
    EXPECT_EQ(first_part(line, 1).to, (Vec{30, 0}));
    EXPECT_EQ(first_part(line, 0).to, (Vec{0, 0}));
    EXPECT_EQ(first_part(line, 7).to, (Vec{30, 0}));
}

}  // namespace
}  // namespace warptree::paint
