// The frame: every panel in its place, the pointer's clicks, drags and wheel as commands, at many sizes; no window.
#include <map>

#include "app/kit/shapes_testing.hpp"
#include "app/shell/frame_testing.hpp"
#include "app/shell/offscreen.hpp"
#include "app/state/keys.hpp"

namespace warptree::shell {
namespace {

using namespace state;

using chrome::PointerEvent;
using scene::Box;
using scene::Vec;
using Kind = PointerEvent::Kind;

TEST_F(AFrame, AClickOnATabChoosesTheKernel) {
    compose();
    click(find("pmpp-convergent"));
    EXPECT_EQ(state().request.kernel, "pmpp-convergent");
}

TEST_F(AFrame, AMenuOpensChoosesAndCloses) {
    compose();
    click(find("N 16"));
    EXPECT_EQ(state().menu, Menu::kN);
    click(find("64"));
    EXPECT_EQ(state().request.n, 64u);
    EXPECT_EQ(state().menu, Menu::kNone);
    click(find("warp 4"));
    click({960, 500});
    EXPECT_EQ(state().menu, Menu::kNone) << "a click elsewhere closes";
    EXPECT_EQ(state().request.warp_size, 4u);
    click(find("warp 4"));
    click(find("N 64"));
    EXPECT_EQ(state().menu, Menu::kN) << "from menu to menu in one click";
}

TEST_F(AFrame, AMenuOpensAtTheButtonThatWasPressed) {
    size = {1280, 720};  // the tabs have no room: the view's name opens the menu View, too
    compose();
    const auto left = [&] {
        return std::get<scene::Rect>(scenes.end()[-2]->shapes.front()).box.x;
    };  // below the tooltip
    const scene::Vec view = find("View"), tree = find("Tree");
    click(view);
    ASSERT_EQ(state().menu, Menu::kView);
    EXPECT_GT(left(), tree.x + 50);
    click({960, 700});
    click(tree);
    ASSERT_EQ(state().menu, Menu::kView);
    EXPECT_LT(left(), tree.x);
    click({960, 700});
    app.apply({.action = Action::kMenu, .menu = Menu::kLessons});
    compose();
    EXPECT_GT(left(), tree.x + 50) << "by a key: at View, of which it is a row";
}

/// The rows of the open menu that are seen whole, and whether a triangle says that there are more.
struct SeenMenu {
    std::vector<std::string> labels;
    std::vector<Vec> signs;
};
SeenMenu seen(const scene::Scene& menu) {
    SeenMenu out;
    const Box box = std::get<scene::Rect>(menu.shapes.front()).box.inset(2);
    for (const scene::Shape& shape : menu.shapes) {
        if (const auto* text = std::get_if<scene::Text>(&shape); text && text->size == 18)
            if (box.contains({text->at.x, text->at.y - 9}) && box.contains({text->at.x, text->at.y + 9}))
                out.labels.push_back(text->text);
        if (const auto* sign = std::get_if<scene::Triangle>(&shape)) out.signs.push_back(sign->c);
    }
    return out;
}

TEST_F(AFrame, AMenuShowsAllItsRowsOrSaysThatThereAreMore) {
    for (const Vec window : {Vec{1920, 1080}, Vec{1280, 720}, Vec{960, 540}, Vec{360, 600}}) {
        for (const Menu menu : {Menu::kView, Menu::kKernels}) {
            size = window;
            app.apply({.action = Action::kMenu, .menu = menu});
            compose();
            const auto items = menu_items(menu, state());
            const auto shown = [&] { return seen(*scenes[scenes.size() - 2]); };  // over it: a tooltip
            SeenMenu now = shown();
            EXPECT_EQ(now.labels.size() < items.size(), !now.signs.empty()) << window.x << " x " << window.y;
            EXPECT_TRUE(menu == Menu::kKernels || window.x < 960 || now.signs.empty()) << "all views at a glance";
            for (int clicks = 0; clicks < 40 && !now.signs.empty() && now.labels.back() != items.back().label;
                 ++clicks) {
                click(now.signs.back());
                ASSERT_EQ(state().menu, menu) << "a click on a sign chooses nothing";
                now = shown();
            }
            EXPECT_EQ(now.labels.back(), items.back().label) << "signs lead to the last row";
            app.apply({.action = Action::kMenu, .menu = menu});
        }
    }
}

TEST_F(AFrame, WhatCannotBeChosenSaysWhyAndDoesNothing) {
    compose();
    click(find("N 16"));
    click(find("4096"));
    EXPECT_EQ(state().menu, Menu::kN);
    EXPECT_EQ(state().request.n, 16u);
    EXPECT_TRUE(shows("too large"));
    if (!kernels::cuda_status().usable) {
        click(find("on CPU"));
        click(find("CUDA"));
        EXPECT_EQ(state().request.backend, kernels::Backend::kCpu);
        EXPECT_TRUE(state().messages.empty());
    }
}

TEST_F(AFrame, TheStripGoesToStepsAndScrubs) {
    compose();
    click(bar(2).centre());
    EXPECT_EQ(state().goal, 3u) << "the end of the third step";
    const Box third = bar(2), fourth = bar(3);
    send(Kind::kPress, third.centre());
    send(Kind::kMove, {fourth.x + fourth.w / 2, fourth.centre().y});
    EXPECT_EQ(state().playhead().position, 4u);
    EXPECT_NEAR(state().playhead().progress, 0.5, 0.02);
    send(Kind::kMove, {-500, 20});
    EXPECT_EQ(state().playhead().position, 0u) << "far left, outside the timeline: the beginning";
    send(Kind::kMove, {5000, 20});
    EXPECT_EQ(state().goal, 5u);
    send(Kind::kMove, {third.x + 3, 900});
    send(Kind::kRelease, {third.x + 3, 900});
    EXPECT_EQ(state().goal, 3u);
    EXPECT_FALSE(state().scrubbing);
    send(Kind::kMove, fourth.centre());
    EXPECT_EQ(state().goal, 3u) << "the finger is off";
}

TEST_F(AFrame, TheWheelOverTheStripStepsOnTowardsOneselfAndBackAwayFromOneself) {
    compose();
    send(Kind::kWheel, bar(2).centre(), -1);
    send(Kind::kWheel, bar(2).centre(), -1);
    EXPECT_EQ(state().goal, 2u);
    send(Kind::kWheel, bar(2).centre(), 1);
    EXPECT_EQ(state().goal, 1u);
}

TEST_F(AFrame, ASlidersStopIsPressedAndDraggedOn) {
    app.apply({.action = Action::kView, .text = "coarsening"});
    compose();
    std::vector<Box> stops;  // of "blocks at once", but for the one that is chosen
    for (const scene::Spot& control : frame.controls())
        if (control.command.field == scene::Field::kFactor) stops.push_back(control.box);
    ASSERT_FALSE(stops.empty());
    const std::uint32_t before = state().coarsening.factor;
    send(Kind::kMove, stops[0].centre());
    send(Kind::kPress, stops[0].centre());
    const std::uint32_t pressed = state().coarsening.factor;
    EXPECT_NE(pressed, before) << "the stop is chosen";
    send(Kind::kMove, {1900, stops[0].centre().y});
    const std::uint32_t last = state().coarsening.factor;
    EXPECT_NE(last, pressed) << "and the finger goes on to the last";
    send(Kind::kRelease, {1900, stops[0].centre().y});
    send(Kind::kMove, {0, stops[0].centre().y});
    EXPECT_EQ(state().coarsening.factor, last) << "the finger is off";
}

TEST_F(AFrame, TheEdgesBetweenPanelsCanBeDragged) {
    compose();
    const scene::Layout before = scene::layout(size);
    const float y = before.middle.centre().y;
    send(Kind::kMove, {before.middle.x - 10, y});
    EXPECT_EQ(frame.edge(), Frame::Edge::kLeft);
    send(Kind::kPress, {before.middle.x - 10, y});
    send(Kind::kMove, {before.middle.x + 40, y});
    send(Kind::kRelease, {before.middle.x + 40, y});
    compose();
    const scene::Layout after = scene::layout(size, state().view, state().split);
    EXPECT_NEAR(after.listing.right(), before.listing.right() + 50, 1);
    EXPECT_EQ(after.counters, before.counters);
    send(Kind::kMove, {900, y});
    EXPECT_EQ(scene::layout(size, state().view, state().split), after) << "the finger is off";
    send(Kind::kDoubleClick, {after.middle.x - 10, y});
    EXPECT_EQ(scene::layout(size, state().view, state().split), before) << "a double click: the usual widths";
    send(Kind::kPress, {before.counters.x - 10, y});
    send(Kind::kMove, {-4000, y});
    send(Kind::kRelease, {-4000, y});
    const scene::Layout most = scene::layout(size, state().view, state().split);
    EXPECT_GE(most.middle.w, 400) << "the middle keeps its room";
    EXPECT_GT(most.listing.w, 0);
}

TEST_F(AFrame, HoverTellsTheStory) {
    app.apply({.action = Action::kGoTo, .value = 2});
    compose();
    for (const scene::Shape& shape : scenes[2]->shapes) {
        const auto* disc = std::get_if<scene::Disc>(&shape);
        if (!disc || disc->id == 0) continue;
        send(Kind::kMove, disc->centre);
        EXPECT_TRUE(shows("hread")) << "a thread's story";
        return;
    }
    FAIL() << "no lane in the tree";
}

TEST_F(AFrame, APointerAtRestTellsNoStoryOfWhatIsNoMoreThere) {
    app.apply({.action = Action::kN, .value = 64});
    app.apply({.action = Action::kLast});
    compose();
    scene::Vec at;
    for (const scene::Shape& shape : scenes[2]->shapes) {
        const auto* disc = std::get_if<scene::Disc>(&shape);
        if (disc && disc->id != 0) at = disc->centre;
    }
    send(Kind::kMove, at);
    EXPECT_TRUE(shows("hread "));
    app.apply({.action = Action::kBack});
    while (app.moving()) app.update(1);
    compose();
    EXPECT_TRUE(scenes.back()->shapes.empty()) << "the tooltip";
    for (const double n : {2.0, 64.0, 4.0}) {  // nor of another run, whatever is drawn there
        send(Kind::kMove, at);
        app.apply({.action = Action::kN, .value = n});
        compose();
    }
}

TEST_F(AFrame, TheKernelsKeepTheirPlacesWhicheverIsChosen) {
    compose();
    const auto tabs = [&] {
        std::map<double, float> places;  // by the kernel's row of the catalog
        for (const scene::Spot& control : frame.controls())
            if (control.command.action == Action::kKernelNumber) places[control.command.value] = control.box.x;
        return places;
    };
    const auto before = tabs();
    ASSERT_GE(before.size(), 3u);
    for (const char* kernel : {"pmpp-convergent", "harris-2", "tournament", "shuffle-atomic"}) {
        app.apply({.action = Action::kKernel, .text = kernel});
        compose();
        for (const auto& [name, x] : tabs()) EXPECT_EQ(before.at(name), x) << name << " beside " << kernel;
    }
    EXPECT_TRUE(shows("shuffle")) << "the menu of the others is named by the one on show";
}

TEST_F(AFrame, TheHelpCutsNoLine) {
    app.apply(scene::turn(scene::Field::kHelp));
    for (const auto& [width, height] : {std::pair{640, 360}, {1280, 720}, {1366, 768}, {1920, 1080}, {1080, 1920}}) {
        for (const float scale : {0.6f, 1.0f, 1.8f, 2.5f}) {
            const float unit = pixels_per_unit(width, height, scale);
            size = {static_cast<float>(width) / unit, static_cast<float>(height) / unit};
            compose();
            for (const Binding& binding : bindings())
                if (!binding.keys.empty()) {
                    EXPECT_TRUE(shows(std::string(binding.does))) << binding.does << ' ' << width << ' ' << scale;
                }
        }
    }
}

TEST_F(AFrame, AsksWhereToSaveOverEverything) {
    for (const bool lecture : {false, true}) {
        if (lecture) app.apply({.action = Action::kLecture});
        app.apply({.action = Action::kSave});
        for (const Vec window : {Vec{1920, 1080}, Vec{1280, 720}, Vec{800, 500}}) {
            size = window;
            compose();
            EXPECT_TRUE(shows("Save this run as")) << lecture;
            EXPECT_TRUE(shows(state().saving->name)) << "the name, in " << window.x;
            EXPECT_TRUE(shows("Enter saves, Esc cancels"));
        }
        const std::size_t at = state().goal;
        click({960, 500}), click({100, 40});
        EXPECT_TRUE(state().saving) << "a click beside it loses nothing";
        EXPECT_EQ(state().goal, at);
        app.apply(frame.resolve({.action = Action::kEscape}, state()));
        compose();
        EXPECT_FALSE(shows("Save this run as"));
    }
}

TEST_F(AFrame, SaysOfWhatGoesOnWhetherEscStopsIt) {
    state::AppState s = state();
    for (const bool stops : {true, false}) {
        s.writing = state::Work{.text = "Saving a.wtrace", .seconds = 1, .stops = stops};
        scenes = frame.compose(s, size);
        EXPECT_TRUE(shows("Saving a.wtrace"));
        EXPECT_EQ(shows("Esc or a click cancels"), stops);
    }
    kernels::translates_since = kernels::Clock::now() - std::chrono::seconds(30);
    s.writing = state::Work{.text = kernels::said_of_driver(), .seconds = 1};
    kernels::translates_since = kernels::Clock::time_point();
    for (const Vec window : {Vec{1920, 1080}, Vec{1280, 720}}) {
        scenes = frame.compose(s, window);
        EXPECT_TRUE(shows("The GPU's driver translates kernels, once: 30 s")) << "whole, in " << window.x;
    }
    s.writing->seconds = 0.1, s.writing->text = "Saving a.wtrace";
    scenes = frame.compose(s, size);
    EXPECT_FALSE(shows("Saving a.wtrace")) << "short ones are not worth a word";
}

TEST_F(AFrame, TextIsAsLargeOnAScreenOfManyPixelsAnInch) {
    EXPECT_EQ(pixels_per_unit(3200, 1800, 1, 2), 2 * pixels_per_unit(1600, 900, 1, 1));
    EXPECT_EQ(pixels_per_unit(2000, 1200, 1, 2), 1.6f) << "never smaller than twice what a desk needs";
    EXPECT_EQ(pixels_per_unit(3840, 2160, 1, 2), pixels_per_unit(3840, 2160, 1, 1)) << "it grows with the window";
}

TEST_F(AFrame, ABlocksNameOpensTheMenuOfBlocks) {
    app.apply({.action = Action::kKernel, .text = "harris-4"});
    app.apply({.action = Action::kN, .value = 64});
    app.apply({.action = Action::kBlock, .value = 4});
    app.apply({.action = Action::kView, .text = "memory"});
    compose();
    click(find("block 0 of 8"));
    EXPECT_EQ(state().menu, Menu::kShown);
}

TEST_F(AFrame, AnAccessIsChosenByAClickLetGoByAnotherAndTakenBack) {
    app.apply({.action = Action::kView, .text = "memory"});
    app.apply({.action = Action::kGoTo, .value = 1});
    compose();
    std::vector<Vec> bars;
    for (const scene::Scene* one : scenes)
        for (const scene::Shape& shape : one->shapes)
            if (const auto* rect = std::get_if<scene::Rect>(&shape);
                rect != nullptr && rect->id != 0 && scene::unpack(rect->id).kind == scene::Target::Kind::kAccess)
                bars.push_back(rect->box.centre());
    ASSERT_GT(bars.size(), 1u);
    click(bars.front());
    const scene::MemoryChoice first = state().access;
    EXPECT_TRUE(first.made);
    click(bars.back());
    EXPECT_TRUE(state().access.made && state().access != first);
    app.apply({.action = Action::kUndo});
    EXPECT_EQ(state().access, first);
    compose();
    click(bars.front());
    EXPECT_FALSE(state().access.made) << "a second click lets go";
}

TEST_F(AFrame, TabGoesThroughEveryControlAndEnterUsesIt) {
    compose();
    std::vector<int> seen;
    for (int i = 0; i < 40; ++i) {
        app.apply(frame.resolve({.action = Action::kFocusNext}, state()));
        compose();
        if (!seen.empty() && state().focus == seen.front()) break;
        seen.push_back(state().focus);
    }
    EXPECT_EQ(seen.size(), frame.controls().size());
    EXPECT_GE(seen.size(), 4u + 5 + 6) << "tabs, five menus, six buttons";
    app.apply({.action = Action::kFocus, .value = 1});
    compose();
    app.apply(frame.resolve({.action = Action::kActivate}, state()));
    EXPECT_EQ(state().request.kernel, "pmpp-convergent") << "the second control is the second tab";
    app.apply({.action = Action::kFocus, .value = 0});
    app.apply(frame.resolve({.action = Action::kFocusPrevious}, state()));
    EXPECT_EQ(state().focus, static_cast<int>(seen.size()) - 1);
}

TEST_F(AFrame, MessagesAreShownAndClosedByTheirCross) {
    app.apply({.action = Action::kN, .value = 3});
    compose();
    ASSERT_TRUE(shows("N = 3"));
    const Vec text = find(state().messages[0].text);
    const float right = text.x + fonts.width(state().messages[0].text, scene::Face::kSans, 18);
    click({right + 30, text.y});
    EXPECT_TRUE(state().messages.empty());
}

TEST_F(AFrame, OverlaysTakeTheClick) {
    app.apply(scene::turn(scene::Field::kHelp));
    compose();
    EXPECT_TRUE(shows("All keys"));
    click(find("pmpp-convergent"));
    EXPECT_FALSE(state().help);
    EXPECT_EQ(state().request.kernel, "pmpp-simple");
    app.apply(scene::turn(scene::Field::kBlank));
    compose();
    EXPECT_TRUE(scenes.empty());
    click({900, 500});
    EXPECT_FALSE(state().blank);
}

TEST_F(AFrame, TargetsAreLargeEnoughAndInsideTheWindowAtEverySize) {
    for (const auto& [width, height] : {std::pair{1280, 720}, {1920, 1080}, {3840, 2160}, {1024, 768}}) {
        for (const float scale : {0.6f, 1.0f, 1.4f, 1.8f, 2.5f}) {
            const float unit = pixels_per_unit(width, height, scale);
            size = {static_cast<float>(width) / unit, static_cast<float>(height) / unit};
            compose();
            ASSERT_GE(frame.controls().size(), 2u + 6);
            for (const scene::Spot& control : frame.controls()) {
                const Box& box = control.box;
                EXPECT_GE(std::min(box.w, box.h), 32) << control.tooltip << ' ' << width << ' ' << scale;
                EXPECT_GE(std::min(box.x, box.y), 0) << control.tooltip << ' ' << width << ' ' << scale;
                EXPECT_LE(box.right(), size.x) << control.tooltip << ' ' << width << ' ' << scale;
                EXPECT_LE(box.bottom(), size.y) << control.tooltip << ' ' << width << ' ' << scale;
                for (const scene::Spot& other : frame.controls()) {
                    if (&other == &control) continue;
                    const bool apart = other.box.x >= box.right() || other.box.right() <= box.x ||
                                       other.box.y >= box.bottom() || other.box.bottom() <= box.y;
                    EXPECT_TRUE(apart) << control.tooltip << " covers " << other.tooltip << ' ' << width << ' '
                                       << scale;
                }
            }
        }
    }
}

TEST_F(AFrame, TheHeadersButtonsKeepTheirDistanceWhateverTheKernel) {
    constexpr float kLeastGap = 8;
    app.apply({.action = Action::kTeachingSize});  // which all kernels take
    for (const kernels::Kernel& kernel : kernels::catalog()) {
        app.apply({.action = Action::kKernel, .text = std::string(kernel.name)});
        ASSERT_EQ(state().request.kernel, kernel.name);
        for (const auto& [width, height] :
             {std::pair{1280, 720}, {1366, 768}, {1920, 1080}, {3840, 2160}, {1024, 768}}) {
            for (const float scale : {0.6f, 1.0f, 1.2f, 1.4f, 1.6f, 1.8f, 2.0f, 2.5f}) {
                const float unit = pixels_per_unit(width, height, scale);
                size = {static_cast<float>(width) / unit, static_cast<float>(height) / unit};
                compose();
                const std::string where = fmt::format("{} in {}x{} at {}", kernel.name, width, height, scale);
                const Box header = scene::layout(size).header;
                float end = -1e6f;
                std::size_t buttons = 0;
                for (const scene::Spot& control : frame.controls()) {
                    if (!header.contains(control.box.centre())) continue;
                    EXPECT_GE(control.box.x - end, kLeastGap - 0.01f) << control.tooltip << ", " << where;
                    end = control.box.right();
                    ++buttons;
                }
                EXPECT_LE(end, header.right() + 0.01f) << where;
                EXPECT_GE(buttons, 3u) << where;
                EXPECT_TRUE(shows(fmt::format("N {}", state().request.n))) << where;
                bool named = false;  // in full, on a tab or on the menu of kernels
                for (const scene::Shape& shape : scenes[0]->shapes) {
                    const auto* text = std::get_if<scene::Text>(&shape);
                    named = named || (text != nullptr && text->text == kernel.name);
                }
                EXPECT_TRUE(named) << where;
            }
        }
    }
}

TEST_F(AFrame, ScenesAreBuiltOnlyWhenSomethingChanged) {
    app.apply({.action = Action::kTeachingSize});
    compose();
    const scene::Scene* tree = scenes[2];
    const std::string before = shapes_text(*tree);
    const auto* shapes = tree->shapes.data();
    compose();
    EXPECT_EQ(scenes[2]->shapes.data(), shapes) << "a scene built anew lies elsewhere";
    app.apply({.action = Action::kLast});
    compose();
    EXPECT_NE(shapes_text(*scenes[2]), before);
    app.apply({.action = Action::kFirst});
    compose();
    EXPECT_EQ(shapes_text(*scenes[2]), before);
}

TEST_F(AFrame, APictureOfTheWholeWindow) {
    const auto png = render(state(), 800, 600);
    ASSERT_TRUE(png) << png.error().message;
    EXPECT_GT(png->size(), 10000u);
    EXPECT_EQ(*render(state(), 800, 600), *png);
    EXPECT_FALSE(render(state(), 0, 600));
}

}  // namespace
}  // namespace warptree::shell
