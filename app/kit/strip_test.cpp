// Strips: where their cells stand, how much is seen of each at which width, and what lies under a pointer.
#include "app/kit/strip.hpp"

#include <gtest/gtest.h>

#include "app/kit/testing.hpp"

namespace warptree::scene {
namespace {

constexpr LaneState kWork = LaneState::kActive, kWait = LaneState::kDiverged, kIdleLane = LaneState::kIdleWarp;

/// Eight lanes, of which the block has some threads, as a strip of so many units a lane.
struct Row {
    explicit Row(float pitch, std::size_t threads = 8, float height = 40)
        : strip(strip_in({100, 50, 8 * pitch, height}, 8)) {
        Pen pen(scene, kMeasure);
        const std::vector<LaneState> states{kWork, kWork, kWait, kWait, kWait, kWork, kIdleLane, kIdleLane};
        draw_lanes(pen, strip, {states, 0, threads, [](std::size_t begin, std::size_t end) {
                                    return end == begin + 1 ? lane_id(3, begin) : warp_id(3, begin);
                                }});
    }
    std::vector<Box> chips() const {
        std::vector<Box> boxes;
        for (const Shape& shape : scene.shapes)
            if (const auto* rect = std::get_if<Rect>(&shape)) boxes.push_back(rect->box);
        return boxes;
    }
    std::string numbers() const {
        std::string all;
        for (const Shape& shape : scene.shapes)
            if (const auto* text = std::get_if<Text>(&shape)) all += text->text;
        return all;
    }
    Target at(std::size_t cell) const { return unpack(scene.pick({strip.middle(cell), strip.box.centre().y})); }

