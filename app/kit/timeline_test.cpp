// Timelines: which band stands out, what lies under a pointer, and where a click or a finger goes.
#include "app/kit/timeline.hpp"

#include <gtest/gtest.h>

#include "app/kit/testing.hpp"

namespace warptree::scene {
namespace {

/// Four bands of a width, the second of two steps.
struct Bands {
    Bands(float width, std::size_t position, const Target& hover = {}, bool framed = true) {
        const Fold steps[] = {{0, 1}, {1, 3}, {3, 4}, {4, 5}};
        for (std::size_t i = 0; i < 4; ++i) bands.push_back({steps[i], {100 + i * (width + 2), 20, width, 50}});
        Pen pen(scene, kMeasure);
        draw_timeline(pen, bands, {position}, hover, framed);
    }
    /// Grounds of which something is true, as digits.
    template <class Is>
    std::string which(Is is) const {
        std::string all;
        for (const Shape& shape : scene.shapes)
            for (std::size_t i = 0; i < bands.size(); ++i)
                if (const auto& rect = std::get<Rect>(shape); rect.box == bands[i].box && is(rect))
                    all += std::to_string(i);
        return all;
    }
    std::string framed() const {
        return which([](const Rect& rect) { return rect.outline.role == kText && rect.outline_width > 1; });
    }
    std::string lined() const {
        return which([](const Rect& rect) { return rect.outline_width > 0; });
    }
    std::string hot() const {
        return which([](const Rect& rect) { return rect.ink.role == kRaisedHover; });
    }
    std::vector<Band> bands;
    Scene scene;
};

TEST(Timeline, TheBandOfThePresentStepStandsOut) {
    EXPECT_EQ(Bands(40, 0).framed(), "") << "nothing has run yet";
    EXPECT_EQ(Bands(40, 1).framed(), "0");
    EXPECT_EQ(Bands(40, 2).framed(), "1");
    EXPECT_EQ(Bands(40, 3).framed(), "1") << "of its two steps either";
    EXPECT_EQ(Bands(40, 5).framed(), "3");
    EXPECT_EQ(Bands(40, 2).lined(), "0123") << "cards have an outline";
    EXPECT_EQ(Bands(20, 2).lined(), "1");
    EXPECT_EQ(Bands(40, 2, {}, false).lined(), "1") << "nor where it would cross longer marks";
    const Band band{{1, 3}, {}};
    EXPECT_TRUE(band.future({1}));
    EXPECT_FALSE(band.future({2})) << "one of its steps has begun";
}

TEST(Timeline, AThinBandHasAMarkInsteadOfAFrame) {
    const Bands wide(40, 2), thin(4, 2);
    EXPECT_EQ(wide.scene.shapes.size(), 4u);
    EXPECT_EQ(thin.framed(), "");
    ASSERT_EQ(thin.scene.shapes.size(), 5u);
    const auto& mark = std::get<Rect>(thin.scene.shapes[2]);
    EXPECT_EQ(mark.ink.role, kText);
    EXPECT_EQ(mark.box.x, thin.bands[1].box.x);
    EXPECT_LT(mark.box.y, thin.bands[1].box.y) << "over the edge";
}

TEST(Timeline, WhatThePointerIsOverTellsItsFirstStepAndBrightens) {
    const Bands drawn(40, 0);
    for (const Band& band : drawn.bands)
        EXPECT_EQ(unpack(drawn.scene.pick(band.box.centre())), unpack(step_id(band.steps.first)));
    EXPECT_EQ(Bands(40, 0, unpack(step_id(1))).hot(), "1");
    EXPECT_EQ(Bands(40, 0, unpack(step_id(2))).hot(), "1") << "another view's step, within the band";
    EXPECT_EQ(Bands(40, 0, unpack(lane_id(1, 0))).hot(), "");
    EXPECT_EQ(Bands(40, 0, unpack(Band{{65537, 65538}, {}}.id())).hot(), "") << "beyond what an id can hold";
}

TEST(Timeline, AFingerIsDrawnFromBandToBand) {
    const Bands drawn(40, 0);
    ASSERT_EQ(drawn.scene.tracks.size(), 1u);
    const Track& track = drawn.scene.tracks.front();
    EXPECT_EQ(track.command.action, Action::kScrub);
    EXPECT_EQ(track.box, (Box{100, 20, 4 * 42 - 2, 50}));
    EXPECT_EQ(track.between(100), 0);
    EXPECT_NEAR(track.between(drawn.bands[1].box.centre().x), 2, 0.01) << "half of two steps";
    EXPECT_EQ(track.between(drawn.bands[1].box.right() + 1), 3) << "between two bands";
    EXPECT_EQ(track.between(900), 5);
}

TEST(Timeline, AStepThatMovesDataHasNoShare) {
    const auto roles = [](double share, bool moves) {
        Scene scene;
        Pen pen(scene, kMeasure);
        draw_step_use(pen, {0, 0, 40, 50}, share, moves, false, step_id(1));
        std::vector<std::pair<Role, float>> all;  // and how high
        for (const Shape& shape : scene.shapes)
            all.emplace_back(std::get<Rect>(shape).ink.role, std::get<Rect>(shape).box.h);
        return all;
    };
    using Roles = std::vector<std::pair<Role, float>>;
    EXPECT_EQ(roles(0.4, false), (Roles{{kDivergent, 30}, {kActive, 20}}));
    EXPECT_EQ(roles(0, true), (Roles{{kIdle, 6}}));
}

}  // namespace
}  // namespace warptree::scene
