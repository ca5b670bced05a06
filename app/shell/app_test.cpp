// The app's model: stepping, playing, scrubbing, choices that fail and succeed, undo, looks.
#include "app/shell/app.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "app/shell/menus.hpp"
#include "app/shell/testing.hpp"

namespace warptree::shell {
namespace {

class AnApp : public testing::Test {
protected:
    void act(Action action, double value = 0, std::string text = {}) {
        app.apply({.action = action, .value = value, .text = std::move(text)});
    }
    const AppState& state() const { return app.state(); }
    /// Lets time pass in frames. returns  seconds until nothing moved
    double settle() {
        double seconds = 0;
        for (; app.moving() && seconds < 60; seconds += 1.0 / 60) app.update(1.0 / 60);
        return seconds;
    }
    FakeFiles files;
    App app{teaching_state(), files.services()};
};

TEST_F(AnApp, StartsBeforeTheFirstStep) {
    ASSERT_NE(state().subject, nullptr);
    EXPECT_EQ(state().goal, 0u);
    EXPECT_EQ(state().steps(), 5u) << "16 elements, simple: four strides and the output";
    EXPECT_TRUE(state().messages.empty());
    EXPECT_FALSE(app.moving());
}

TEST_F(AnApp, TheTournamentBringsItsTeamsAndTakesAnyNumberOfVenues) {
    act(Action::kKernel, 0, "tournament");
    EXPECT_EQ(state().request.op, "beats");
    EXPECT_EQ(state().request.input, "teams");
    EXPECT_EQ(state().subject->trace.launch.n, 8u);
    EXPECT_EQ(state().steps(), 4u) << "three rounds at four venues, and the output";
    act(Action::kBlock, 1);
    EXPECT_EQ(state().steps(), 8u) << "seven matches at one venue";
    act(Action::kOperator, 0, "sum");
    EXPECT_EQ(state().request.op, "sum") << "another operator may be chosen";
    act(Action::kUndo);
    act(Action::kUndo);
    act(Action::kUndo);
    EXPECT_EQ(state().request.kernel, "pmpp-simple");
    EXPECT_EQ(state().request.op, "sum");
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
    EXPECT_EQ(state().playhead(), (scene::Playhead{1, 1}));
}

TEST_F(AnApp, BackIsForwardInReverse) {
    act(Action::kForward);
    app.update(0.15);
    const scene::Playhead early = state().playhead();
    settle();
    act(Action::kBack);
    EXPECT_EQ(state().goal, 0u);
    app.update(0.45);
    EXPECT_EQ(state().playhead().position, early.position);
    EXPECT_NEAR(state().playhead().progress, early.progress, 1e-5);
    settle();
    EXPECT_EQ(state().playhead(), scene::Playhead{});
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
    EXPECT_EQ(state().playhead(), (scene::Playhead{5, 1}));
    act(Action::kFirst);
    EXPECT_EQ(state().playhead(), scene::Playhead{});
    act(Action::kGoTo, 3);
    EXPECT_EQ(state().playhead(), (scene::Playhead{3, 1}));
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
    act(Action::kFaster);
    act(Action::kFaster);
    EXPECT_EQ(state().transport.speed, 4);
    act(Action::kPlayPause);
    EXPECT_EQ(state().goal, 0u) << "from the beginning";
    EXPECT_NEAR(settle(), slow / 4, slow / 16);
    act(Action::kNextSpeed);
    EXPECT_EQ(state().transport.speed, 0.25f) << "round and round";
    act(Action::kSlower);
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
    EXPECT_EQ(state().playhead(), (scene::Playhead{2, 1}));
    act(Action::kScrub, 77);
    EXPECT_EQ(state().playhead(), (scene::Playhead{5, 1}));
}

TEST_F(AnApp, WithoutAnimationNothingMovesOnItsOwn) {
    act(Action::kAnimation);
    EXPECT_FALSE(state().animate);
    act(Action::kForward);
    EXPECT_FALSE(app.moving());
    EXPECT_EQ(state().playhead(), (scene::Playhead{1, 1}));
    act(Action::kScrub, 2.25);
    EXPECT_EQ(state().playhead(), (scene::Playhead{3, 1}));
}

TEST_F(AnApp, AnotherKernelKeepsThePlace) {
    act(Action::kGoTo, 3);
    act(Action::kKernelNumber, 1);
    EXPECT_EQ(state().request.kernel, "pmpp-convergent");
    EXPECT_EQ(state().subject->trace.launch.kernel, "pmpp-convergent");
    EXPECT_EQ(state().goal, 3u);
    EXPECT_EQ(state().playhead(), (scene::Playhead{3, 1}));
}

TEST_F(AnApp, ABadRequestIsSaidAndTheLastGoodStateStays) {
    const auto before = state().subject;
    for (const auto& [action, value, text] : {std::tuple{Action::kN, 3.0, ""},
                                              {Action::kN, -4.0, ""},
                                              {Action::kWarpSize, 5.0, ""},
                                              {Action::kKernel, 0.0, "pmpp-simpel"},
                                              {Action::kInput, 0.0, "zeros"},
                                              {Action::kKernelNumber, 77.0, ""},
                                              {Action::kTheme, 0.0, "mauve"}}) {
        act(action, value, text);
        ASSERT_EQ(state().messages.size(), 1u);
        EXPECT_TRUE(state().messages[0].error);
        EXPECT_GT(state().messages[0].text.size(), 20u);
        EXPECT_EQ(state().subject, before);
        EXPECT_EQ(state().request, teaching_state().request);
        EXPECT_EQ(state().theme, "dark");
    }
    act(Action::kN, 32);
    EXPECT_TRUE(state().messages.empty()) << "a choice that works takes the complaint away";
}

TEST_F(AnApp, TheSameChoiceAgainRunsNothing) {
    const int before = files.recorded;
    act(Action::kN, 16);
    act(Action::kKernel, 0, "pmpp-simple");
    EXPECT_EQ(files.recorded, before);
}

TEST_F(AnApp, BlocksAndCoarseningGoWithTheKernelsThatHaveThem) {
    EXPECT_FALSE(menu_applies(Menu::kBlock, state())) << "simple is one block of N / 2 threads";
    EXPECT_FALSE(menu_applies(Menu::kCoarsen, state()));
    act(Action::kTeachingSize);
    act(Action::kKernel, 0, "pmpp-coarsened");
    EXPECT_TRUE(menu_applies(Menu::kCoarsen, state()));
    EXPECT_TRUE(menu_applies(Menu::kBlock, state()));
    EXPECT_EQ(state().subject->trace.launch.coarsen, 2u);
    act(Action::kBlock, 32);
    EXPECT_EQ(state().subject->trace.launch.block, 32u);
    act(Action::kCoarsen, 4);
    EXPECT_EQ(state().subject->trace.launch.coarsen, 4u);
    act(Action::kKernel, 0, "pmpp-segmented");
    EXPECT_EQ(state().subject->trace.launch.coarsen, 1u) << state().messages.size();
    EXPECT_TRUE(state().messages.empty());
}

TEST_F(AnApp, BlocksAreShownInTurn) {
    act(Action::kNextBlock);
    EXPECT_EQ(state().messages.size(), 1u) << "there is one block only";
    act(Action::kTeachingSize);
    act(Action::kKernel, 0, "pmpp-segmented");
    act(Action::kBlock, 32);
    ASSERT_EQ(state().subject->trace.launch.grid, 4u);
    act(Action::kGoTo, 2);
    const int before = files.recorded;
    act(Action::kNextBlock);
    EXPECT_EQ(state().subject->block, 1u);
    act(Action::kPreviousBlock);
    act(Action::kPreviousBlock);
    EXPECT_EQ(state().subject->block, 3u);
    EXPECT_EQ(state().goal, 2u);
    EXPECT_EQ(files.recorded, before) << "nothing runs again";
}

TEST_F(AnApp, TeachingSizeAndBack) {
    act(Action::kTeachingSize);
    EXPECT_EQ(state().request.n, 256u);
    EXPECT_EQ(state().request.warp_size, 32u);
    act(Action::kTeachingSize);
    EXPECT_EQ(state().request.n, 16u);
    EXPECT_EQ(state().request.warp_size, 4u);
}

TEST_F(AnApp, UndoTakesBackChoicesOneByOne) {
    act(Action::kGoTo, 2);
    act(Action::kTeachingSize);
    act(Action::kKernelNumber, 2);
    act(Action::kLast);
    act(Action::kUndo);
    EXPECT_EQ(state().request.kernel, "pmpp-simple");
    EXPECT_EQ(state().request.n, 256u);
    act(Action::kUndo);
    EXPECT_EQ(state().request.n, 16u);
    EXPECT_EQ(state().goal, 2u);
    EXPECT_EQ(state().subject->trace.launch.n, 16u);
    act(Action::kUndo);
    EXPECT_FALSE(state().messages.empty()) << "there is no more";
    EXPECT_EQ(state().request.n, 16u);
}

TEST_F(AnApp, SavesAndOpensFiles) {
    act(Action::kGoTo, 4);
    act(Action::kSave);
    ASSERT_EQ(files.files.count("pmpp-simple-n16-w4.wtrace"), 1u);
    EXPECT_NE(state().messages.back().text.find("pmpp-simple-n16-w4.wtrace"), std::string::npos);
    act(Action::kTeachingSize);
    act(Action::kOpen, 0, "pmpp-simple-n16-w4.wtrace");
    EXPECT_EQ(state().subject->trace.launch.n, 16u);
    EXPECT_EQ(state().file, "pmpp-simple-n16-w4.wtrace");
    EXPECT_EQ(state().goal, 0u);

    const auto before = state().subject;
    act(Action::kOpen, 0, "missing.wtrace");
    EXPECT_TRUE(state().messages.back().error);
    EXPECT_EQ(state().subject, before);

    trace::Trace foreign = files.files.begin()->second;
    foreign.launch.kernel = "quantum-sum";
    files.files["foreign.wtrace"] = foreign;
    act(Action::kOpen, 0, "foreign.wtrace");
    EXPECT_NE(state().messages.back().text.find("quantum-sum"), std::string::npos);
    EXPECT_EQ(state().subject, before);
}

TEST_F(AnApp, SettingsThatDoNotRunFallBackToWhatDoes) {
    AppState bad = teaching_state();
    bad.request.kernel = "no-such-kernel";
    const App other(bad, files.services());
    ASSERT_NE(other.state().subject, nullptr);
    EXPECT_EQ(other.state().request.kernel, "pmpp-simple");
}

TEST_F(AnApp, ScaleThemeAndSwitches) {
    for (int i = 0; i < 50; ++i) act(Action::kScaleUp);
    EXPECT_FLOAT_EQ(state().scale, kMostScale);
    for (int i = 0; i < 50; ++i) act(Action::kScaleDown);
    EXPECT_FLOAT_EQ(state().scale, kLeastScale);
    act(Action::kScaleReset);
    EXPECT_FLOAT_EQ(state().scale, 1);
    act(Action::kNextTheme);
    EXPECT_EQ(state().theme, "light");
    act(Action::kNextTheme);
    act(Action::kNextTheme);
    EXPECT_EQ(state().theme, "dark");
    act(Action::kFullScreen);
    EXPECT_TRUE(state().full_screen);
}

TEST_F(AnApp, EscapeClosesOneThingAtATimeAndNeverQuits) {
    act(Action::kN, 3);
    act(Action::kBlank);
    act(Action::kHelp);
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

TEST_F(AnApp, OperatorsAndTypesAreChosenAndFitted) {
    act(Action::kOperator, 0, "max");
    EXPECT_EQ(state().subject->trace.launch.op, "max");
    EXPECT_EQ(state().request.type, trace::Type::kFloat32) << "max takes it: nothing to change";
    act(Action::kType, 0, "float64");
    EXPECT_EQ(state().subject->trace.value.type(), trace::Type::kFloat64);
    EXPECT_EQ(menu_label(Menu::kOperator, state()), "max float64");
    act(Action::kOperator, 0, "matrix");
    EXPECT_EQ(state().request.type, trace::Type::kInt32) << "matrices are made of whole numbers";
    EXPECT_EQ(state().subject->trace.value.type(), trace::Type::kMatrix);
    act(Action::kType, 0, "float32");
    EXPECT_EQ(state().request.type, trace::Type::kInt32);
    ASSERT_FALSE(state().messages.empty());
    EXPECT_TRUE(state().messages.back().error) << "matrix cannot take float32, and the message says so";
    act(Action::kUndo);
    EXPECT_EQ(menu_label(Menu::kOperator, state()), "max float64");
}

TEST_F(AnApp, AnyNumberCanBeTypedIntoTheMenuOfN) {
    act(Action::kKernel, 0, "pmpp-segmented");
    act(Action::kDigit, 7);
    EXPECT_EQ(state().typed, "") << "only into the open menu";
    app.apply({.action = Action::kMenu, .menu = Menu::kN});
    EXPECT_EQ(menu_items(Menu::kN, state()).back().remark, "Type its digits, then Enter.");
    for (const int digit : {0, 3, 0, 0, 1}) act(Action::kDigit, digit);
    EXPECT_EQ(state().typed, "3001") << "no zero in front";
    act(Action::kErase);
    EXPECT_EQ(menu_items(Menu::kN, state()).front().label, "N = 300");
    act(Action::kActivate);
    EXPECT_EQ(state().menu, Menu::kNone);
    EXPECT_EQ(state().request.n, 300u);
    EXPECT_EQ(state().subject->trace.launch.n, 300u);
    app.apply({.action = Action::kMenu, .menu = Menu::kN});
    EXPECT_EQ(state().typed, "") << "a menu begins anew";
    for (int i = 0; i < 30; ++i) act(Action::kDigit, 9);
    EXPECT_EQ(state().typed.size(), 10u);
    act(Action::kActivate);
    EXPECT_EQ(state().menu, Menu::kN) << "the number can still be mended";
    EXPECT_TRUE(state().messages.back().error);
    EXPECT_NE(state().messages.back().text.find("9999999999"), std::string::npos) << state().messages.back().text;
    EXPECT_EQ(state().request.n, 300u);
    for (int i = 0; i < 30; ++i) act(Action::kErase);
    EXPECT_EQ(state().typed, "");
    EXPECT_EQ(state().menu_row, -1);
}

TEST_F(AnApp, LargeNIsOfferedWhereTheKernelTakesIt) {
    const auto offers = [&](std::uint64_t n) {
        const auto items = menu_items(Menu::kN, state());
        return std::ranges::find(items, std::to_string(n), &MenuItem::label) != items.end();
    };
    EXPECT_TRUE(offers(4096)) << "with the reason why pmpp-simple does not take it";
    EXPECT_FALSE(offers(1 << 20));
    act(Action::kKernel, 0, "pmpp-segmented");
    EXPECT_TRUE(offers(1 << 20));
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

}  // namespace
}  // namespace warptree::shell
