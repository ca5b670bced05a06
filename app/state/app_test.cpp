// The app's model: stepping, playing, scrubbing, looks, menus. Neighbour: choice_test.cpp.
#include "app/state/app.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "app/lesson/facts.hpp"
#include "app/state/announce.hpp"
#include "app/state/menus.hpp"
#include "app/state/testing.hpp"

namespace warptree::state {
namespace {

TEST_F(AnApp, StartsBeforeTheFirstStep) {
    ASSERT_NE(state().subject, nullptr);
    EXPECT_EQ(state().goal, 0u);
    EXPECT_EQ(state().steps(), 5u) << "16 elements, simple: four strides and the output";
    EXPECT_TRUE(state().messages.empty());
    EXPECT_FALSE(app.moving());
}

TEST_F(AnApp, ForwardMovesOneStepInUnderASecond) {
    act(Action::kForward);
    EXPECT_EQ(state().goal, 1u);
    EXPECT_EQ(state().playhead().position, 0u) << "not yet begun";
    app.update(0.1);
    EXPECT_EQ(state().playhead().position, 1u);
    EXPECT_GT(state().playhead().progress, 0);
    EXPECT_LT(state().playhead().progress, 1);
    EXPECT_LT(settle(), 1);
    EXPECT_EQ(state().playhead(), (study::Playhead{1, 1}));
}

TEST_F(AnApp, BackIsForwardInReverse) {
    act(Action::kForward);
    app.update(0.15);
    const study::Playhead early = state().playhead();
    settle();
    act(Action::kBack);
    EXPECT_EQ(state().goal, 0u);
    app.update(0.45);
    EXPECT_EQ(state().playhead().position, early.position);
    EXPECT_NEAR(state().playhead().progress, early.progress, 1e-5);
    settle();
    EXPECT_EQ(state().playhead(), study::Playhead{});
}

TEST_F(AnApp, QuickTapsAllCount) {
    for (int i = 0; i < 4; ++i) act(Action::kForward);
    EXPECT_EQ(state().goal, 4u);
    app.update(0.01);
    EXPECT_EQ(state().playhead().position, 4u) << "only the last of them is seen to move";
    for (int i = 0; i < 20; ++i) act(Action::kForward);
    EXPECT_EQ(state().goal, 5u) << "the end is the end";
    for (int i = 0; i < 20; ++i) act(Action::kBack);
    EXPECT_EQ(state().goal, 0u);
}

TEST_F(AnApp, EndsPhasesAndPlaces) {
    act(Action::kLast);
    EXPECT_EQ(state().playhead(), (study::Playhead{5, 1}));
    act(Action::kFirst);
    EXPECT_EQ(state().playhead(), study::Playhead{});
    act(Action::kGoTo, 3);
    EXPECT_EQ(state().playhead(), (study::Playhead{3, 1}));
    act(Action::kGoTo, 99);
    EXPECT_EQ(state().goal, 5u);
    act(Action::kGoTo, -7);
    EXPECT_EQ(state().goal, 0u);
    act(Action::kForwardPhase);
    EXPECT_EQ(state().goal, 4u) << "the four tree steps, before the output";
    act(Action::kForwardPhase);
    EXPECT_EQ(state().goal, 5u);
    act(Action::kBackPhase);
    EXPECT_EQ(state().goal, 4u);
    act(Action::kBackPhase);
    EXPECT_EQ(state().goal, 0u);
}

TEST_F(AnApp, PlayRunsToTheEndStopsAndStartsOver) {
    act(Action::kPlayPause);
    EXPECT_TRUE(state().transport.playing);
    const double slow = settle();
    EXPECT_EQ(state().goal, 5u);
    EXPECT_FALSE(state().transport.playing);
    app.apply(scene::turn(Field::kSpeed));
    app.apply(scene::turn(Field::kSpeed));
    EXPECT_EQ(state().transport.speed, 4);
    act(Action::kPlayPause);
    EXPECT_EQ(state().goal, 0u) << "from the beginning";
    EXPECT_NEAR(settle(), slow / 4, slow / 16);
    app.apply(scene::set(Field::kSpeed, scene::next_speed(state().transport.speed)));
    EXPECT_EQ(state().transport.speed, 0.25f) << "round and round";
    app.apply(scene::turn(Field::kSpeed, -1));
    EXPECT_EQ(state().transport.speed, 0.25f);
}

TEST_F(AnApp, SteppingByHandStopsPlaying) {
    act(Action::kPlayPause);
    app.update(0.05);
    act(Action::kForward);
    EXPECT_FALSE(state().transport.playing);
    act(Action::kPlayPause);
    act(Action::kScrub, 1.5);
    EXPECT_FALSE(state().transport.playing);
}

TEST_F(AnApp, ScrubbingFollowsTheFingerAndRestsOnAStep) {
    act(Action::kScrub, 2.25);
    EXPECT_EQ(state().playhead().position, 3u);
    EXPECT_NEAR(state().playhead().progress, 0.25, 1e-6);
    EXPECT_FALSE(app.moving()) << "the finger holds it";
    act(Action::kScrub, 1.75);
    EXPECT_EQ(state().playhead().position, 2u);
    act(Action::kScrubEnd);
    settle();
    EXPECT_EQ(state().playhead(), (study::Playhead{2, 1}));
    act(Action::kScrub, 77);
    EXPECT_EQ(state().playhead(), (study::Playhead{5, 1}));
}

TEST_F(AnApp, WithoutAnimationNothingMovesOnItsOwn) {
    app.apply(scene::turn(Field::kAnimate));
    EXPECT_FALSE(state().animate);
    act(Action::kForward);
    EXPECT_FALSE(app.moving());
    EXPECT_EQ(state().playhead(), (study::Playhead{1, 1}));
    act(Action::kScrub, 2.25);
    EXPECT_EQ(state().playhead(), (study::Playhead{3, 1}));
}

TEST_F(AnApp, ErrorsAreShownOnTheTree) {
    act(Action::kView, 0, "warps");
    app.apply(scene::turn(Field::kErrors));
    EXPECT_EQ(state().view, scene::View::kTree);
    act(Action::kView, 0, "warps");
    app.apply(scene::turn(Field::kErrors));
    EXPECT_EQ(state().view, scene::View::kWarps) << "and are taken away anywhere";
}

TEST_F(AnApp, ScaleThemeAndSwitches) {
    for (int i = 0; i < 50; ++i) app.apply(scene::turn(Field::kScale));
    EXPECT_FLOAT_EQ(state().scale, kMostScale);
    for (int i = 0; i < 50; ++i) app.apply(scene::turn(Field::kScale, -1));
    EXPECT_FLOAT_EQ(state().scale, kLeastScale);
    app.apply(scene::turn(Field::kScale, 0));
    EXPECT_FLOAT_EQ(state().scale, 1);
    app.apply(scene::turn(Field::kTheme));
    EXPECT_EQ(state().theme, "light");
    app.apply(scene::turn(Field::kTheme));
    app.apply(scene::turn(Field::kTheme));
    EXPECT_EQ(state().theme, "dark");
    app.apply(scene::turn(Field::kFullScreen));
    EXPECT_TRUE(state().full_screen);
}

TEST_F(AnApp, EscapeClosesOneThingAtATimeAndNeverQuits) {
    act(Action::kN, 3);
    app.apply(scene::turn(Field::kBlank));
    app.apply(scene::turn(Field::kHelp));
    app.apply({.action = Action::kMenu, .menu = Menu::kN});
    act(Action::kEscape);
    EXPECT_EQ(state().menu, Menu::kNone);
    EXPECT_TRUE(state().help);
    act(Action::kEscape);
    EXPECT_FALSE(state().help);
    EXPECT_TRUE(state().blank);
    act(Action::kEscape);
    EXPECT_FALSE(state().blank);
    EXPECT_FALSE(state().messages.empty());
    for (int i = 0; i < 5; ++i) act(Action::kEscape);
    EXPECT_TRUE(state().messages.empty());
    EXPECT_FALSE(state().quit);
    act(Action::kQuit);
    EXPECT_TRUE(state().quit);
}

TEST_F(AnApp, MenusWorkFromTheKeyboard) {
    app.apply({.action = Action::kMenu, .menu = Menu::kWarp});
    EXPECT_EQ(state().menu_row, 0) << "at what is chosen: 4 lanes";
    act(Action::kDown);
    act(Action::kDown);
    act(Action::kActivate);
    EXPECT_EQ(state().menu, Menu::kNone);
    EXPECT_EQ(state().request.warp_size, 16u);
    app.apply({.action = Action::kMenu, .menu = Menu::kWarp});
    act(Action::kUp);
    act(Action::kUp);
    act(Action::kUp);
    EXPECT_EQ(state().menu_row, 3) << "round and round";
}

TEST_F(AnApp, EveryUsableRowOfEveryMenuWorks) {
    for (const Menu menu : {Menu::kKernels, Menu::kN, Menu::kBlock, Menu::kCoarsen, Menu::kWarp, Menu::kInput,
                            Menu::kOperator, Menu::kBackend, Menu::kView}) {
        for (const MenuItem& item : menu_items(menu, teaching_state())) {
            App other(teaching_state(), files.services());
            if (!item.usable) {
                EXPECT_FALSE(item.remark.empty()) << item.label << ": why not?";
                continue;
            }
            other.apply(item.command);
            const bool complained = !other.state().messages.empty() && other.state().messages.back().error;
            EXPECT_FALSE(complained) << item.label << ": " << other.state().messages.back().text;
        }
    }
}

TEST_F(AnApp, StickyMessagesStayUntilDismissed) {
    app.say("The settings file was damaged.", true, true);
    app.say("Saved.", false);
    act(Action::kN, 32);
    ASSERT_EQ(state().messages.size(), 1u);
    EXPECT_EQ(state().messages[0].text, "The settings file was damaged.");
    act(Action::kDismiss, 5);
    EXPECT_EQ(state().messages.size(), 1u);
    act(Action::kDismiss, 0);
    EXPECT_TRUE(state().messages.empty());
}

TEST_F(AnApp, StepsThatRepeatAreOneStepUntilTheyAreOpened) {
    act(Action::kKernel, 0, "sequential");
    act(Action::kForward);
    EXPECT_EQ(state().goal, 16u) << "16 adds alike";
    app.update(0.3);
    EXPECT_EQ(state().playhead(), (study::Playhead{16, 0.5f, 0})) << "half of all of them, in half the time of a step";
    EXPECT_LT(settle(), 1);
    act(Action::kBack);
    EXPECT_EQ(state().goal, 0u);
    settle();
    act(Action::kFold, 0);
    act(Action::kForward);
    EXPECT_EQ(state().goal, 1u);
    settle();
    act(Action::kFold, -1);
    EXPECT_EQ(state().goal, 16u) << "not within what is one step again";
    act(Action::kGoTo, 5);
    EXPECT_EQ(state().goal, 5u);
    EXPECT_EQ(state().open_folds, 1u) << "who asks for one of its steps sees it";
    act(Action::kKernel, 0, "pmpp-simple");
    act(Action::kFold, -1);
    EXPECT_EQ(state().messages.back().text, "No steps of this run repeat, so each has its row.");
    act(Action::kUndo);
    EXPECT_EQ(state().goal, 5u);
    EXPECT_EQ(state().open_folds, 1u);
}

TEST_F(AnApp, AFingerRestsBesideStepsThatAreOne) {
    act(Action::kKernel, 0, "sequential");
    act(Action::kScrub, 4);
    EXPECT_EQ(state().playhead(), (study::Playhead{16, 0.25f, 0}));
    act(Action::kScrubEnd);
    settle();
    EXPECT_EQ(state().playhead(), (study::Playhead{16, 1, 0}));
}

TEST_F(AnApp, GridAndTreeGrowIntoEachOtherInUnderHalfASecond) {
    EXPECT_EQ(state().depth, 1);
    act(Action::kView, 0, "grid");
    app.update(0.1);
    EXPECT_NEAR(state().depth, 0.75, 1e-6);
    act(Action::kView, 0, "tree");
    app.update(0.05);
    EXPECT_NEAR(state().depth, 0.875, 1e-6) << "and back from where it was";
    EXPECT_LT(settle(), 0.5);
    app.apply(scene::turn(Field::kAnimate));
    act(Action::kView, 0, "grid");
    EXPECT_EQ(state().depth, 0) << "at once where nothing is animated";
    act(Action::kView, 0, "warps");
    EXPECT_EQ(state().depth, 1);
}

TEST_F(AnApp, TheCameraTravels) {
    app.apply({.action = Action::kTravel, .camera = {.zoom = 4, .pan = {-300, 0}}});
    app.update(0.2);
    EXPECT_NEAR(state().camera.zoom, 2, 1e-3);
    EXPECT_NEAR(state().camera.pan.x, -100, 0.1);
    EXPECT_LT(settle(), 0.5);
    EXPECT_EQ(state().camera, (scene::Camera{.zoom = 4, .pan = {-300, 0}}));
    act(Action::kCameraReset);
    settle();
    EXPECT_EQ(state().camera, scene::Camera{});
}

TEST_F(AnApp, UndoLooksWhereOneLookedBefore) {
    const scene::Camera close{.zoom = 4, .pan = {-300, 0}};
    app.apply({.action = Action::kCamera, .camera = close});
    act(Action::kN, 32);
    EXPECT_EQ(state().camera, scene::Camera{});
    act(Action::kUndo);
    EXPECT_EQ(state().camera, close);
    EXPECT_EQ(state().request.n, 16u);
}

TEST_F(AnApp, AStepThatAddsNothingHasNoEfficiency) {
    act(Action::kKernel, 0, "harris-3");
    act(Action::kGoTo, 1);
    EXPECT_NE(announcement(state()).find(R"("efficiency":null)"), std::string::npos);
    EXPECT_EQ(lesson::fact("efficiency", *state().subject->facts, 1)->text, "–");
    EXPECT_EQ(lesson::fact("efficiency", *state().subject->facts, 2)->text, "100.0 %");
}

}  // namespace
}  // namespace warptree::state
