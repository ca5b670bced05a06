// Keys: what a lecturer and a presenter's remote press does what the overlay says.
#include "app/state/keys.hpp"

#include <gtest/gtest.h>

#include <set>

namespace warptree::state {
namespace {

/// Which field a key turns.
Field turned(const KeyPress& press, const AppState& state = {}) {
    const auto command = command_for(press, state);
    return command && command->action == Action::kTurn ? command->field : Field::kNone;
}

Action meaning(const KeyPress& press, const AppState& state = {}) {
    const auto command = command_for(press, state);
    return command ? command->action : Action::kNone;
}

TEST(Keys, APresentersRemoteRunsTheShow) {
    EXPECT_EQ(meaning({.named = Named::kPageDown}), Action::kNext);
    EXPECT_EQ(meaning({.named = Named::kPageUp}), Action::kPrevious);
    EXPECT_EQ(turned({.character = U'.'}), Field::kBlank);
    EXPECT_EQ(meaning({.named = Named::kF5}), Action::kLecture);
    EXPECT_EQ(meaning({.named = Named::kEscape}), Action::kEscape);
}

TEST(Keys, OnlyControlQQuits) {
    for (const Binding& binding : bindings()) {
        if (binding.command.action != Action::kQuit) continue;
        EXPECT_EQ(binding.press, (KeyPress{Named::kNone, U'q', true, false}));
    }
    EXPECT_EQ(meaning({.character = U'q'}), Action::kNone);
}

TEST(Keys, PlusNeedsNoShift) {
    for (const char32_t key : {U'+', U'='}) {
        EXPECT_EQ(meaning({.character = key}), Action::kAddColumn);
        const auto larger = command_for({.character = key, .control = true}, {});
        ASSERT_TRUE(larger);
        EXPECT_TRUE(larger->action == Action::kTurn && larger->field == Field::kScale && larger->value > 0);
    }
}

TEST(Keys, NoKeyMeansTwoThings) {
    std::set<std::tuple<int, char32_t, bool, bool, bool>> seen;
    for (const Binding& b : bindings()) {
        EXPECT_TRUE(
            seen.emplace(int(b.press.named), b.press.character, b.press.control, b.press.shift, b.lecture).second)
            << "bound twice: " << b.does << " U+" << std::hex << std::uint32_t(b.press.character);
    }
}

TEST(Keys, DigitsChooseKernels) {
    const auto five = command_for({.character = U'5'}, {});
    ASSERT_TRUE(five);
    EXPECT_EQ(five->action, Action::kKernelNumber);
    EXPECT_EQ(five->value, 4);
}

TEST(Keys, InAMenuArrowsMoveAndSpaceChooses) {
    AppState state;
    EXPECT_EQ(meaning({.named = Named::kDown}, state), Action::kNextBlock);
    state.menu = Menu::kN;
    EXPECT_EQ(meaning({.named = Named::kDown}, state), Action::kDown);
    EXPECT_EQ(meaning({.character = U' '}, state), Action::kActivate);
    EXPECT_EQ(meaning({.named = Named::kEscape}, state), Action::kEscape);
}

TEST(Keys, InTheMenuOfNDigitsAreTyped) {
    AppState state;
    state.menu = Menu::kN;
    const auto five = command_for({.character = U'5'}, state);
    ASSERT_TRUE(five);
    EXPECT_EQ(five->action, Action::kDigit);
    EXPECT_EQ(five->value, 5);
    EXPECT_EQ(meaning({.character = U'0'}, state), Action::kDigit);
    EXPECT_EQ(meaning({.character = U'^'}, state), Action::kCharacter);
    EXPECT_FALSE(command_for({.character = U'6', .shift = true}, state)) << "on some keyboards that is ^";
    EXPECT_EQ(meaning({.named = Named::kBackspace}, state), Action::kErase);
    EXPECT_EQ(turned({.character = U'0', .control = true}, state), Field::kScale);
    EXPECT_FALSE(command_for({.character = U't'}, state)) << "letters do not leak out as shortcuts";
    EXPECT_EQ(meaning({.character = U'n'}, state), Action::kMenu) << "the menu's own key closes it";
    state.menu = Menu::kWarp;
    EXPECT_FALSE(command_for({.character = U'5'}, state));
    state.menu = Menu::kInput;
    EXPECT_EQ(meaning({.character = U't'}, state), Action::kCharacter) << "a rule can be typed by its name";
    state.typed = "t";
    EXPECT_EQ(meaning({.character = U'i'}, state), Action::kCharacter);
}

TEST(Keys, ABlankScreenComesBackWithoutSkippingAStep) {
    AppState state;
    state.blank = true;
    EXPECT_EQ(turned({.named = Named::kPageDown}, state), Field::kBlank);
    EXPECT_EQ(turned({.named = Named::kLeft}, state), Field::kBlank);
    EXPECT_EQ(meaning({.named = Named::kHome}, state), Action::kFirst);
}

}  // namespace
}  // namespace warptree::state