    Strip strip;
    Scene scene;
};

TEST(Strip, CellsShareTheBoxEvenly) {
    for (const float pitch : {1.0f, 3.6f, 12.0f, 90.0f}) {
        const Strip strip = strip_in({100, 50, 16 * pitch, 20}, 16);
        EXPECT_EQ(strip.cell(0).x, 100) << "flush with what stands above and below";
        EXPECT_NEAR(strip.cell(15).right(), 100 + 16 * pitch, 0.01f);
        for (std::size_t i = 0; i < strip.count; ++i) {
            EXPECT_NEAR(strip.middle(i), strip.cell(i).centre().x, 0.01f);
        }
        EXPECT_NEAR(strip.cell(5).x - strip.cell(4).right(), strip.gap, 0.01f);
        EXPECT_NEAR(strip.cells(3, 7).x, strip.cell(3).x, 0.01f);
        EXPECT_NEAR(strip.cells(3, 7).right(), strip.cell(6).right(), 0.01f);
        EXPECT_NEAR(strip.part(3, 7).cell(1).x, strip.cell(4).x, 0.01f);
        EXPECT_NEAR(strip.part(3, 7).pitch(), strip.pitch(), 0.01f);
    }
    EXPECT_EQ(gap_of(3), 0) << "no gap that a small window would lose";
    EXPECT_EQ(strip_in({0, 0, 900, 20}, 9, 4).gap, 4) << "nor one that grows without end";
}

TEST(Strip, NarrowLanesLoseTheirNumbersThenTheirEdges) {
    const Row wide(40), slim(10), thin(5);
    EXPECT_EQ(wide.numbers(), "01234567");
    EXPECT_EQ(wide.chips().size(), 8u);
    EXPECT_EQ(slim.numbers(), "");
    EXPECT_EQ(slim.chips().size(), 7u + 2) << "each is still told apart, but for the idle ones: one frame, two places";
    ASSERT_EQ(thin.chips().size(), 4u) << "two work, three wait, one works, two are idle";
    EXPECT_NEAR(thin.chips()[1].x, thin.strip.cell(2).x, 0.01f);
    EXPECT_NEAR(thin.chips()[1].right(), thin.strip.cell(4).right(), 0.01f);
    EXPECT_EQ(Row(40, 8, 16).numbers(), "") << "too low for numbers";
}

TEST(Strip, AllThreadsAreNumberedOrNone) {
    const Strip strip = strip_in({0, 0, 8 * 24, 40}, 8);
    Scene scene;
    const Pen pen(scene, kMeasure);
    EXPECT_GE(strip.number_size(pen, 64), kIndex);
    EXPECT_EQ(strip.number_size(pen, 1024), 0) << "7 would have room, 1023 has none";
    EXPECT_LE(strip_in({0, 0, 8 * 200, 200}, 8).number_size(pen, 64), 17);
}

TEST(Strip, APlaceTellsItsLaneOrItsRun) {
    const Row slim(10), thin(5);
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(slim.at(i), unpack(lane_id(3, i))) << i;
    EXPECT_EQ(thin.at(0), unpack(warp_id(3, 0)));
    EXPECT_EQ(thin.at(4), unpack(warp_id(3, 2))) << "the run that begins with the third";
    EXPECT_EQ(thin.at(5), unpack(lane_id(3, 5)));
    EXPECT_EQ(slim.scene.pick({slim.strip.box.x - 3, slim.strip.box.centre().y}), 0u);
}

TEST(Strip, LanesWithoutAThreadHaveNoNumber) {
    const Row some(40, 5);
    EXPECT_EQ(some.numbers(), "01234");
    EXPECT_EQ(some.chips().size(), 8u) << "their slots are spent all the same";
    EXPECT_EQ(some.at(4).kind, Target::Kind::kLane);
    EXPECT_EQ(some.at(5).kind, Target::Kind::kWord);
}

TEST(Strip, NumbersBesideItStandClearOfOneAnother) {
    for (const float pitch : {60.0f, 14.0f, 3.0f}) {
        Scene scene;
        Pen pen(scene, kMeasure);
        const Strip strip = strip_in({100, 50, 128 * pitch, 20}, 128);
        draw_numbers(pen, strip, 40, {0, 128}, 1127, 1000, {0, 0, 9000, 100});
        ASSERT_FALSE(scene.shapes.empty());
        EXPECT_EQ(testing::fault(scene, {0, 0, 9000, 100}), "");
        EXPECT_EQ(std::get<Text>(scene.shapes.front()).text, "1000");
        const auto& second = std::get<Text>(scene.shapes.at(1));
        EXPECT_NEAR(second.at.x, strip.middle(std::stoul(second.text) - 1000), 0.01f) << "over its cell";
        Scene seen;
        Pen other(seen, kMeasure);
        const Box within{100 + 30 * pitch, 0, 60 * pitch, 100};
        draw_numbers(other, strip, 40, {0, 128}, 1127, 1000, within);
        EXPECT_EQ(testing::fault(seen, within), "");
        EXPECT_LT(seen.shapes.size(), scene.shapes.size());
    }
}

TEST(Strip, SharesOfSeveralCellsAreBarsFromBelow) {
    Scene scene;
    Pen pen(scene, kMeasure);
    draw_shares(pen, strip_in({0, 0, 14, 40}, 14), 4, {{4, 0, 4}, {4, 0, 4}, {0, 2, 4}, {1, 1, 2}}, 1,
                {Word::kWorks, kActive}, {Word::kWaits, kDivergent, kHatched});
    const std::vector<Box> bars{{0, 0, 8, 40}, {8, 20, 4, 20}, {12, 20, 2, 20}, {12, 0, 2, 20}};
    ASSERT_EQ(scene.shapes.size(), bars.size()) << "two that are alike are one; the last has fewer cells";
    for (std::size_t i = 0; i < bars.size(); ++i) EXPECT_EQ(std::get<Rect>(scene.shapes[i]).box, bars[i]) << i;
    EXPECT_EQ(std::get<Rect>(scene.shapes[1]).fill, kHatched);
    EXPECT_EQ(std::get<Rect>(scene.shapes[2]).fill, kSolid);
}

}  // namespace
}  // namespace warptree::scene
