// A lesson by commands: its keys, its gates, what leaves it and what comes back.
#include <filesystem>
#include <fstream>

#include "app/lesson/hand_in.hpp"
#include "app/lesson/lesson.hpp"
#include "app/state/keys.hpp"
#include "app/state/settings.hpp"
#include "app/state/testing.hpp"

namespace warptree::state {
namespace {

class ALesson : public AnApp {
protected:
    ALesson() {
        app.apply(scene::turn(Field::kAnimate));
        act(Action::kLesson, 0, "divergence");
    }
    void press(const KeyPress& key) {
        if (const auto command = command_for(key, state())) app.apply(*command);
    }
    void page_down(int times = 1) {
        for (; times > 0; --times) press({.named = Named::kPageDown});
    }
    void page_up() { press({.named = Named::kPageUp}); }
    const LessonPlace& place() const { return state().lesson; }
    /// To the question of scene 2, not yet on the screen: step 1 is over.
    void to_the_gate() { page_down(2); }
};

TEST_F(ALesson, PageDownGoesThroughStepsQuestionsAndScenesAndPageUpBack) {
    EXPECT_EQ(state().request.kernel, "pmpp-simple");
    EXPECT_EQ(state().goal, 0u);
    page_down();
    EXPECT_EQ(state().goal, 1u);
    page_down();
    EXPECT_EQ(place().scene, 1u);
    EXPECT_EQ(state().goal, 1u);
    EXPECT_TRUE(place().gated());
    EXPECT_FALSE(place().asking) << "its words come first";
    page_down();
    EXPECT_TRUE(place().asking);
    EXPECT_EQ(state().goal, 1u);
    page_down();
    EXPECT_FALSE(place().asking || place().gated());
    EXPECT_EQ(state().goal, 2u);
    page_down();
    EXPECT_EQ(place().scene, 2u);
    page_up();
    EXPECT_EQ(place().scene, 1u);
    EXPECT_EQ(state().goal, 2u);
    page_up();
    EXPECT_EQ(state().goal, 1u);
    page_up();
    EXPECT_EQ(place().scene, 0u);
    EXPECT_EQ(state().goal, 1u);
}

TEST_F(ALesson, OfAFileIsReadAgainAtTheSameScene) {
    EXPECT_TRUE(state().watched().empty()) << "a shipped one has no file";
    const std::string path = (std::filesystem::temp_directory_path() / "warptree-again.toml").string();
    const auto write = [&](const std::string& caption, const char* end = "") {
        const std::string scene = "[[scene]]\nkernel = \"pmpp-simple\"\nn = 16\ncaption = \"" + caption + "\"\n";
        std::ofstream(path) << "title = \"T\"\nteaches = \"One thing.\"\n" << scene << scene << end;
    };
    write("One.");
    act(Action::kLesson, 0, path);
    page_down(static_cast<int>(state().steps()) + 3);
    ASSERT_EQ(place().scene, 1u);
    const std::size_t goal = state().goal;
    ASSERT_GT(goal, 0u);
    EXPECT_EQ(state().watched(), std::vector<std::filesystem::path>{path});
    write("Two.");
    act(Action::kRunAgain);
    EXPECT_EQ(place().scene, 1u);
    EXPECT_EQ(state().goal, goal);
    EXPECT_EQ(place().on_show()->caption, "Two.");
    write("Three.", "kernel =");
    act(Action::kRunAgain);
    EXPECT_EQ(place().on_show()->caption, "Two.") << "what cannot be read leaves the old one";
    ASSERT_FALSE(state().messages.empty());
    EXPECT_NE(state().messages.back().text.find("line"), std::string::npos) << state().messages.back().text;
    std::filesystem::remove(path);
}

/// Scene 1 and its question in scene 2 are of the same run.
TEST_F(ALesson, WhatIsAskedLaterIsHiddenInEarlierScenesUntilItIsAnswered) {
    ASSERT_EQ(place().lesson->scenes[0].request, place().lesson->scenes[1].request);
    ASSERT_EQ(place().lesson->scenes[1].question->step, 2u);
    EXPECT_EQ(state().told(), 1u);
    EXPECT_TRUE(state().playhead().hides(1));
    EXPECT_FALSE(state().playhead().hides(0)) << "this scene shows it";
    page_down(4);
    ASSERT_EQ(state().goal, 2u) << "the question is answered";
    page_up();
    page_up();
    ASSERT_EQ(place().scene, 0u);
    EXPECT_EQ(state().told(), 2u) << "up to what scene 3 asks about";
    act(Action::kLesson);
    EXPECT_EQ(state().told(), study::Playhead::kAllTold) << "nobody asks";
}

/// Every choice of a view is the scene's, or as usual: never what was chosen by hand, in the lesson or before it.
TEST_F(ALesson, ItsScenesSetEveryChoiceAndLeavingBringsOnesOwnBack) {
    act(Action::kLesson);
    const std::string path = (std::filesystem::temp_directory_path() / "warptree-scenes.toml").string();
    std::ofstream(path) << R"(title = "T"
teaches = "One thing."
[[scene]]
kernel = "pmpp-segmented"
n = 64
block = 4
warp-size = 4
show = { errors = true, block = 3 }
[[scene]]
kernel = "pmpp-segmented"
n = 64
block = 4
warp-size = 4
view = "coarsening"
show = { factor = 4, at_once = 2 }
[[scene]]
kernel = "pmpp-segmented"
n = 64
block = 4
warp-size = 4
view = "accuracy"
show = { accuracy = "repeats" }
[[scene]]
kernel = "pmpp-segmented"
n = 64
block = 4
warp-size = 4
)";
    app.apply(scene::set(Field::kAccuracy, "rms"));
    app.apply(scene::set(Field::kFactor, 8));
    act(Action::kLesson, 0, path);
    const auto stands = [&](std::uint32_t block, bool errors, std::uint32_t factor, study::AccuracyPicture picture) {
        EXPECT_EQ(state().subject->block, block);
        EXPECT_EQ(state().errors, errors);
        EXPECT_EQ(state().coarsening.factor, factor);
        EXPECT_EQ(state().coarsening.resident, factor == 4 ? 2u : 1u);
        EXPECT_EQ(state().accuracy, picture);
    };
    using enum study::AccuracyPicture;
    const auto on = [&] {
        act(Action::kLast);
        page_down();
    };
    stands(3, true, 0, kWorst);
    act(Action::kNextBlock);
    app.apply(scene::set(Field::kAccuracy, "bandwidth"));
    on();
    stands(0, false, 4, kWorst);
    on();
    stands(0, false, 0, kRepeats);
    app.apply(scene::set(Field::kFactor, 2));
    const Json kept = remembered(state(), {}, {});
    EXPECT_EQ(kept["look"]["accuracy"], "rms") << "settings keep one's own choices, not a scene's";
    EXPECT_EQ(kept["look"]["factor"], 8);
    on();
    stands(0, false, 0, kWorst);
    page_up();
    stands(0, false, 0, kRepeats);
    act(Action::kEscape);
    EXPECT_EQ(place().lesson, nullptr);
    stands(0, false, 8, kRms);
    act(Action::kUndo);
    EXPECT_EQ(place().scene, 2u);
    stands(0, false, 0, kRepeats);
    std::filesystem::remove(path);
}

TEST_F(ALesson, NothingPassesAQuestionButItsAnswer) {
    to_the_gate();
    EXPECT_EQ(state().playhead().told, 1u);
    act(Action::kLast);
    EXPECT_EQ(state().goal, 1u);
    act(Action::kGoTo, 5);
    EXPECT_EQ(state().goal, 1u);
    act(Action::kScrub, 4.5);
    EXPECT_EQ(state().time, 1);
    act(Action::kScrubEnd);
    act(Action::kForwardPhase);
    EXPECT_EQ(state().goal, 1u);
    EXPECT_TRUE(place().asking) << "steps forward come to the question";
    press({.named = Named::kEscape});
    EXPECT_FALSE(place().asking);
    act(Action::kPlayPause);
    settle();
    EXPECT_EQ(state().goal, 1u);
    for (const scene::ViewRow& row : scene::view_rows()) {
        act(Action::kView, 0, std::string(row.name));
        EXPECT_TRUE(lesson::can_ask(state().view)) << row.name;
    }
    EXPECT_TRUE(place().gated());
}

TEST_F(ALesson, KeepsWithinItsScene) {
    act(Action::kLast);
    EXPECT_EQ(state().goal, 1u);
    act(Action::kForward);
    EXPECT_EQ(state().goal, 1u) << "Page Down alone goes on to the next scene";
    page_down(4);
    act(Action::kFirst);
    EXPECT_EQ(state().goal, 2u) << "where scene 3 begins";
}

TEST_F(ALesson, CountsAnswersThatWereRight) {
    to_the_gate();
    page_down();
    press({.character = U'9'});
    EXPECT_EQ(place().answers[1].given, "") << "there are four choices";
    EXPECT_EQ(state().request.kernel, "pmpp-simple") << "digits choose answers now, not kernels";
    press({.character = U'1'});
    EXPECT_EQ(place().answers[1].given, "0");
    press({.character = U'4'});
    EXPECT_EQ(place().answers[1].given, "4");
    press({.named = Named::kEnter});
    EXPECT_TRUE(place().answers[1].revealed && place().answers[1].right);
    page_down(2);
    ASSERT_TRUE(place().asking);
    press({.character = U'1'});
    page_down();
    EXPECT_TRUE(place().answers[2].revealed);
    EXPECT_FALSE(place().answers[2].right);
}

TEST_F(ALesson, TakesANumberTyped) {
    act(Action::kLesson, 0, "tree");
    while (!(place().scene == 3 && place().asking)) page_down();
    EXPECT_TRUE(place().posed->choices.empty());
    for (const char32_t digit : U"061") {
        if (digit != 0) press({.character = digit});
    }
    EXPECT_EQ(place().answers[3].given, "61");
    press({.named = Named::kBackspace});
    press({.character = U'0'});
    EXPECT_EQ(place().answers[3].given, "60");
    page_down();
    EXPECT_TRUE(place().answers[3].right);
}

TEST_F(ALesson, AnotherChoiceLeavesItAndUndoComesBack) {
    page_down(4);
    const std::size_t scene = place().scene, goal = state().goal;
    act(Action::kKernel, 0, "pmpp-shared");
    EXPECT_FALSE(place().lesson);
    EXPECT_NE(state().messages.back().text.find("“Divergence” at scene 2; Ctrl Z"), std::string::npos);
    act(Action::kLast);
    act(Action::kUndo);
    ASSERT_TRUE(place().lesson);
    EXPECT_EQ(place().scene, scene);
    EXPECT_EQ(state().goal, goal);
    press({.named = Named::kEscape});
    EXPECT_FALSE(place().lesson) << "nothing else was open";
    act(Action::kUndo);
    EXPECT_EQ(place().scene, scene);
    page_down();
    act(Action::kUndo);
    EXPECT_EQ(place().scene, scene) << "a scene is taken back like a choice";
    EXPECT_EQ(state().goal, goal);
    EXPECT_FALSE(place().gated()) << "with what was revealed";
}

TEST_F(ALesson, IsWhereItWasAfterARestart) {
    page_down(5);
    ASSERT_EQ(place().scene, 2u);
    Json settings = remembered(state(), {});
    EXPECT_EQ(settings["run"]["lesson"], "divergence");
    App again(state_from(settings), files.services());
    ASSERT_TRUE(again.state().lesson.lesson);
    EXPECT_EQ(again.state().lesson.scene, 2u);
    EXPECT_EQ(again.state().goal, 2u);
    EXPECT_TRUE(again.state().lesson.gated());
    settings["run"]["step"] = 3;
    App later(state_from(settings), files.services());
    EXPECT_FALSE(later.state().lesson.gated()) << "its answer was on the screen";
    settings["run"]["lesson"] = "/nowhere.toml";
    App without(state_from(settings), files.services());
    EXPECT_FALSE(without.state().lesson.lesson);
    EXPECT_NE(without.state().messages.back().text.find("There is no lesson '/nowhere.toml'"), std::string::npos);
}

TEST_F(ALesson, AnswersAndScoreSurviveARestart) {
    act(Action::kLesson, 0, "exercises-reductions");
    for (int question = 0; question < 4; ++question) {
        while (!place().asking) page_down();
        if (question == 3) {
            for (const char32_t digit : {U'3', U'8'}) press({.character = digit});
            break;
        }
        press({.character = U'4'});  // right for the first alone
        while (place().asking) page_down();
    }
    EXPECT_EQ(place().right(), 1u);
    const Json settings = remembered(state(), {});
    App again(state_from(settings), files.services());
    EXPECT_EQ(again.state().lesson.answers, place().answers);
    EXPECT_EQ(again.state().lesson.answers[3].given, "38") << "not even shown yet";
    EXPECT_EQ(again.state().lesson.right(), 1u);
    EXPECT_EQ(again.state().lesson.scene, 3u);
    Json other = settings;
    other["run"]["answers"].erase(0);
    App changed(state_from(other), files.services());
    EXPECT_EQ(changed.state().lesson.answers[0].given, "") << "another lesson by now";
    again.apply({.action = Action::kLesson, .text = "exercises-reductions"});
    EXPECT_EQ(again.state().lesson.right(), 0u) << "chosen again it begins anew";
}

TEST_F(ALesson, TheCardAtAKernelsEndStaysWhileLooksChange) {
    act(Action::kLesson);
    act(Action::kKernel, 0, "pmpp-simple");
    act(Action::kLast);
    page_down();
    ASSERT_TRUE(state().card);
    app.apply(scene::set(Field::kText, "hall"));
    app.apply(scene::turn(Field::kTheme));
    act(Action::kLecture), act(Action::kLaser), act(Action::kSpeaker), act(Action::kLecture);
    act(Action::kPoint), act(Action::kClock, 3, "12:00"), act(Action::kMonitors, 2);
    EXPECT_TRUE(state().card) << "it is still the same end";
    act(Action::kBack);
    EXPECT_FALSE(state().card);
}

class Exercises : public ALesson {
protected:
    Exercises() { act(Action::kLesson, 0, "exercises-reductions"); }
    /// Chooses or types an answer; any that is wrong, or the right one.
    void give(bool right) {
        const lesson::Posed& posed = *place().posed;
        if (place().of_run()) {
            const std::string text = right ? posed.right.text : "block 64", value = text.substr(text.find(' ') + 1);
            if (text.starts_with("kernel")) return act(Action::kKernel, 0, value);
            return act(text.starts_with("block") ? Action::kBlock : Action::kCoarsen, std::stod(value));
        }
        if (posed.choices.empty())
            for (const char digit : right ? posed.answer() : std::string("999"))
                press({.character = static_cast<char32_t>(digit)});
        else
            act(Action::kAnswer, static_cast<double>((posed.correct + (right ? 0 : 1)) % posed.choices.size()));
    }
    void to_the_question() {
        for (int tries = 0; tries < 40 && !place().asking && !place().over; ++tries) page_down();
    }
};

TEST_F(Exercises, AskAtOnceAndASecondTryCountsHalf) {
    EXPECT_TRUE(place().asking) << "the first question stands there at once";
    give(false);
    const std::string wrong = place().answers[0].given;
    page_down();
    EXPECT_TRUE(place().asking) << "once more";
    EXPECT_EQ(place().answers[0].first, wrong);
    EXPECT_EQ(place().answers[0].given, "");
    EXPECT_FALSE(place().answers[0].revealed);
    give(true);
    page_down();
    EXPECT_TRUE(place().answers[0].revealed && place().answers[0].right);
    EXPECT_EQ(place().points(), "½");
    to_the_question();
    EXPECT_EQ(place().scene, 1u);
    give(true);
    page_down();
    EXPECT_EQ(place().points(), "1½");
    to_the_question();
    give(false), page_down(), give(false), page_down();
    EXPECT_FALSE(place().asking) << "there are two tries";
    EXPECT_EQ(place().points(), "1½");
    App again(state_from(remembered(state(), {})), files.services());
    EXPECT_EQ(again.state().lesson.answers, place().answers);
    AppState named;
    ASSERT_TRUE(stand_in_lesson(named, "exercises-scans", 0));
    App opened(named, files.services());
    EXPECT_TRUE(opened.state().lesson.asking) << "named on the command line it asks at once, too";
}

TEST_F(Exercises, WhatWasMissedIsTriedAgainAndHandedIn) {
    const std::size_t all = place().answers.size();
    for (std::size_t i = 0; i < all; ++i) {
        to_the_question();
        ASSERT_EQ(place().scene, i);
        const bool misses = i == 1 || i + 2 == all;
        give(!misses), page_down();
        if (misses) give(false), page_down();
    }
    page_down(40);
    ASSERT_TRUE(place().over);
    EXPECT_EQ(place().missed(), (std::vector<std::size_t>{1, all - 2}));
    press({.character = U'1'});
    EXPECT_FALSE(place().over);
    EXPECT_EQ(place().scene, 1u);
    EXPECT_TRUE(place().asking);
    give(true), page_down();
    to_the_question();
    EXPECT_EQ(place().scene, all - 2) << "those between were right";
    give(false), page_down();
    EXPECT_FALSE(place().asking) << "it was tried before";
    page_down(40);
    ASSERT_TRUE(place().over);
    EXPECT_EQ(place().points(), std::to_string(all - 2) + "½");
    press({.character = U'2'});
    ASSERT_TRUE(state().saving);
    EXPECT_TRUE(state().saving->name.ends_with("your name.html"));
    EXPECT_EQ(state().saving->what, Saved::kAnswers);
    const auto path = std::filesystem::temp_directory_path() / "Ada <L>.html";
    act(Action::kSave, 0, path.string());
    std::stringstream page;
    page << std::ifstream(path).rdbuf();
    for (const std::string& part : {std::string("Ada &lt;L&gt;</b>"), fmt::format("{}½ of {} points", all - 2, all),
                                    lesson::checksum_of(*lesson::text_of(place().source)), std::string(", then "),
                                    std::string("✓ ½"), std::string("✗")})
        EXPECT_NE(page.str().find(part), std::string::npos) << part;
    std::filesystem::remove(path);
}

TEST_F(ALesson, DigitsAndLettersDoNotLeaveIt) {
    for (const KeyPress& key : {KeyPress{.character = U'5'}, KeyPress{.character = U't'}}) press(key);
    EXPECT_TRUE(place().lesson);
    EXPECT_EQ(state().request.kernel, "pmpp-simple");
    EXPECT_NE(state().messages.back().text.find("Esc leaves it"), std::string::npos);
    to_the_gate();
    press({.character = U'5'});
    EXPECT_TRUE(place().asking) << "a question that waits for an answer is asked";
}

TEST_F(ALesson, WithoutOnePageDownClimbsTheLadder) {
    act(Action::kLesson);
    act(Action::kKernel, 0, "pmpp-simple");
    act(Action::kLast);
    page_down();
    EXPECT_TRUE(state().card);
    page_down();
    EXPECT_EQ(state().request.kernel, "pmpp-convergent");
}

}  // namespace
}  // namespace warptree::state
