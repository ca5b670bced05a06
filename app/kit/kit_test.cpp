// The kit: what has no room gives way by rank, and what is left neither overlaps nor leaves its box.
#include "app/kit/kit.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "app/kit/chart.hpp"
#include "app/kit/testing.hpp"

namespace warptree::scene {
namespace {

/// Which of some parts are drawn in a height, and where: names are their places.
std::map<int, Box> stacked(std::vector<Section> sections, float height, float loose = 14) {
    std::map<int, Box> drawn;
    Scene scene;
    Pen pen(scene, kMeasure);
    for (std::size_t i = 0; i < sections.size(); ++i)
        sections[i].draw = [&drawn, i](Box box) { drawn[static_cast<int>(i)] = box; };
    stack(pen, std::move(sections), {10, 20, 300, height}, loose);
    return drawn;
}
std::vector<int> names(const std::map<int, Box>& drawn) {
    std::vector<int> all;
    for (const auto& [name, box] : drawn) all.push_back(name);
    return all;
}

TEST(Stack, WhatShrinksFitsEveryHeight) {
    for (float height = 100; height < 300; height += 0.37f) {
        Scene scene;
        Pen pen(scene, kMeasure);
        float drawn = 0;
        stack(pen, {{300.1f, 0, [&](Box box) { drawn = box.h; }, kClose, kRest, 96}}, {0, 0, 400, height});
        EXPECT_NEAR(drawn, height, 0.1f);
    }
}

TEST(Kit, PartsGiveWayByRank) {
    const std::vector<Section> parts{{100, 0, {}}, {50, 2, {}}, {40, 3, {}, 0}, {60, 1, {}}};
    EXPECT_EQ(names(stacked(parts, 400)), (std::vector{0, 1, 2, 3}));
    EXPECT_EQ(names(stacked(parts, 299)), (std::vector{0, 1, 3})) << "the third needs a unit more";
    EXPECT_EQ(names(stacked(parts, 240)), (std::vector{0, 3})) << "what belongs to the second goes with it";
    EXPECT_EQ(names(stacked(parts, 100)), (std::vector{0}));
    EXPECT_EQ(names(stacked(parts, 99)), (std::vector{3})) << "better a lesser part than none";
    EXPECT_TRUE(stacked(parts, 39).empty());
}

TEST(Kit, PartsNeitherOverlapNorLeaveTheirBox) {
    const std::vector<Section> parts{{100, 0, {}, kRule, 180}, {50, 2, {}}, {40, 3, {}, 0}, {60, 1, {}, kRule, 90}};
    for (float height = 90; height < 500; height += 7) {
        float bottom = 20;
        for (const auto& [name, box] : stacked(parts, height)) {
            EXPECT_GE(box.y, bottom - 0.01f) << height;
            bottom = box.bottom();
        }
        EXPECT_LE(bottom, 20 + height + 0.01f);
    }
    EXPECT_EQ(stacked(parts, 500).at(0).h, 180) << "it grows";
    EXPECT_EQ(stacked(parts, 500).at(3).h, 90);
}

TEST(Kit, APictureShrinksBeforeItGoesAndTakesWhatOthersDoNot) {
    const std::vector<Section> parts{{30, 1, {}, kClose}, {100, 0, {}, kClose, kRest, 40}, {20, 2, {}, kClose, 50}};
    const auto drawn = stacked(parts, 300);
    EXPECT_NEAR(drawn.at(2).h, 50, 0.1) << "as high as it may get";
    EXPECT_NEAR(drawn.at(1).h, 220, 0.1) << "all that is left";
    EXPECT_EQ(names(stacked(parts, 129)), (std::vector{1, 2})) << "rather whole than with the first";
    EXPECT_NEAR(stacked(parts, 60).at(1).h, 60, 0.1);
    EXPECT_FALSE(stacked(parts, 39).contains(1));
}

TEST(Kit, HelpAndLegendLeaveThePictureItsRoom) {
    const std::string help = "A sentence that says what stands here, one of three. A second one. And a third one.";
    const auto panel = [&](float height) {
        Scene scene;
        Pen pen(scene, kMeasure);
        Box picture;
        const Box box{0, 0, 420, height + 80};
        stack_panel(pen, box, 0, {{100, 0, [&](Box b) { picture = b; }, kClose, kRest, 50}}, {20, 60, 380, height},
                    kTreeLegend, help);
        EXPECT_EQ(testing::fault(scene, box), "") << height;
        EXPECT_GE(picture.h, std::min(height, 99.0f)) << height;
        const bool below = std::ranges::any_of(scene.shapes, [&](const Shape& shape) {
            const auto* text = std::get_if<Text>(&shape);
            return text != nullptr && text->text == "waits" && text->at.y > picture.bottom();
        });
        return std::pair(says(scene, "A sentence"), below);
    };
    EXPECT_EQ(panel(60), std::pair(false, false));
    EXPECT_EQ(panel(130), std::pair(true, false));
    EXPECT_EQ(panel(250), std::pair(true, true));
}

TEST(Kit, StripsAndTheRestMakeTheBox) {
    Box rest{0, 0, 100, 80};
    EXPECT_EQ(cut_top(rest, 10, 2), (Box{0, 0, 100, 10}));
    EXPECT_EQ(cut_bottom(rest, 20, 3), (Box{0, 60, 100, 20}));
    EXPECT_EQ(cut_left(rest, 30, 4), (Box{0, 12, 30, 45}));
    EXPECT_EQ(cut_right(rest, 5, 1), (Box{95, 12, 5, 45}));
    EXPECT_EQ(rest, (Box{34, 12, 60, 45}));
}

TEST(Kit, ColumnsOfATableGiveWayByRank) {
    Scene scene;
    Pen pen(scene, kMeasure);
    const std::vector<Column> columns{{"", 0, Align::kLeft}, {"a", 80, Align::kRight, 1}, {"b", 80, Align::kRight, 2}};
    const auto has = [&](float width) {
        const Table table(pen, {0, 0, width, 100}, columns, 20, 100);
        return std::vector{table.has(1), table.has(2)};
    };
    EXPECT_EQ(has(260), (std::vector{true, true}));
    EXPECT_EQ(has(259), (std::vector{true, false}));
    EXPECT_EQ(has(179), (std::vector{false, false}));
    Table table(pen, {0, 0, 259, 100}, columns, 20, 100);
    EXPECT_EQ(table.cell(0).w, 179);
    EXPECT_EQ(table.text(2, "text", kEntry), 0) << "its column has gone";
    EXPECT_GT(table.text(1, "text", kEntry), 0);
}

TEST(Kit, ChoicesGiveWayInBriefThenAsOneButtonThenFromTheFirst) {
    std::set<int> seen;  // how many buttons there were
    for (const Align from : {Align::kLeft, Align::kRight})
        for (float width = 120; width < 700; width += 11) {
            Scene scene;
            Pen pen(scene, kMeasure);
            const auto goes_to = [](double value) { return Command{.action = Action::kGoTo, .value = value}; };
            const std::vector<Choice> devices{{"NVIDIA H200", goes_to(1), "", false, "two"},
                                              {"NVIDIA H100", goes_to(2), "", true, "one"}},
                types{{"float", goes_to(3), "", true}, {"int", goes_to(4)}};
            const float used = draw_choices(pen, {0, 0, width, 32}, {devices, types}, {}, from);
            EXPECT_LE(used, width);
            EXPECT_EQ(testing::fault(scene, {0, 0, width, 32}), "") << width;
            const bool full = says(scene, "H200");
            const int buttons = full + says(scene, "H100") + says(scene, "one") + says(scene, "two") +
                                says(scene, "float") + says(scene, "int");
            seen.insert(full ? 5 : buttons);
            EXPECT_TRUE(says(scene, "float")) << "what is chosen last goes last, " << width;
            EXPECT_EQ(full || says(scene, "two"), buttons == 4) << width;
            const Spot* first = scene.spot({from == Align::kLeft ? 10 : width - used + 10, 16});
            ASSERT_NE(first, nullptr);
            EXPECT_EQ(first->command, goes_to(buttons == 1 ? 4 : 1)) << "a click chooses the next, " << width;
        }
    EXPECT_EQ(seen, (std::set<int>{1, 2, 3, 4, 5}));
}

TEST(Kit, PlacesToClickAreCutOffAndGrowLikeShapesAndStayBehindWhatMoves) {
    const Command command{.action = Action::kGoTo, .value = 3};
    Scene scene;
    Pen pen(scene, kMeasure);
    pen.add(ClipBegin{{0, 0, 100, 100}});
    pen.add(ClipBegin{{50, 0, 100, 80}});
    const Id id = pen.button({40, 40, 200, 200}, command, "three", 8);
    EXPECT_EQ(pen.button({0, 0, 40, 40}, command, "out of sight"), Id{0});
    pen.add(ClipEnd{});
    pen.add(ClipEnd{});
    pen.button({300, 0, 40, 40}, command, "");
    ASSERT_EQ(scene.spots.size(), 2u);
    EXPECT_EQ(unpack(id), (Target{.kind = Target::Kind::kSpot, .index = 0}));
    EXPECT_EQ(scene.spots[0], (Spot{{50, 40, 50, 40}, command, "three", 8}));
    EXPECT_EQ(scene.spot({60, 50}), &scene.spots[0]);
    EXPECT_EQ(scene.spot({45, 50}), nullptr) << "cut off";
    Scene large, moved;
    add_magnified(large, scene, 2);
    EXPECT_EQ(large.spots[0], (Spot{{100, 80, 100, 80}, command, "three", 16}));
    add_moved(moved, scene, {0, 0, 100, 100}, {0, 0, 200, 200});
    EXPECT_TRUE(moved.spots.empty());
}

TEST(Kit, TheTitlesRemarkIsClickedByItsPartsAsFarAsTheyAreThere) {
    Remark remark;
    remark.add("grid", {.action = Action::kView, .text = "grid"}, "to the grid");
    remark.add(" › block 12 of 40");
    remark.say("zoom 2.0×");
    Remark all;
    all.say("first");
    all.say(remark);
    EXPECT_EQ(all.text, "first · grid › block 12 of 40 · zoom 2.0×");
    for (float width = 300; width < 1500; width += 50) {
        Scene scene;
        Pen pen(scene, kMeasure);
        panel_title(pen, {0, 0, width, 400}, "Title", all);
        const bool whole = says(scene, "grid");
        ASSERT_EQ(scene.spots.size(), whole ? 1u : 0u) << width;
        if (!whole) continue;
        const Text& text = std::get<Text>(scene.shapes.back());
        const float letter = kMeasure.width("0", text.face, text.size);
        const float left = text.at.x - kMeasure.width(text.text, text.face, text.size);
        EXPECT_NEAR(scene.spots[0].box.centre().x, left + 10 * letter, 1) << width;
        EXPECT_NEAR(scene.spots[0].box.w, 4 * letter + 12, 1) << width;
    }
}

TEST(Kit, AFingerIsDrawnAlongATrackFromStopToStop) {
    const Track track{{0, 0, 100, 10}, {.action = Action::kScrub}, {{10, 0}, {30, 1}, {40, 1}, {90, 6}}};
    EXPECT_EQ(track.between(-5), 0);
    EXPECT_EQ(track.between(20), 0.5);
    EXPECT_EQ(track.between(35), 1);
    EXPECT_EQ(track.between(65), 3.5);
    EXPECT_EQ(track.between(400), 6);
    EXPECT_EQ(track.nearest(70), (Command{.action = Action::kScrub, .value = 6}));
}

TEST(Kit, NamesOfLinesStandApartAndWhatIsKeptStays) {
    for (const float height : {40.0f, 90.0f, 400.0f}) {
        Scene scene;
        Pen pen(scene, kMeasure);
        std::vector<ChartLine> lines;
        for (int i = 0; i < 8; ++i)
            lines.push_back(
                {.name = "line " + std::to_string(i), .ink = {}, .kept = i == 5, .points = {{1024, 5 + 0.01 * i}}});
        Chart(pen, {60, 30, 300, height}, {1, 1024, true}, {0, 10}).draw_names(lines, 500);
        EXPECT_EQ(testing::fault(scene, {0, 0, 500, height + 60}), "") << height;
        EXPECT_TRUE(says(scene, "line 5"));
        std::size_t named = 0;
        for (int i = 0; i < 8; ++i) named += says(scene, "line " + std::to_string(i));
        EXPECT_EQ(named, height > 130 ? 8u : static_cast<std::size_t>((height + 24) / 17)) << height;
    }
}

// Points in a row: each has its label to itself, none stands on a point or on the line.
TEST(Kit, LabelsStandClearAndBesideTheirOwnPoint) {
    const std::vector<Vec> points{{40, 50}, {80, 50}};
    for (const Vec middle : {Vec{40, 35}, Vec{60, 50}, Vec{80, 50}, Vec{300, 20}}) {
        Labels labels({0, 0, 200, 100}, points, points);
        for (std::size_t i = 0; i < 2; ++i) {
            const auto box = labels.place(i, middle, {20, 12});
            if (!box) continue;
            EXPECT_FALSE(labels.is_free(*box)) << "it is taken";
            EXPECT_LT(distance(points[i], *box), distance(points[1 - i], *box));
            EXPECT_TRUE(box->bottom() < 50 || box->y > 50 || box->right() < 40 || box->x > 80) << "on the line";
            EXPECT_TRUE(box->x >= 0 && box->right() <= 200 && box->y >= 0 && box->bottom() <= 100);
        }
    }
    Labels labels({0, 0, 200, 100}, points, points);
    EXPECT_EQ(labels.place(0, {40, 32}, {20, 12}), (Box{30, 26, 20, 12})) << "where it is wanted";
    EXPECT_NE(labels.place(0, {40, 32}, {20, 12}), (Box{30, 26, 20, 12})) << "taken";
    EXPECT_EQ(labels.place(0, {900, 32}, {20, 12}), std::nullopt) << "too far away";
}

TEST(Kit, TicksStandWithinTheirScale) {
    EXPECT_EQ((Scale{0.5, 2000, true}).ticks(), (std::vector<double>{1, 10, 100, 1000}));
    EXPECT_EQ((Scale{0.5, 2000, true}).ticks(40), (std::vector<double>{1, 100})) << "those that stand apart";
    EXPECT_EQ((Scale{.high = 45}).ticks(), (std::vector<double>{0, 10, 20, 30, 40}));
}

}  // namespace
}  // namespace warptree::scene
