// Questions that a run answers, by commands: what may be changed, how a run is graded, what undo and settings keep.
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "app/state/keys.hpp"
#include "app/state/settings.hpp"
#include "app/state/testing.hpp"

namespace warptree::state {
namespace {

class ARunQuestion : public AnApp {
protected:
    ARunQuestion() { open(true); }
    ~ARunQuestion() override { std::filesystem::remove(path_); }
    /// A file of two scenes, the second of which asks for a block without conflicts.
    void open(bool exercises) {
        const std::string scene = "[[scene]]\nkernel = \"harris-2\"\nn = 512\nblock = 128\n";
        std::ofstream(path_) << fmt::format("title = \"T\"\nteaches = \"S.\"\nexercises = {}\n{}{}", exercises, scene,
                                            "question = { ask = \"?\", step = 2, fact = \"operations\" }\n")
                             << scene
                             << "question = { ask = \"Which block?\", change = [\"block\"], "
                                "holds = [\"shared_conflicts == 0\"], answer = { block = 32 }, "
                                "why = \"{barriers_so_far} barriers.\" }\n";
        act(Action::kLesson, 0, path_);
        while (place().scene == 0) press({.named = Named::kPageDown});
        if (!exercises) press({.named = Named::kPageDown});
    }
    void press(const KeyPress& key) {
        if (const auto command = command_for(key, state())) app.apply(*command);
    }
    void enter() { press({.named = Named::kEnter}); }
    const LessonPlace& place() const { return state().lesson; }
    const Answer& answer() const { return place().answers.back(); }
    const std::string path_ = (std::filesystem::temp_directory_path() / "warptree-run-question.toml").string();
};

TEST_F(ARunQuestion, AsksOfTheWholeRunAndHidesNothing) {
    EXPECT_TRUE(place().asking);
    EXPECT_EQ(state().goal, state().steps());
    EXPECT_EQ(state().told(), study::Playhead::kAllTold);
    act(Action::kView, 0, "compare");
    EXPECT_EQ(state().view, scene::View::kCompare) << "no view gives the answer away";
    act(Action::kView, 0, "compare");
    press({.named = Named::kPageDown});
    ASSERT_TRUE(place().asking);
    act(Action::kBack);
    EXPECT_FALSE(place().asking) << "steps are looked at behind the card";
    act(Action::kForward);
    EXPECT_FALSE(answer().revealed) << "and none of them answers";
}

TEST_F(ARunQuestion, WhatItLetsBeChangedIsAndNothingElse) {
    act(Action::kBlock, 64);
    EXPECT_EQ(state().request.block, 64u);
    EXPECT_EQ(answer().given, "block 64");
    EXPECT_EQ(state().goal, state().steps()) << "the end stays the end";
    EXPECT_TRUE(place().asking);
    const auto now = state().request;
    act(Action::kN, 1024);
    EXPECT_NE(state().messages.back().text.find("lets you change is block"), std::string::npos);
    press({.character = U'1'});
    act(Action::kKernel, 0, "pmpp-simple");
    act(Action::kTeachingSize);
    EXPECT_EQ(state().request, now);
    act(Action::kUndo);
    EXPECT_EQ(answer().given, "") << "as the run, so the answer";
    act(Action::kRedo);
    EXPECT_EQ(answer().given, "block 64");
    act(Action::kBlock, 128);
    EXPECT_EQ(answer().given, "") << "the scene's own run is no answer";
    EXPECT_TRUE(place().lesson);
}

TEST_F(ARunQuestion, ARightRunCountsAndIsToldWithItsFigures) {
    act(Action::kBlock, 16);
    enter();
    EXPECT_TRUE(answer().revealed && answer().right);
    EXPECT_EQ(place().points(), "1");
    EXPECT_EQ(answer().found, "Answer: block 16: ✓ bank conflicts == 0 (bank conflicts is 0). 172 barriers.");
    EXPECT_EQ(state().request.block, 16u);
    EXPECT_FALSE(place().asking);
    act(Action::kBlock, 64);
    EXPECT_EQ(answer().given, "block 16") << "what comes after is no answer";
    EXPECT_TRUE(place().lesson);
    enter();
    EXPECT_TRUE(answer().right);
}

TEST_F(ARunQuestion, AWrongOneIsToldWhyAndTriedOnceMoreForHalfAPoint) {
    act(Action::kBlock, 64);
    enter();
    EXPECT_TRUE(place().asking);
    EXPECT_EQ(answer().first, "block 64");
    EXPECT_EQ(answer().found, "✗ bank conflicts == 0 (bank conflicts is 120)");
    act(Action::kUndo);
    EXPECT_EQ(answer().first, "block 64") << "no undo makes a try undone";
    act(Action::kBlock, 32);
    enter();
    EXPECT_TRUE(answer().right);
    EXPECT_EQ(place().points(), "½");
}

TEST_F(ARunQuestion, ASecondWrongOneGivesWayToTheAnswer) {
    act(Action::kBlock, 64);
    enter();
    enter();
    EXPECT_TRUE(answer().revealed);
    EXPECT_FALSE(answer().right);
    EXPECT_EQ(state().request.block, 32u);
    EXPECT_EQ(answer().found,
              "Not block 64: ✗ bank conflicts == 0 (bank conflicts is 120). Answer: block 32: ✓ bank conflicts "
              "== 0 (bank conflicts is 0). 101 barriers.");
    act(Action::kUndo);
    EXPECT_TRUE(answer().revealed) << "what was told stays told";
    EXPECT_EQ(state().request.block, 64u) << "and the run that was tried comes back";
    EXPECT_TRUE(place().lesson);
}

TEST_F(ARunQuestion, SettingsKeepTheRunThatWasChosenAndWhatWasTried) {
    act(Action::kBlock, 64);
    enter();
    act(Action::kBlock, 16);
    App again(state_from(remembered(state(), {})), files.services());
    ASSERT_TRUE(again.state().lesson.lesson);
    EXPECT_EQ(again.state().request.block, 16u);
    EXPECT_EQ(again.state().lesson.answers.back().first, "block 64");
    EXPECT_TRUE(again.state().lesson.asking);
    again.apply({.action = Action::kNext});
    EXPECT_EQ(again.state().lesson.points(), "½");
    App later(state_from(remembered(again.state(), {})), files.services());
    EXPECT_EQ(later.state().lesson.answers.back().found, again.state().lesson.answers.back().found);
    Json bad = remembered(again.state(), {});
    bad["run"]["answers"][1] = "block 7";
    App other(state_from(bad), files.services());
    EXPECT_EQ(other.state().request.block, 128u) << "no such run: the scene's own";
}

TEST_F(ARunQuestion, OfALessonIsAnsweredByPageDownAlone) {
    open(false);
    ASSERT_TRUE(place().asking);
    press({.named = Named::kPageDown});
    EXPECT_EQ(state().request.block, 32u) << "nothing was chosen: the answer is shown";
    EXPECT_TRUE(answer().revealed && !answer().right);
    press({.named = Named::kPageDown});
    EXPECT_TRUE(place().over);
}

}  // namespace
}  // namespace warptree::state
