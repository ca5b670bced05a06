// The speaker's screen without a window: what it says, and that what it calls next is what Page Down then does.
#include "app/shell/speaker.hpp"

#include "app/kit/testing.hpp"
#include "app/shell/frame_testing.hpp"
#include "app/state/settings.hpp"

namespace warptree::shell {
namespace {

class TheSpeaker : public AFrame {
protected:
    TheSpeaker() {
        app.apply(scene::turn(scene::Field::kAnimate));
        app.apply({.action = Action::kLecture});
    }
    void page_down() { app.apply({.action = Action::kNext}); }
    void look(scene::Vec window = {1280, 720}) {
        speaker.compose(state(), window, {1920, 1080});
        for (int i = 0; i < 100 && speaker.moving(); ++i) speaker.update(0.1);
        scenes = speaker.compose(state(), window, {1920, 1080});
    }
    SpeakerFrame speaker{fonts, files.services()};
};

TEST_F(TheSpeaker, HasNoteQuestionAnswerAndWhatComesNext) {
    app.apply({.action = Action::kLesson, .text = "divergence"});
    page_down(), page_down();
    app.apply({.action = Action::kClock, .value = 12, .text = "14:05"});
    look();
    for (const char* part : {"Every second thread: so two", "How many of the four warps", "4 (divergent warps)",
                             "14:05", "12 min", "step 1 of 6", "scene 2 of 13", "The question: How many"})
        EXPECT_TRUE(shows(part)) << part;
    scenes = frame.compose(state(), size);
    for (const char* part : {"Every second thread", "4 (divergent", "The question:"}) EXPECT_FALSE(shows(part)) << part;
    page_down(), page_down();
    look();
    EXPECT_TRUE(shows("In step 3 only every fourth thread adds")) << "the next scene's caption";
    EXPECT_TRUE(shows("stride 2")) << "and its picture";
}

TEST_F(TheSpeaker, HoldsACourseAgainstItsPlan) {
    app.apply({.action = Action::kLesson, .value = 9, .text = "ninety-minutes"});
    const auto at = [&](double minutes) {
        app.apply({.action = Action::kClock, .value = minutes, .text = "14:05"});
        look();
    };
    at(0);
    EXPECT_TRUE(shows("0 of 90 min") && shows("on time"));
    EXPECT_FALSE(shows("can go"));
    at(1);
    EXPECT_TRUE(shows("1 min late"));
    EXPECT_FALSE(shows("can go")) << "a minute is no haste";
    at(4);
    EXPECT_TRUE(shows("4 min late"));
    EXPECT_TRUE(shows("Late: can go, by Ctrl Page Down"));
    EXPECT_TRUE(shows("Scenes 8, 9, 11, 12, 15, 16 (4 min)")) << "six of nineteen";
    for (const scene::Vec window : {scene::Vec{1280, 720}, {1920, 1080}, {800, 500}}) {
        look(window);
        EXPECT_EQ(scene::testing::fault(*scenes[0], {0, 0, window.x, window.y}, fonts), "") << window.x;
    }
    for (int i = 0; i < 7; ++i) app.apply({.action = Action::kScene, .value = 1});
    look();
    EXPECT_TRUE(shows("1 min early")) << "the tenth scene, after 4.7 minutes of the plan";
    at(8);
    EXPECT_TRUE(shows("3 min late"));
    EXPECT_TRUE(shows("Scenes 11, 12, 15, 16 (")) << "eight and nine are past";
    EXPECT_TRUE(shows("2 min in")) << "later lessons; of the next one all";
    app.apply({.action = Action::kScene, .value = -1});
    look();
    EXPECT_TRUE(shows("Scenes 11, 12, 15, 16 (")) << "the ninth is on show";
    while (!state().lesson.over) app.apply({.action = Action::kScene, .value = 1});
    look();
    EXPECT_TRUE(shows("Shuffles"));
    scenes = frame.compose(state(), size);
    EXPECT_TRUE(shows("Next: Shuffles, 9 min. "));
}

TEST_F(TheSpeaker, NextIsWhatPageDownDoes) {
    state::Upcoming next(files.services());
    const auto check = [&] {
        next.follow(state());
        ASSERT_NE(next.state(), nullptr);
        const AppState told = *next.state();
        page_down();
        EXPECT_EQ(told.goal, state().goal);
        EXPECT_EQ(told.request, state().request);
        EXPECT_EQ(told.card, state().card);
        EXPECT_EQ(told.view, state().view);
        EXPECT_EQ(told.lesson.scene, state().lesson.scene);
        EXPECT_EQ(told.lesson.asking, state().lesson.asking);
        EXPECT_EQ(told.lesson.over, state().lesson.over);
    };
    for (int i = 0; i < 12; ++i) check();
    EXPECT_EQ(state().request.kernel, "pmpp-convergent") << "from kernel to kernel, too";
    for (const lesson::Shipped& one : lesson::shipped()) {
        app.apply({.action = Action::kLesson, .text = one.name});
        while (!state().lesson.over) check();
        next.follow(state());
        EXPECT_TRUE(next.ended());
    }
    look();
    EXPECT_TRUE(shows("This is the end."));
}

TEST_F(TheSpeaker, IsLegibleInEverySceneAndWindow) {
    if (!fonts.messages().empty()) GTEST_SKIP() << fonts.messages().front();
    for (const lesson::Shipped& one : lesson::shipped())
        for (app.apply({.action = Action::kLesson, .text = one.name}); !state().lesson.over; page_down())
            for (const scene::Vec window : {scene::Vec{1280, 720}, {1920, 1080}, {800, 500}}) {
                look(window);
                EXPECT_EQ(scene::testing::fault(*scenes[0], {0, 0, window.x, window.y}, fonts), "")
                    << one.name << ", scene " << state().lesson.scene + 1 << ", " << window.x;
                EXPECT_GT(scenes[1]->shapes.size(), 10u) << one.name << ", scene " << state().lesson.scene + 1;
            }
}

TEST_F(TheSpeaker, ComesOnASecondMonitorOrWhereItIsWanted) {
    EXPECT_FALSE(state().speaking);
    app.apply({.action = Action::kSpeaker});
    EXPECT_TRUE(state().speaking && !state().full_screen) << "one monitor has room for both";
    app.apply({.action = Action::kSpeaker, .value = -1});
    EXPECT_TRUE(!state().speaking && state().full_screen) << "closed by hand";
    app.apply({.action = Action::kLecture});
    app.apply({.action = Action::kLecture});
    EXPECT_TRUE(state().speaking) << "for that lecture alone";
    app.apply({.action = Action::kLecture});
    EXPECT_FALSE(state().speaking || state().full_screen);
    EXPECT_EQ(state::remembered(state(), {})["lecture"]["speaker"], "yes");

    state::App other(state::teaching_state(), files.services());
    other.apply({.action = Action::kMonitors, .value = 2});
    EXPECT_EQ(other.state().lecture_monitor(), 1u);
    EXPECT_EQ(other.state().speaker_monitor(), 0u);
    other.apply({.action = Action::kLecture});
    EXPECT_TRUE(other.state().speaking && other.state().full_screen);
    other.apply({.action = Action::kMonitors, .value = 1});
    EXPECT_TRUE(!other.state().speaking && other.state().full_screen) << "the projector's plug was drawn";
    other.apply({.action = Action::kMonitors, .value = 2});
    EXPECT_TRUE(other.state().speaking && other.state().full_screen);
    other.apply(scene::set(scene::Field::kProjector, 1));
    EXPECT_EQ(other.state().lecture_monitor(), 0u);
    EXPECT_EQ(other.state().speaker_monitor(), 1u);
    other.apply({.action = Action::kSpeaker});
    const AppState again = state::state_from(state::remembered(other.state(), {}));
    EXPECT_EQ(again.projector, 1u);
    EXPECT_EQ(again.speaker, false);
    other.apply(scene::set(scene::Field::kProjector, 1000));
    EXPECT_EQ(other.state().projector, 1u) << "more than the settings' file takes";
    other.apply(scene::set(scene::Field::kProjector, -1));
    EXPECT_EQ(other.state().projector, 1u);
    EXPECT_EQ(other.state().messages.back().text, "projector is -1, but has to be a whole number from 0 to 100.");
}

}  // namespace
}  // namespace warptree::shell
