// The comparison in the app: what opens it, what a choice changes, and how all columns move.
#include <gtest/gtest.h>

#include "app/kit/testing.hpp"
#include "app/paint/fonts.hpp"
#include "app/shell/frame.hpp"
#include "app/state/announce.hpp"
#include "app/state/keys.hpp"
#include "app/state/menus.hpp"
#include "app/state/settings.hpp"
#include "app/state/testing.hpp"
#include "app/views/compare/view.hpp"

namespace warptree::shell {
namespace {

using namespace state;

using Kind = chrome::PointerEvent::Kind;

class ComparingApp : public testing::Test {
protected:
    ComparingApp() { press(U'c'); }
    void press(char32_t key, bool shift = false) {
        const auto command = command_for({Named::kNone, key, false, shift}, app.state());
        ASSERT_TRUE(command);
        app.apply(*command);
    }
    const AppState& state() const { return app.state(); }
    std::string kernels_shown() const {
        std::string names = state().request.kernel;
        for (const Column& column : state().others) names += " " + column.request.kernel;
        return names;
    }

    FakeFiles files;
    App app{teaching_state(), files.services()};
};

TEST_F(ComparingApp, CShowsTheNextRungBesideAndGoesBack) {
    EXPECT_EQ(kernels_shown(), "pmpp-simple pmpp-convergent");
    ASSERT_TRUE(state().comparing());
    EXPECT_EQ(state().comparison->size(), 2u);
    EXPECT_EQ(state().comparison->column(1).trace.launch.n, 16u);
    EXPECT_EQ(state().comparison->column(1).trace.launch.warp_size, 4u);
    press(U'c');
    EXPECT_EQ(state().view, scene::View::kTree);
    EXPECT_FALSE(state().comparison);
    const int recorded = files.recorded;
    press(U'c');
    EXPECT_EQ(kernels_shown(), "pmpp-simple pmpp-convergent");
    EXPECT_EQ(files.recorded, recorded) << "what was recorded is kept";
}

TEST_F(ComparingApp, XSwapsAndUndoBringsBack) {
    press(U'x');
    EXPECT_EQ(kernels_shown(), "pmpp-convergent pmpp-simple");
    EXPECT_EQ(state().subject->trace.launch.kernel, "pmpp-convergent");
    EXPECT_EQ(state().comparison->column(0).trace.launch.kernel, "pmpp-convergent");
    app.apply({.action = Action::kUndo});
    EXPECT_EQ(kernels_shown(), "pmpp-simple pmpp-convergent");
    EXPECT_EQ(state().comparison->column(1).trace.launch.kernel, "pmpp-convergent");
}

TEST_F(ComparingApp, UndoBringsBackColumnsThatWereNotRecordedYet) {
    app.apply({.action = Action::kView, .text = "compare"});
    ASSERT_FALSE(state().comparing());
    app.apply({.action = Action::kTeachingSize});
    app.apply({.action = Action::kTeachingSize});
    app.apply({.action = Action::kView, .text = "compare"});
    app.apply({.action = Action::kUndo});
    ASSERT_TRUE(state().comparing());
    EXPECT_EQ(state().others.at(0).subject->run().launch().n, state().request.n);
}

TEST_F(ComparingApp, TheWheelLooksCloserAtAllTreesAndDraggingMovesThem) {
    const scene::testing::FixedMeasure measure;
    const scene::Vec size{1920, 1080};
    Frame frame(measure);
    const auto send = [&](Kind kind, scene::Vec at, float wheel = 0) {
        for (const Command& command : frame.pointer({kind, at, wheel}, state())) app.apply(command);
        frame.compose(state(), size);
    };
    frame.compose(state(), size);
    const auto cards = scene::compare_layout(2, scene::layout(size, scene::View::kCompare).middle).cards;
    const scene::Vec at{cards[1].centre().x, cards[1].y + 0.6f * cards[1].h};
    const auto column = [&](std::size_t i) {
        scene::CompareLook look{.camera = state().camera, .follow = state().follow};
        std::string text;
        const scene::Box box = scene::layout(size, scene::View::kCompare).middle;
        for (const scene::Shape& shape : scene::compare_view(*state().comparison, {2, 1}, look, box, measure).shapes) {
            const auto* rect = std::get_if<scene::Rect>(&shape);
            if (rect && cards[i].contains(rect->box.centre())) text += std::to_string(rect->box.x) + " ";
        }
        return text;
    };
    const std::string first = column(0), second = column(1);
    send(Kind::kMove, at);
    send(Kind::kWheel, at, 3);
    EXPECT_GT(state().camera.zoom, 1.5f);
    EXPECT_NE(column(0), first) << "all trees, not only the one under the pointer";
    EXPECT_NE(column(1), second);
    const float before = state().camera.pan.x;
    send(Kind::kPress, at);
    send(Kind::kMove, {at.x - 30, at.y});
    EXPECT_NEAR(state().camera.pan.x, before - 30, 0.5f);
    send(Kind::kRelease, {at.x - 30, at.y});
    send(Kind::kMove, {at.x - 90, at.y});
    EXPECT_NEAR(state().camera.pan.x, before - 30, 0.5f) << "the button is up";
    press(U'0');
    for (int i = 0; i < 100 && app.moving(); ++i) app.update(0.1);
    EXPECT_EQ(state().camera.zoom, 1);
    EXPECT_EQ(column(0), first);
}

TEST_F(ComparingApp, PlusAndMinusAddAndTakeAway) {
    press(U'-');
    EXPECT_EQ(state().others.size(), 1u) << "two are the least";
    EXPECT_FALSE(state().messages.empty());
    press(U'+');
    EXPECT_EQ(kernels_shown(), "pmpp-simple pmpp-convergent pmpp-shared");
    EXPECT_EQ(state().column, 2u) << "the new one is chosen";
    press(U'+');
    press(U'+');
    EXPECT_EQ(state().comparison->size(), 4u) << "four are the most";
    app.apply({.action = Action::kRemoveColumn, .value = 0});
    EXPECT_EQ(state().request.kernel, "pmpp-convergent") << "the second takes the first one's place";
    EXPECT_EQ(state().subject->trace.launch.kernel, "pmpp-convergent");
    press(U'-');
    EXPECT_EQ(state().comparison->size(), 2u);
}

TEST_F(ComparingApp, AChoiceChangesTheChosenColumnAlone) {
    app.apply({.action = Action::kColumn, .value = 1});
    app.apply({.action = Action::kN, .value = 64});
    EXPECT_EQ(state().request.n, 16u);
    EXPECT_EQ(state().others[0].request.n, 64u);
    EXPECT_EQ(state().comparison->column(1).trace.launch.n, 64u);
    press(U'3');
    EXPECT_EQ(kernels_shown(), "pmpp-simple pmpp-shared");
    EXPECT_EQ(state().others[0].request.n, 64u);
    EXPECT_EQ(menu_label(Menu::kN, state()), "N 64") << "the header is about the chosen column";
    const auto before = state().comparison;
    app.apply({.action = Action::kInput, .text = "zeros"});
    EXPECT_EQ(state().comparison, before) << "a bad choice changes nothing";
    ASSERT_FALSE(state().messages.empty());
    EXPECT_TRUE(state().messages.back().error);
}

TEST_F(ComparingApp, WhatTheyShareFollowsTheFirst) {
    app.apply({.action = Action::kN, .value = 64});
    app.apply({.action = Action::kInput, .text = "ones"});
    EXPECT_EQ(state().others[0].request.n, 64u);
    EXPECT_EQ(state().comparison->column(1).trace.launch.input, "ones");
    app.apply({.action = Action::kColumn, .value = 1});
    app.apply({.action = Action::kN, .value = 128});
    app.apply({.action = Action::kColumn, .value = 0});
    app.apply({.action = Action::kN, .value = 32});
    EXPECT_EQ(state().others[0].request.n, 128u) << "it has a size of its own by now";
    EXPECT_EQ(state().others[0].request.kernel, "pmpp-convergent");
    press(U'c');
    app.apply({.action = Action::kWarpSize, .value = 8});
    press(U'c');
    EXPECT_EQ(state().comparison->column(1).trace.launch.warp_size, 8u) << "also while it is not looked at";
}

TEST_F(ComparingApp, IfOneCannotFollowNothingChanges) {
    app.apply({.action = Action::kKernel, .text = "pmpp-segmented"});
    ASSERT_EQ(state().request.kernel, "pmpp-segmented");
    const auto before = state().comparison;
    app.apply({.action = Action::kN, .value = 100});
    EXPECT_EQ(state().comparison, before);
    EXPECT_EQ(state().request.n, 16u);
    ASSERT_FALSE(state().messages.empty());
    EXPECT_NE(state().messages.back().text.find("pmpp-convergent"), std::string::npos) << state().messages.back().text;
}

TEST_F(ComparingApp, TheLongestRunSetsTheEnd) {
    app.apply({.action = Action::kColumn, .value = 1});
    app.apply({.action = Action::kKernel, .text = "sequential"});
    const std::size_t steps = state().comparison->column(1).steps();
    app.apply({.action = Action::kLast});
    EXPECT_EQ(state().goal, steps);
    EXPECT_TRUE(state().comparison->finished(0, state().goal));
    press(U'c');
    EXPECT_EQ(state().goal, state().subject->steps()) << "alone it is at its own end";
    EXPECT_LE(state().playhead().position, state().subject->steps());
}

TEST_F(ComparingApp, UndoBringsBackAStepPastTheEndOfShorterRuns) {
    app.apply({.action = Action::kLast});
    const std::size_t end = state().goal;
    app.apply({.action = Action::kN, .value = 4});
    ASSERT_LT(state().goal, end);
    app.apply({.action = Action::kUndo});
    EXPECT_EQ(state().goal, end);
    EXPECT_EQ(state().time, static_cast<double>(end));
}

TEST_F(ComparingApp, ByTimeTheFirstColumnStaysWhereItIs) {
    app.apply({.action = Action::kGoTo, .value = 3});
    press(U't', true);
    EXPECT_TRUE(state().comparison->by_time());
    EXPECT_EQ(state().comparison->at(0, {state().goal, 1}).position, 3u);
    EXPECT_GT(state().comparison->at(1, {state().goal, 1}).position, 3u) << "whole warps fall idle: it is ahead";
    press(U't', true);
    EXPECT_EQ(state().goal, 3u);
}

TEST_F(ComparingApp, ForwardAndBackMoveEveryColumn) {
    app.apply({.action = Action::kFirst});
    app.apply({.action = Action::kForward});
    while (app.moving()) app.update(0.05);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(state().comparison->at(i, state().playhead()).position, 1u);
    EXPECT_NE(announcement(state()).find("A: Step 1"), std::string::npos);
    EXPECT_NE(announcement(state()).find("B: Step 1"), std::string::npos);
}

TEST_F(ComparingApp, ClicksChooseColumnsAndKernels) {
    const paint::Fonts fonts;
    Frame frame(fonts);
    const scene::Vec size{1920, 1080};
    const auto click = [&](scene::Vec at) {
        for (const Kind kind : {Kind::kMove, Kind::kPress, Kind::kRelease}) {
            for (const Command& command : frame.pointer({kind, at}, state())) app.apply(command);
            frame.compose(state(), size);
        }
    };
    frame.compose(state(), size);
    const auto cards = scene::compare_layout(2, scene::layout(size, scene::View::kCompare).middle).cards;
    click({cards[1].centre().x, cards[1].bottom() - 12});
    EXPECT_EQ(state().column, 1u);
    const scene::Spot* arrow = nullptr;
    const auto find = [&](const std::string& tip) {
        for (const scene::Spot& spot : frame.controls()) {
            if (spot.tooltip.starts_with(tip)) return &spot;
        }
        ADD_FAILURE() << tip;
        return &frame.controls().front();
    };
    arrow = find("Another kernel for column A");
    EXPECT_GE(std::min(arrow->box.w, arrow->box.h), 32);
    click(arrow->box.centre());
    EXPECT_EQ(state().menu, Menu::kKernels);
    EXPECT_EQ(state().column, 0u) << "the menu is about its own column";
    click(find("Another kernel for column B")->box.centre());
    EXPECT_EQ(state().menu, Menu::kKernels) << "from one column's menu to the other's";
    EXPECT_EQ(state().column, 1u);
    app.apply({.action = Action::kEscape});
    frame.compose(state(), size);
    click(find("One clock for all")->box.centre());
    EXPECT_TRUE(state().by_time);
    click(find("Compare with one more")->box.centre());
    EXPECT_EQ(state().comparison->size(), 3u);
    click(find("Take column B away")->box.centre());
    EXPECT_EQ(kernels_shown(), "pmpp-simple pmpp-shared");
}

TEST_F(ComparingApp, SettingsRememberTheColumns) {
    app.apply({.action = Action::kColumn, .value = 1});
    app.apply({.action = Action::kKernel, .text = "pmpp-coarsened"});
    app.apply({.action = Action::kCoarsen, .value = 4});
    app.apply(scene::set(scene::Field::kByTime, 1));
    const Json kept = remembered(state(), {});
    App again(state_from(kept), files.services());
    ASSERT_TRUE(again.state().comparing());
    EXPECT_EQ(again.state().others[0].request, state().others[0].request);
    EXPECT_TRUE(again.state().comparison->by_time());
}

TEST_F(ComparingApp, AColumnThatCannotBeRecordedIsLeftOutAndSaid) {
    AppState wanted = teaching_state();
    wanted.view = scene::View::kCompare;
    wanted.others.push_back({{.kernel = "no-such-kernel", .n = 16}, "", nullptr});
    App other(wanted, files.services());
    ASSERT_TRUE(other.state().comparing());
    EXPECT_EQ(other.state().others.size(), 1u);
    EXPECT_EQ(other.state().others[0].request.kernel, "pmpp-convergent");
    ASSERT_FALSE(other.state().messages.empty());
    EXPECT_NE(other.state().messages.back().text.find("no-such-kernel"), std::string::npos);
}

}  // namespace
}  // namespace warptree::shell
