// A course by commands: from lesson to lesson, its clock, where it goes on, and the whole of those that come along.
#include "app/state/keys.hpp"
#include "app/state/menus.hpp"
#include "app/state/session.hpp"
#include "app/state/settings.hpp"
#include "app/state/testing.hpp"

namespace warptree::state {
namespace {

class ACourse : public AnApp {
protected:
    ACourse() {
        app.apply(scene::turn(Field::kAnimate));
        act(Action::kLesson, 0, "three-lectures");
    }
    const LessonPlace& place() const { return state().lesson; }
    std::string source() const { return place().source; }
    void to(std::size_t part) { act(Action::kLesson, static_cast<double>(part + 1), "three-lectures"); }
    /// Past all scenes, to the card at the lesson's end.
    void to_the_end() {
        while (!place().over) act(Action::kScene, 1);
    }
};

TEST_F(ACourse, TheLastPageDownOfALessonLeadsToTheNextAndPageUpBack) {
    EXPECT_EQ(source(), "reduction");
    while (!place().over) act(Action::kNext);
    EXPECT_EQ(place().scene, 11u);
    act(Action::kNext);
    EXPECT_EQ(source(), "tree");
    EXPECT_EQ(place().scene, 0u);
    EXPECT_EQ(state().goal, 0u);
    EXPECT_FALSE(place().over);
    act(Action::kPrevious);
    EXPECT_EQ(source(), "reduction");
    EXPECT_EQ(place().scene, 11u);
    EXPECT_EQ(state().goal, state().bounds().second);
    act(Action::kUndo);
    EXPECT_EQ(source(), "tree");
}

TEST_F(ACourse, WhatWasAnsweredInALessonStaysSo) {
    while (!place().asking) act(Action::kNext);
    const std::size_t asked = place().scene;
    act(Action::kAnswer, 0);
    act(Action::kNext);
    const std::vector<Answer> given = place().answers;
    ASSERT_TRUE(given[asked].revealed);
    to(1);
    EXPECT_FALSE(place().answers == given);
    AppState again = state();  // its file was saved
    ASSERT_TRUE(stand_where_left(again));
    EXPECT_EQ(again.lesson.course.answers.size(), 1u);
    to(0);
    EXPECT_TRUE(place().answers == given);
}

TEST_F(ACourse, SkippingPassesScenesThatCanGoAndTheOthersNot) {
    for (int i = 0; i < 7; ++i) act(Action::kScene, 1);
    EXPECT_EQ(place().scene, 7u);
    act(Action::kScene, 1);  // scenes 9 to 11 can go
    EXPECT_EQ(place().scene, 11u);
    act(Action::kScene, -1);
    EXPECT_EQ(place().scene, 10u) << "back is back";
    to(4);
    for (int i = 0; i < 3; ++i) act(Action::kScene, 1);
    EXPECT_EQ(place().scene, 5u) << "of Coalescing, 4 and 5 can go";
    act(Action::kLesson, 0, "reduction");
    for (int i = 0; i < 8; ++i) act(Action::kScene, 1);
    EXPECT_EQ(place().scene, 8u) << "a lesson alone is shown whole";
}

TEST_F(ACourse, TheClockIsHeldAgainstThePlan) {
    EXPECT_FALSE(state().late()) << "the desk has no clock";
    to(1);
    act(Action::kLecture);
    const auto clock = [&](double minutes) {
        app.apply({.action = Action::kClock, .value = minutes, .text = "10:00"});
    };
    EXPECT_DOUBLE_EQ(*state().late(), 0) << "the lecture began here";
    clock(7);
    EXPECT_DOUBLE_EQ(*state().late(), 7);
    to_the_end();
    act(Action::kNext);
    ASSERT_EQ(source(), "simple");
    EXPECT_DOUBLE_EQ(*state().late(), 0) << "seven minutes were planned for the tree";
    to(4);
    EXPECT_DOUBLE_EQ(*state().late(), -19) << "two lessons left out";
    clock(30);
    to(5);
    EXPECT_DOUBLE_EQ(*state().late(), 0) << "another lecture has a plan of its own";
    clock(33);
    EXPECT_DOUBLE_EQ(*state().late(), 3);
    act(Action::kLecture);
    act(Action::kLecture);
    EXPECT_DOUBLE_EQ(*state().late(), 0);
    EXPECT_EQ(state().minutes, 0);
}

TEST_F(ACourse, GoesOnWhereItWasLeft) {
    to(4);
    to_the_end();
    act(Action::kLesson);  // leaves it, at the end of the first lecture
    ASSERT_FALSE(place().lesson);
    const AppState again = state_from(remembered(state(), {}));
    App later(again, files.services());
    later.apply({.action = Action::kLesson, .text = "three-lectures"});
    EXPECT_EQ(later.state().lesson.source, "shared");
    EXPECT_NE(later.state().messages.back().text.find("goes on where it was left"), std::string::npos);
    later.apply({.action = Action::kScene, .value = 1});
    App killed(state_from(remembered(later.state(), {})), files.services());
    EXPECT_EQ(killed.state().lesson.source, "shared");
    EXPECT_EQ(killed.state().lesson.scene, 1u);
    ASSERT_TRUE(killed.state().lesson.course.course);
    EXPECT_EQ(killed.state().lesson.course.part, 5u);
    killed.apply({.action = Action::kLesson});
    killed.apply({.action = Action::kLesson, .text = "three-lectures"});
    EXPECT_EQ(killed.state().lesson.course.part, 5u);
    EXPECT_EQ(killed.state().lesson.scene, 1u) << "left in its midst";
    killed.apply({.action = Action::kLesson, .text = "tree"});
    App alone(state_from(remembered(killed.state(), {})), files.services());
    App twice(state_from(remembered(alone.state(), {})), files.services());
    EXPECT_EQ(twice.state().lesson.source, "tree") << "a lesson alone, too";
    EXPECT_FALSE(twice.state().lesson.course.course);
    to(13);
    to_the_end();
    EXPECT_TRUE(state().left.empty()) << "it is over";
    act(Action::kNext);
    EXPECT_TRUE(place().over) << "there is nothing after it";
}

TEST_F(ACourse, AComparisonGoesOnAtItsMoment) {
    for (int i = 0; i < 6; ++i) act(Action::kScene, 1);
    ASSERT_EQ(state().view, scene::View::kCompare);
    for (int i = 0; i < 3; ++i) act(Action::kNext);
    ASSERT_EQ(state().goal, 3u) << "in the midst of steps that are one row elsewhere";
    App again(state_from(remembered(state(), {})), files.services());
    EXPECT_TRUE(again.state().comparing());
    EXPECT_EQ(again.state().goal, 3u);
}

TEST_F(ACourse, ItsLessonsAreTheMenu) {
    to(7);
    const auto items = menu_items(Menu::kLessons, state());
    ASSERT_EQ(items.size(), 15u);
    EXPECT_EQ(items[7].label, "Coarsening");
    EXPECT_EQ(items[7].remark, "from 18, 9 min");
    EXPECT_TRUE(items[7].chosen);
    EXPECT_EQ(items[5].heading, "Many blocks, and values that stay on the chip");
    app.apply(items[2].command);
    EXPECT_EQ(source(), "simple");
    app.apply(items.back().command);
    EXPECT_FALSE(place().lesson);
    const auto all = menu_items(Menu::kLessons, state());
    EXPECT_EQ(all[0].heading, "Courses");
    EXPECT_EQ(all[2].heading, "Lessons");
    app.apply(all[0].command);
    EXPECT_EQ(place().course.source, "ninety-minutes");
}

/// Every Page Down of a course, with each of its questions answered wrongly, or not at all.
TEST(Courses, ArePossibleToTheEndWhateverIsAnswered) {
    FakeFiles files;
    for (const auto& [course, answers] : {std::pair("ninety-minutes", true), {"three-lectures", false}}) {
        App app(teaching_state(), files.services());
        const auto act = [&](Action action, double value = 0, std::string text = {}) {
            app.apply({.action = action, .value = value, .text = std::move(text)});
        };
        app.apply(scene::turn(Field::kAnimate));
        act(Action::kLesson, 0, course);
        const CoursePlace& place = app.state().lesson.course;
        std::size_t presses = 0, asked = 0, lessons = 1;
        for (std::size_t part = 0; presses < 10000; ++presses) {
            const LessonPlace& lesson = app.state().lesson;
            ASSERT_TRUE(lesson.lesson) << "left at press " << presses;
            for (const Message& message : app.state().messages) EXPECT_FALSE(message.error) << message.text;
            if (lesson.over && !place.has_next()) break;
            asked += lesson.asking;
            if (lesson.asking && answers) {
                const bool typed = lesson.posed->choices.empty();
                if (typed) act(Action::kDigit, 9), act(Action::kDigit, 9), act(Action::kDigit, 9);
                if (!typed) act(Action::kAnswer, lesson.posed->correct == 0 ? 1 : 0);
            }
            act(Action::kNext);
            lessons += place.part != part;
            part = place.part;
        }
        ASSERT_TRUE(place.course);
        EXPECT_EQ(lessons, place.course->parts.size());
        std::size_t questions = 0;
        for (const auto& part : place.course->parts)
            questions += static_cast<std::size_t>(std::ranges::count_if(
                part.lesson->scenes, [](const lesson::Scene& scene) { return scene.question.has_value(); }));
        EXPECT_EQ(asked, questions);
        EXPECT_EQ(app.state().lesson.right(), 0u);
    }
}

}  // namespace
}  // namespace warptree::state
