// What has no room says so, or says less: in every view, at every size of window and of text, in a lecture and out of
// it, no word ends in an ellipsis.
#include "app/shell/frame_testing.hpp"
#include "app/state/keys.hpp"

namespace warptree::shell {
namespace {

using namespace state;

constexpr std::pair<int, int> kWindows[] = {{1280, 720}, {1920, 1080}, {3840, 2160}};

struct RunOfASize {
    const char* kernel;
    double n;
};

class AFit : public AFrame, public testing::WithParamInterface<RunOfASize> {
protected:
    /// use(text, where) for every text of every look.
    template <class Use>
    void each_text(Use use) {
        app.apply({.action = Action::kKernel, .text = GetParam().kernel});
        app.apply({.action = Action::kN, .value = GetParam().n});
        app.apply(scene::turn(scene::Field::kAnimate));
        for (const scene::ViewRow& view : scene::view_rows()) {
            if (state().view != view.view) app.apply({.action = Action::kView, .text = std::string(view.name)});
            for (const bool lecture : {false, true}) {
                if (state().lecture != lecture) app.apply({.action = Action::kLecture});
                for (const scene::TextRow& text : scene::text_rows()) {
                    app.apply(scene::set(scene::Field::kText, text.name));
                    for (const auto& [w, h] : kWindows) {
                        const float unit = pixels_per_unit(w, h, 1);
                        size = {static_cast<float>(w) / unit, static_cast<float>(h) / unit};
                        for (const double at : {0.0, 1.0, static_cast<double>(state().steps())}) {
                            app.apply({.action = Action::kGoTo, .value = at});
                            compose();
                            const std::string where =
                                fmt::format("{} N={} {} {}x{} {}{} step {}", GetParam().kernel, GetParam().n, view.name,
                                            w, h, text.name, lecture ? " lecture" : "", at);
                            for (const scene::Scene* one : scenes)
                                for (const scene::Shape& shape : one->shapes)
                                    if (const auto* found = std::get_if<scene::Text>(&shape)) use(found->text, where);
                        }
                    }
                }
            }
        }
    }
};

TEST_P(AFit, NoWordEndsInAnEllipsis) {
    std::map<std::string, std::string> cut;
    each_text([&](const std::string& text, const std::string& where) {
        if (text.ends_with("…")) cut.emplace(text, where);
    });
    for (const auto& [text, where] : cut) ADD_FAILURE() << "'" << text << "' in " << where;
}

TEST_F(AFrame, AMessageOfLinesHasThemAsFarAsThereIsRoom) {
    std::string text = "None of 60 conditions holds:";
    for (int i = 1; i <= 60; ++i) text += fmt::format("\n✗ condition {}.", i);
    app.say(text, true);
    size = {1280, 720};
    compose();
    EXPECT_TRUE(shows("✗ condition 1."));
    EXPECT_TRUE(shows(". …"));
    EXPECT_FALSE(shows("condition 60."));
}

TEST_F(AFrame, RowsThatFindNoRoomAreCounted) {
    EXPECT_FALSE(shows("rows below"));
    compose();
    EXPECT_FALSE(shows("rows below")) << "all of N = 16 has room";
    app.apply({.action = Action::kN, .value = 1024});
    settle();
    EXPECT_TRUE(shows("rows below"));
    EXPECT_FALSE(shows("above"));
    app.apply({.action = Action::kLast});
    settle();
    EXPECT_TRUE(shows("rows above"));
    EXPECT_FALSE(shows("below"));
    app.apply(scene::set(scene::Field::kText, "hall"));
    app.apply({.action = Action::kKernel, .text = "brent-kung"});
    app.apply({.action = Action::kN, .value = 16});
    app.apply({.action = Action::kLast});
    settle();
    EXPECT_EQ(state().view, scene::View::kNetwork);
    EXPECT_TRUE(shows("rows above")) << "of the network";
}

TEST_F(AFrame, WhereABarrierIsToBeSwitchedOffThereIsASwitch) {
    app.apply({.action = Action::kView, .text = "hazards"});
    for (const scene::TextRow& text : scene::text_rows()) {
        app.apply(scene::set(scene::Field::kText, text.name));
        for (const scene::Vec window : {scene::Vec{1600, 900}, {1920, 1080}})
            for (int lecture = 0; lecture < 2; ++lecture) {
                app.apply({.action = Action::kLecture});
                size = window;
                compose();
                ASSERT_TRUE(shows("Every barrier"));
                EXPECT_TRUE(can(Action::kBarrier)) << text.name << window.x << lecture;
            }
    }
}

TEST_F(AFrame, ViewsWithNothingToShowOfARunOfferOneThatTheyCan) {
    struct Empty {
        const char *view, *kernel, *offered;
        double n;
    };
    constexpr Empty kEmpty[] = {
        {"network", "pmpp-simple", "brent-kung", 16},       {"order", "brent-kung", "pmpp-convergent", 16},
        {"tournament", "pmpp-simple", "tournament", 16},    {"hazards", "sequential", "pmpp-shared", 16},
        {"coarsening", "brent-kung", "pmpp-coarsened", 16}, {"coarsening", "pmpp-simple", "pmpp-simple", 2}};
    for (const Empty& one : kEmpty)
        for (const bool keyboard : {false, true}) {
            app.apply({.action = Action::kKernel, .text = one.kernel});
            app.apply({.action = Action::kN, .value = one.n});
            if (scene::view_row(state().view).name != one.view) app.apply({.action = Action::kView, .text = one.view});
            settle();
            ASSERT_TRUE(offers()) << one.view;
            const kernels::Request before = state().request;
            if (keyboard) {
                app.apply(frame.resolve({.action = Action::kActivate}, state()));
            } else {
                for (const scene::Spot& control : frame.controls())
                    if (control.tooltip.ends_with("(Enter)") && control.box.h > 30) click(control.box.centre());
            }
            settle();
            EXPECT_EQ(state().request.kernel, one.offered) << one.view;
            const bool one_block = state().request.kernel == "pmpp-coarsened";  // which offers a larger N
            EXPECT_EQ(offers(), one_block) << one.view;
            app.apply({.action = Action::kUndo});
            EXPECT_EQ(state().request, before) << one.view;
        }
}

TEST_F(AFrame, WhatTheCpuDoesHasNoWarpsAndLeadsBackToTheGpu) {
    app.apply({.action = Action::kKernel, .text = "global-halving"});
    app.apply({.action = Action::kN, .value = 64});
    app.apply({.action = Action::kLast});
    app.apply({.action = Action::kView, .text = "memory"});
    settle();
    ASSERT_TRUE(state().subject->on_host());
    ASSERT_TRUE(offers());
    app.apply(frame.resolve({.action = Action::kActivate}, state()));
    settle();
    EXPECT_FALSE(state().subject->on_host());
    EXPECT_FALSE(offers());
}

TEST_F(AFrame, TheHeadersButtonsSayWhatTheyAreOf) {
    compose();
    for (const char* button : {"input textbook", "op sum float32", "N 16", "warp 4", "on CPU", "View"}) find(button);
    size = {960, 540};
    compose();
    EXPECT_FALSE(shows("on CPU")) << "kernels need the room";
    EXPECT_TRUE(shows("CPU"));
}

TEST_F(AFrame, TheFirstScreenStandsInTheMiddle) {
    app.apply({.action = Action::kMenu, .menu = Menu::kStart});
    for (const scene::Vec window : {scene::Vec{1600, 900}, {1280, 720}, {800, 500}, {480, 320}}) {
        size = window;
        compose();
        const scene::Vec first = find("1   Begin a lesson"), last = find("5   Explore");
        EXPECT_NEAR((first.y + last.y) / 2, window.y / 2, 36) << window.x << ": below its heading";
        EXPECT_GT(first.x, 0);
        EXPECT_EQ(scene::testing::fault(*scenes.back(), {0, 0, window.x, window.y}, fonts), "") << window.x;
    }
    size = {1600, 900};
    compose();
    click(find("2   Give a course"));
    EXPECT_EQ(state().lesson.course.source, "ninety-minutes");
    EXPECT_EQ(state().menu, Menu::kNone);
}

TEST_F(AFrame, MenusAndKeysHaveHeadings) {
    app.apply({.action = Action::kMenu, .menu = Menu::kKernels});
    compose();
    for (const char* heading : {"The textbook's ladder", "Harris' ladder", "How blocks meet", "Scans"}) find(heading);
    app.apply({.action = Action::kMenu, .menu = Menu::kView});
    compose();
    for (const char* heading : {"Views", "Look", "Lecture", "Files and keys"}) find(heading);
    app.apply({.action = Action::kMenu, .menu = Menu::kView});
    app.apply(scene::turn(scene::Field::kHelp));
    compose();
    for (const char* heading : {"Step by step", "What runs", "Views", "Lecture", "The window"}) find(heading);
    std::size_t printed = 0;
    for (const KeyGroup& group : key_groups()) printed += group.rows.size();
    EXPECT_EQ(printed, static_cast<std::size_t>(std::ranges::count(
                           bindings(), false, [](const Binding& binding) { return binding.keys.empty(); })))
        << "each once";
}

INSTANTIATE_TEST_SUITE_P(Runs, AFit,
                         testing::Values(RunOfASize{"pmpp-simple", 16}, RunOfASize{"pmpp-simple", 1024},
                                         RunOfASize{"harris-7", 1024}, RunOfASize{"shuffle-atomic", 2048},
                                         RunOfASize{"kahan-tree", 64}, RunOfASize{"brent-kung", 16},
                                         RunOfASize{"brent-kung", 64}, RunOfASize{"look-back", 256},
                                         RunOfASize{"tournament", 8}),
                         [](const auto& one) {
                             std::string name = fmt::format("{}{}", one.param.kernel, one.param.n);
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace warptree::shell
