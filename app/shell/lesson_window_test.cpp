// Every scene of every lesson in whole windows, by Page Down alone: nothing clipped, overlapping or empty, and nothing
// of what a question asks before its answer.
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "app/kit/testing.hpp"
#include "app/shell/frame_testing.hpp"
#include "app/state/keys.hpp"
#include "app/views/story/story.hpp"

namespace warptree::shell {
namespace {

class ALessonInTheWindow : public AFrame {
protected:
    ALessonInTheWindow() { app.apply(scene::turn(scene::Field::kAnimate)); }
    void page_down() {
        const auto command = state::command_for({.named = state::Named::kPageDown}, state());
        app.apply(frame.resolve(*command, state()));
        compose();
    }
    /// What is wrong with a window of some pixels; panels and cards are looked at one by one, as a card lies over
    /// others.
    std::string fault_at(int width, int height) {
        const float unit = pixels_per_unit(width, height, state().scale);
        size = {static_cast<float>(width) / unit, static_cast<float>(height) / unit};
        compose();
        std::size_t texts = 0;
        for (const scene::Scene* one : scenes) {
            const std::string fault = scene::testing::fault(*one, {0, 0, size.x, size.y}, fonts);
            if (!fault.empty()) return fault;
            for (const scene::Shape& shape : one->shapes) texts += std::holds_alternative<scene::Text>(shape);
        }
        if (texts < 10) return fmt::format("{} texts alone", texts);
        for (const char* empty : {"needs none", "draws runs of", "the run is a reduction", "are being recorded"})
            if (shows(empty)) return fmt::format("an empty panel: {}", empty);
        return "";
    }
    /// The same at each size of window and of text, at a desk or in the lecture.
    void look(bool lecture) {
        if (lecture != state().lecture) app.apply({.action = Action::kLecture});
        if (lecture) app.apply(scene::turn(scene::Field::kCodeLines));  // with it at every second stop
        for (const char* text : {"desk", "lecture", "hall"}) {
            app.apply(scene::set(scene::Field::kText, text));
            for (const auto& [width, height] : {std::pair{1920, 1080}, {1280, 720}})  // 3840 x 2160 has as many units
                EXPECT_EQ(fault_at(width, height), "")
                    << state().lesson.source << ", scene " << state().lesson.scene + 1 << ", step " << state().goal
                    << (lecture ? ", lecture, " : ", ") << text << ", " << width << "x" << height
                    << (state().lesson.asking ? ", asked" : "");
        }
    }
    /// Nothing of a step that a question asks about: caption, tree, network, timeline, tooltip, figures of the whole
    /// run.
    void expect_hidden() {
        if (state().lecture) app.apply({.action = Action::kLecture});
        app.apply(scene::set(scene::Field::kText, "desk"));
        size = {1920, 1080};
        compose();
        const std::string where = fmt::format("{}, scene {}", state().lesson.source, state().lesson.scene + 1);
        const std::size_t step = state().told();
        const study::Subject& s = *state().subject;
        if (step < s.first_step + s.steps() && step >= s.first_step) {
            EXPECT_FALSE(shows(scene::caption(s, {step - s.first_step + 1, 1}))) << where;
        }
        std::size_t lanes = 0, cells = 0, unknown = 0;
        for (const scene::Scene* one : scenes)
            for (const scene::Shape& shape : one->shapes) {
                const auto* rect = std::get_if<scene::Rect>(&shape);
                const auto* disc = std::get_if<scene::Disc>(&shape);
                const auto* text = std::get_if<scene::Text>(&shape);
                const scene::Target target = scene::unpack(rect ? rect->id : disc ? disc->id : 0);
                lanes += target.kind == scene::Target::Kind::kLane && target.state + s.first_step >= step;
                cells += target.kind == scene::Target::Kind::kCell && target.state + s.first_step > step;
                unknown += text != nullptr && text->text == "?";
            }
        EXPECT_EQ(lanes, 0u) << "threads, " << where;
        EXPECT_EQ(cells, 0u) << "cells, " << where;
        EXPECT_EQ(unknown, state().steps() - step) << "the timeline, " << where;
        const scene::Target bar{scene::Target::Kind::kStepBar, static_cast<std::uint16_t>(step), 0, 0};
        EXPECT_EQ(scene::story(s, state().playhead(), bar).size(), 1u) << "the tooltip, " << where;
        EXPECT_FALSE(shows("Answer:")) << where;
        EXPECT_FALSE(shows("whole kernel") || shows("The book, N")) << "the counters, " << where;
    }
};

class EveryLesson : public ALessonInTheWindow, public ::testing::WithParamInterface<std::string> {};

TEST_P(EveryLesson, IsWholeAtEverySizeAndHidesWhatItAsks) {
    if (!fonts.messages().empty()) GTEST_SKIP() << fonts.messages().front();
    const lesson::Shipped& one = *std::ranges::find(lesson::shipped(), GetParam(), &lesson::Shipped::name);
    app.apply({.action = Action::kLesson, .text = one.name});
    std::size_t questions = 0, asked = 0;
    for (const lesson::Scene& scene : one.lesson.scenes) questions += scene.question.has_value();
    for (std::size_t stop = 0; !state().lesson.over; ++stop) {
        ASSERT_LT(stop, 300u) << one.name;
        const bool asking = state().lesson.asking;
        look(stop % 2 == 1);
        look(stop % 2 == 0);
        if (state().lesson.gated()) expect_hidden();
        EXPECT_TRUE(shows(fmt::format(" {} of {}", state().lesson.scene + 1, one.lesson.scenes.size())));
        page_down();
        asked += asking;
        EXPECT_EQ(asking && !shows("Answer:"), false) << one.name;
    }
    EXPECT_EQ(state().lesson.scene + 1, one.lesson.scenes.size());
    EXPECT_EQ(asked, questions) << one.name;
    EXPECT_TRUE(shows("This was the lesson"));
    look(false);
    page_down();
    EXPECT_TRUE(state().lesson.over) << "there is no more";
}

TEST_F(ALessonInTheWindow, SaysWhatItsButtonHandsIn) {
    app.apply({.action = Action::kLesson, .text = "exercises-reductions"});
    while (state().request.kernel != "harris-2") page_down();
    ASSERT_TRUE(state().lesson.asking);
    EXPECT_TRUE(shows("Show the answer")) << "nothing was changed";
    app.apply({.action = Action::kBlock, .value = 64});
    compose();
    EXPECT_TRUE(shows("Hand in block 64"));
    EXPECT_TRUE(shows("Now, all launches together: bank conflicts is 240; barriers is 117"));
    for (const scene::Spot& spot : std::vector(frame.controls()))
        if (spot.tooltip.starts_with("Hand in")) click(spot.box.centre());
    EXPECT_TRUE(shows("Not block 64: ✗ bank conflicts == 0"));
    EXPECT_TRUE(shows("Show the answer")) << "the same once more gives up";
}

std::vector<std::string> lessons() {
    std::vector<std::string> names;
    for (const lesson::Shipped& one : lesson::shipped()) names.emplace_back(one.name);
    return names;
}
INSTANTIATE_TEST_SUITE_P(Shipped, EveryLesson, ::testing::ValuesIn(lessons()), [](const auto& one) {
    std::string name = one.param;
    std::ranges::replace(name, '-', '_');
    return name;
});

TEST_F(ALessonInTheWindow, AClickChoosesAndTheScoreStandsAtTheEnd) {
    app.apply({.action = Action::kLesson, .text = "divergence"});
    while (!state().lesson.asking) page_down();
    const scene::Spot last = frame.controls().back();
    click(last.box.centre());
    EXPECT_EQ(state().lesson.answers[1].given, "4");
    EXPECT_EQ(last.command.action, Action::kAnswer);
    click({last.box.centre().x, last.box.bottom() + 10});
    EXPECT_TRUE(state().lesson.asking) << "beside the choices nothing happens";
    while (!state().lesson.over) page_down();
    EXPECT_TRUE(shows("1 of 5 questions right."));
}

TEST_F(ALessonInTheWindow, ExercisesSayWhatWasWrongAndWhy) {
    const auto path = std::filesystem::temp_directory_path() / "warptree-exercises-in-the-window.toml";
    std::ofstream(path) << R"(title = "T"
teaches = "One thing."
exercises = true
)";
    for (int scene = 0; scene < 2; ++scene)
        std::ofstream(path, std::ios::app) << R"([[scene]]
kernel = "pmpp-simple"
n = 32
warp-size = 4
to = 2
[scene.question]
ask = "How many warps are divergent?"
step = 2
fact = "divergent_warps"
wrong = [{ fact = "active_warps@5", why = "That many are active in step 5." }, "n"]
why = "Each of the {active_warps} active warps waits."
)";
    app.apply({.action = Action::kLesson, .text = path.string()});
    compose();
    const auto choose = [&](const char* choice) {
        for (const scene::Spot& spot : frame.controls())
            if (spot.command.action == Action::kAnswer &&
                state().lesson.posed->choices[static_cast<std::size_t>(spot.command.value)] == choice)
                return click(spot.box.centre());
        ADD_FAILURE() << choice;
    };
    const auto says = [&](const std::string& part) {  // over several lines, too
        std::string all;
        for (const scene::Scene* one : scenes)
            for (const scene::Shape& shape : one->shapes)
                if (const auto* text = std::get_if<scene::Text>(&shape)) all += (all.empty() ? "" : " ") + text->text;
        return all.find(part) != std::string::npos;
    };
    page_down();  // there is a step before the question
    if (!state().lesson.asking) page_down();
    ASSERT_TRUE(state().lesson.asking);
    choose("1");
    page_down();
    EXPECT_TRUE(says("✗ Not 1. That many are active in step 5. Once more, for half a point"));
    choose("4");
    page_down();
    EXPECT_TRUE(says("✓ Answer: 4 (divergent warps). Each of the 4 active warps waits."));
    EXPECT_TRUE(says("½ points"));
    while (!state().lesson.asking) page_down();
    choose("32"), page_down(), choose("1"), page_down();
    EXPECT_TRUE(says("✗ Answer: 4 (divergent warps). You said 1. That many are active in step 5. Each"));
    while (!state().lesson.over) page_down();
    EXPECT_TRUE(says("½ of 2 points"));
    EXPECT_TRUE(says("✗ 2  How many warps are divergent?"));
    click(find("Save to hand in"));
    ASSERT_TRUE(state().saving);
    EXPECT_TRUE(says("Save these answers under your name"));
    app.apply({.action = Action::kEscape});
    compose();
    click(find("Try these again"));
    EXPECT_FALSE(state().lesson.over);
    EXPECT_EQ(state().lesson.scene, 1u);
    while (!state().lesson.asking) page_down();
    choose("4");
    while (!state().lesson.over) page_down();
    EXPECT_TRUE(says("1 of 2 points"));
    EXPECT_FALSE(says("Try these again"));
    click(find("Save to hand in"));
    EXPECT_TRUE(state().saving) << "the first choice, where nothing was missed";
    std::filesystem::remove(path);
}

TEST_F(ALessonInTheWindow, StandsInAMenu) {
    app.apply({.action = Action::kMenu, .menu = Menu::kView});
    compose();
    click(find("Lessons"));
    EXPECT_EQ(state().menu, Menu::kLessons);
    click(find("Divergence"));
    EXPECT_EQ(state().lesson.source, "divergence");
    EXPECT_TRUE(shows("Divergence · scene 1 of 13"));
}

}  // namespace
}  // namespace warptree::shell
