// The frame's middle: views, grid, tree and ladder by the pointer, without a window. Neighbour: frame_test.cpp.
#include <optional>

#include "app/chrome/overlays.hpp"
#include "app/kit/target.hpp"
#include "app/shell/frame_testing.hpp"
#include "app/state/announce.hpp"
#include "app/views/ladder/facts.hpp"

namespace warptree::shell {
namespace {

using namespace state;

using chrome::PointerEvent;
using scene::Box;
using scene::Vec;
using Kind = PointerEvent::Kind;

TEST_F(AFrame, TheLadderIsChosenFromByClicks) {
    app.apply({.action = Action::kView, .text = "ladder"});
    compose();
    const auto n = [&] { return study::ladder_of(study::shipped_measurements(), state().ladder).choice.n; };
    click(find("harris-5"));
    EXPECT_EQ(state().request.kernel, "harris-5");
    EXPECT_TRUE(shows("From harris-4 to harris-5"));
    click(find("2^24"));
    EXPECT_EQ(n(), 1u << 24);
    EXPECT_TRUE(shows("N = 2^24: 16,777,216 float32, warm cache"));
    click(find("cold"));
    EXPECT_TRUE(state().ladder.cold);
    click(find("time"));
    EXPECT_TRUE(shows("Time in ms over N"));
    send(Kind::kMove, find("harris-7"));
    EXPECT_TRUE(shows(" ms in the median, ")) << "the row's time in full";
    click(find("G80"));
    EXPECT_TRUE(shows("8.054"));
    EXPECT_EQ(n(), 1u << 22);
}

TEST_F(AFrame, OfTheLaddersKernelsSeveralAreChosenWithoutOpeningTheMenuAgain) {
    app.apply({.action = Action::kView, .text = "ladder"});
    app.apply({.action = Action::kMenu, .menu = Menu::kRungs});
    compose();
    const auto row = [&](const std::string& label) {  // the last drawn is the menu's
        scene::Vec at{};
        for (const scene::Scene* one : scenes)
            for (const scene::Shape& shape : one->shapes)
                if (const auto* text = std::get_if<scene::Text>(&shape); text && text->text == label) at = text->at;
        return at;
    };
    for (const char* kernel : {"harris-1", "harris-4"}) {
        click(row(kernel));
        EXPECT_EQ(state().menu, Menu::kRungs);
    }
    EXPECT_EQ(state().ladder.hidden, (std::vector<std::string>{"harris-1", "harris-4"}));
    click(row("harris-4"));
    EXPECT_EQ(state().ladder.hidden, std::vector<std::string>{"harris-1"});
    click({1800, 900});
    EXPECT_EQ(state().menu, Menu::kNone);
}

TEST_F(AFrame, TheGridChoosesBlocksOfAnyLaunchAndOpensThem) {
    app.apply({.action = Action::kKernel, .text = "harris-4"});
    app.apply({.action = Action::kN, .value = 64});
    app.apply({.action = Action::kBlock, .value = 4});
    app.apply({.action = Action::kView, .text = "grid"});
    settle();
    const auto card = [&](std::uint16_t launch, std::uint32_t block) {
        const scene::Id id = scene::pack({scene::Target::Kind::kBlock, launch, 0, block});
        for (const scene::Scene* one : scenes)
            for (const scene::Shape& shape : one->shapes)
                if (const auto* rect = std::get_if<scene::Rect>(&shape); rect && rect->id == id)
                    return rect->box.centre();
        ADD_FAILURE() << "no card for block " << block;
        return Vec{};
    };
    click(card(0, 5));
    EXPECT_EQ(state().subject->block, 5u);
    EXPECT_EQ(state().goal, 0u) << "it is in that launch already";
    click(card(1, 0));
    EXPECT_EQ(state().subject->launch, 1u);
    EXPECT_EQ(state().goal, state().subject->first_step + 1) << "where that launch is on show";
    app.apply({.action = Action::kBack});
    EXPECT_EQ(state().subject->launch, 0u) << "a step back leads into the launch before";
    compose();
    EXPECT_TRUE(shows("grid › launch 1: harris_4"));
    EXPECT_TRUE(shows("launch 2 of 2")) << "in the timeline";
    const std::uint32_t block = state().subject->block;
    click(card(0, block));
    EXPECT_EQ(state().view, scene::View::kTree) << "a second click opens it";
    EXPECT_EQ(state().subject->block, block);
    settle();
    const std::string trail = fmt::format("grid › launch 1 › block {}", block);
    EXPECT_TRUE(shows(trail));
    app.apply(frame.resolve({.action = Action::kOut}, state()));
    EXPECT_EQ(state().view, scene::View::kGrid) << "Backspace leads back up";
    settle();
    app.apply(frame.resolve({.action = Action::kActivate}, state()));
    EXPECT_EQ(state().view, scene::View::kTree) << "Enter opens it too";
}

TEST_F(AFrame, OneZoomLeadsFromTheGridToAWarpAndBack) {
    app.apply({.action = Action::kKernel, .text = "harris-4"});
    app.apply({.action = Action::kN, .value = 512});
    app.apply({.action = Action::kWarpSize, .value = 32});
    app.apply({.action = Action::kBlock, .value = 64});
    app.apply({.action = Action::kView, .text = "grid"});
    settle();
    const auto centre = [&](scene::Target target) {
        for (const scene::Scene* one : scenes)
            for (const scene::Shape& shape : one->shapes)
                if (const auto* rect = std::get_if<scene::Rect>(&shape); rect && rect->id == scene::pack(target))
                    return rect->box.centre();
        ADD_FAILURE() << "no such place";
        return Vec{};
    };
    send(Kind::kWheel, centre({scene::Target::Kind::kBlock, 0, 0, 2}), 1);
    EXPECT_EQ(state().subject->block, 2u);
    EXPECT_EQ(state().view, scene::View::kTree);
    EXPECT_EQ(state().depth, 0) << "it is still to grow";
    app.update(0.2);
    compose();
    EXPECT_TRUE(scenes.size() > 3 && state().depth > 0 && state().depth < 1);
    settle();
    EXPECT_TRUE(shows("grid › launch 1 › block 2"));
    app.apply(frame.resolve({.action = Action::kActivate}, state()));
    settle();
    EXPECT_TRUE(shows("grid › block 2 › warp 0"));
    click(control("The whole block"));
    settle();
    EXPECT_EQ(state().camera, scene::Camera{});
    send(Kind::kWheel, scene::layout(size).middle.centre(), -1);
    EXPECT_EQ(state().view, scene::View::kGrid) << "out of the whole tree";
    settle();
    EXPECT_EQ(state().subject->block, 2u);
    app.apply(frame.resolve({.action = Action::kActivate}, state()));
    settle();
    click(control("All launches and blocks"));
    EXPECT_EQ(state().view, scene::View::kGrid);
}

TEST_F(AFrame, OneZoomLeadsFromTheDevicesIntoTheGridAndBack) {
    app.apply({.action = Action::kKernel, .text = "all-reduce-ring"});
    app.apply({.action = Action::kDevices, .value = 4});
    settle();
    ASSERT_EQ(state().view, scene::View::kNetwork);
    EXPECT_EQ(state().depth, -1) << "a run that opens there comes from nowhere";
    const std::uint32_t each = state().subject->trace.launch.blocks_a_device();
    const scene::Id of_device_2 = scene::target_id(scene::Target::Kind::kBlock, 2 * each, 0);
    const auto centre = [&](scene::Id id) {
        for (const scene::Scene* one : scenes)
            for (const scene::Shape& shape : one->shapes)
                if (const auto* rect = std::get_if<scene::Rect>(&shape); rect && rect->id == id)
                    return rect->box.centre();
        ADD_FAILURE() << "no such place";
        return Vec{};
    };
    app.apply({.action = Action::kLast});
    settle();
    send(Kind::kWheel, centre(of_device_2), 1);
    EXPECT_EQ(state().view, scene::View::kGrid);
    EXPECT_EQ(state().subject->block, 2 * each);
    EXPECT_EQ(state().subject->launch, 0u) << "the round whose bar it was";
    app.update(0.2);
    compose();
    EXPECT_TRUE(state().depth > -1 && state().depth < 0) << "one grows into the other";
    settle();
    EXPECT_TRUE(shows("devices ›"));
    EXPECT_TRUE(
        shows("grid › launch 1: reduce_scatter › " + study::block_name(state().subject->trace.launch, 2 * each)));
    send(Kind::kWheel, scene::layout(size).middle.centre(), -1);
    EXPECT_EQ(state().view, scene::View::kNetwork) << "and out again";
    settle();
    app.apply(frame.resolve({.action = Action::kActivate}, state()));
    EXPECT_EQ(state().view, scene::View::kGrid) << "Enter goes in";
    settle();
    app.apply(frame.resolve({.action = Action::kOut}, state()));
    EXPECT_EQ(state().view, scene::View::kNetwork) << "Backspace out";
    settle();
    app.apply({.action = Action::kView, .text = "tree"});
    settle();
    EXPECT_TRUE(shows("devices › grid › device 2"));
    click(control("All devices, round by round"));
    EXPECT_EQ(state().view, scene::View::kNetwork);
    app.update(0.3);
    compose();
    EXPECT_TRUE(state().depth > 0) << "past the grid";
    settle();
    app.apply({.action = Action::kKernel, .text = "harris-4"});
    app.apply({.action = Action::kView, .text = "grid"});
    settle();
    send(Kind::kWheel, scene::layout(size).middle.centre(), -1);
    EXPECT_EQ(state().view, scene::View::kGrid) << "of one device there is nothing above";
}

TEST_F(AFrame, TheChosenPictureIsAnnounced) {
    app.apply({.action = Action::kView, .text = "accuracy"});
    settle();
    EXPECT_NE(state::announcement(state()).find(R"("accuracy":"worst")"), std::string::npos);
    app.apply(scene::set(scene::Field::kAccuracy, "repeats"));
    EXPECT_NE(state::announcement(state()).find(R"("accuracy":"repeats")"), std::string::npos);
    app.apply({.action = Action::kView, .text = "ladder"});
    settle();
    EXPECT_NE(state::announcement(state()).find(R"("ladder":{"device":)"), std::string::npos);
    EXPECT_NE(state::announcement(state()).find(R"("picture":"bandwidth")"), std::string::npos);
}

TEST_F(AFrame, AnUndoOnTheWayFromTheGridToTheTreeLeavesBoth) {
    app.apply({.action = Action::kKernel, .text = "harris-4"});
    app.apply({.action = Action::kN, .value = 512});
    app.apply({.action = Action::kBlock, .value = 64});
    app.apply({.action = Action::kView, .text = "compare"});
    settle();
    ASSERT_EQ(state().view, scene::View::kCompare);
    app.apply({.action = Action::kLast});
    settle();
    app.apply({.action = Action::kLesson, .text = "blocks"});
    settle();
    ASSERT_EQ(state().view, scene::View::kGrid);
    app.apply({.action = Action::kView, .text = "tree"});
    app.update(0.2);
    compose();
    ASSERT_TRUE(state().depth > 0 && state().depth < 1);
    for (int i = 0; i < 4 && state().view != scene::View::kCompare; ++i) app.apply({.action = Action::kUndo});
    ASSERT_EQ(state().view, scene::View::kCompare);
    ASSERT_TRUE(state().depth > 0 && state().depth < 1);
    compose();
    EXPECT_TRUE(shows("harris-4"));
    settle();
}

TEST_F(AFrame, AClickOnStepsThatRepeatOpensThem) {
    app.apply({.action = Action::kKernel, .text = "sequential"});
    compose();
    Vec name = find("stride 1, 16 times");
    click(name);
    compose();
    EXPECT_FALSE(shows("16 times"));
    EXPECT_EQ(state().open_folds, 1u);
    click(find("stride 1"));
    EXPECT_EQ(state().open_folds, 0u);
    compose();
    click(bar(0).centre());
    EXPECT_EQ(state().goal, 16u) << "their bar is one";
}

TEST_F(AFrame, ABandOfTheWarpsLeadsToTheEndOfItsStep) {
    app.apply({.action = Action::kView, .text = "warps"});
    settle();
    for (const std::size_t step : {3, 1}) {
        std::optional<Vec> band;  // in the middle: the timeline's bars have the same id
        for (const scene::Scene* one : scenes)
            for (const auto& [id, box] : chrome::boxes_of(*one))
                if (id == scene::step_id(step) && scene::layout(size).middle.contains(box.centre()))
                    band = box.centre();
        ASSERT_TRUE(band);
        click(*band);
        settle();
        EXPECT_EQ(state().goal, step + 1);
    }
}

TEST_F(AFrame, TheStripIsOfTheWholeRun) {
    app.apply({.action = Action::kKernel, .text = "harris-4"});
    app.apply({.action = Action::kN, .value = 64});
    app.apply({.action = Action::kBlock, .value = 4});
    compose();
    const std::size_t first = state().subject->run().first_step(1);
    EXPECT_LT(bar(first - 1).right(), bar(first).x) << "launches stand apart";
    click(bar(first + 1).centre());
    EXPECT_EQ(state().goal, first + 2);
    EXPECT_EQ(state().subject->launch, 1u);
    EXPECT_EQ(state().playhead().position, 2u);
    send(Kind::kMove, bar(0).centre());
    EXPECT_TRUE(shows("Launch 1, harris_4: load")) << "a bar of another launch is told as such";
}

TEST_F(AFrame, ATabShowsAnotherView) {
    compose();
    click(find("Grid"));
    EXPECT_EQ(state().view, scene::View::kGrid);
    settle();
    EXPECT_FALSE(shows("Cost so far"));
    click(find("Tree"));
    settle();
    EXPECT_EQ(state().view, scene::View::kTree);
    EXPECT_TRUE(shows("Cost so far"));
}

TEST_F(AFrame, ABarrierIsLeftOutSeenAndPutBack) {
    const auto click_control = [&](Action action, const std::string& tooltip) {
        for (const scene::Spot& control : frame.controls()) {
            if (control.command.action == action && control.tooltip.find(tooltip) != std::string::npos)
                return click(control.box.centre());
        }
        ADD_FAILURE() << "no control '" << tooltip << "'";
    };
    app.apply({.action = Action::kView, .text = "hazards"});
    compose();
    EXPECT_TRUE(shows("Every barrier is in place"));
    click_control(Action::kBarrier, "Leave the barrier of line 22 out");
    EXPECT_EQ(state().subject->trace.launch.without_barrier_line, 22);
    EXPECT_FALSE(state().subject->hazards.empty());
    EXPECT_TRUE(shows("No barrier keeps them apart"));
    EXPECT_TRUE(shows("wrong"));
    click_control(Action::kThreadOrder, "descending");
    EXPECT_EQ(state().subject->trace.launch.thread_order, "descending");
    EXPECT_EQ(state().subject->trace.launch.without_barrier_line, 22);
    app.apply({.action = Action::kUndo});
    app.apply({.action = Action::kUndo});
    compose();
    EXPECT_EQ(state().subject->trace.launch.without_barrier_line, 0);
    EXPECT_TRUE(shows("Every barrier is in place"));
    click_control(Action::kBarrier, "Leave");
    app.apply({.action = Action::kKernel, .text = "pmpp-shared"});
    EXPECT_EQ(state().request.without_barrier_line, 0) << "another kernel has other lines";
    EXPECT_EQ(state().subject->trace.launch.kernel, "pmpp-shared");
}

TEST_F(AFrame, TheBooksEditionIsChosenByPointerAndKey) {
    app.apply({.action = Action::kTeachingSize});  // N = 256, for which the book has forms
    compose();
    EXPECT_TRUE(shows("= 736"));
    EXPECT_TRUE(shows("= 864"));
    click([&] {
        for (const scene::Spot& control : frame.controls()) {
            if (control.command.action == Action::kSet && control.command.field == scene::Field::kEdition &&
                control.command.text == "5e")
                return control.box.centre();
        }
        ADD_FAILURE() << "no switch between editions";
        return Vec{};
    }());
    EXPECT_EQ(state().edition, "5e");
    EXPECT_FALSE(shows("= 736"));
    app.apply(scene::turn(scene::Field::kEdition));
    compose();
    EXPECT_TRUE(shows("= 736")) << "after the 5th come both again";
}

TEST_F(AFrame, TheTreeZoomsAboutThePointerMovesAndComesBack) {
    compose();
    const Box tree = scene::layout(size).middle;
    const Vec at = tree.centre();
    send(Kind::kWheel, at, 3);
    EXPECT_GT(state().camera.zoom, 1.3f);
    EXPECT_FALSE(state().follow);
    const scene::Camera zoomed = state().camera;
    send(Kind::kPress, at);
    send(Kind::kMove, {at.x + 40, at.y + 10});
    EXPECT_NEAR(state().camera.pan.x, zoomed.pan.x + 40, 1);
    send(Kind::kRelease, {at.x + 40, at.y + 10});
    send(Kind::kDoubleClick, at);
    settle();
    EXPECT_EQ(state().camera, scene::Camera{});
    EXPECT_TRUE(state().follow);
}

}  // namespace
}  // namespace warptree::shell
