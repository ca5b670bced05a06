// The lecture in the window: picture and caption alone, the mouse brings the rest back, and two keys of a remote lead
// through all kernels.
#include <optional>

#include "app/kit/target.hpp"
#include "app/shell/frame_testing.hpp"
#include "app/state/keys.hpp"
#include "app/state/settings.hpp"

namespace warptree::shell {
namespace {

using Kind = chrome::PointerEvent::Kind;
using scene::Vec;

class ALecture : public AFrame {
protected:
    void press(state::Named key) { press({key, 0, false, false}); }
    void press(char32_t character) { press({state::Named::kNone, character, false, false}); }
    void press(const state::KeyPress& key) {
        if (const auto command = state::command_for(key, state())) app.apply(frame.resolve(*command, state()));
        compose();
    }
    Vec middle_of(scene::Id id) {
        for (const scene::Scene* one : scenes)
            if (const auto boxes = chrome::boxes_of(*one); boxes.contains(id)) return boxes.at(id).centre();
        ADD_FAILURE() << "nothing has that id";
        return {};
    }
    float size_of(const std::string& text) {
        for (const scene::Scene* one : scenes)
            for (const scene::Shape& shape : one->shapes)
                if (const auto* found = std::get_if<scene::Text>(&shape); found && found->text == text)
                    return found->size;
        ADD_FAILURE() << "no text '" << text << "'";
        return 0;
    }
};

TEST_F(ALecture, ShowsPictureAndCaptionAloneAndLeavesWithEitherKey) {
    for (const state::Named leaves : {state::Named::kF5, state::Named::kEscape}) {
        press(state::Named::kF5);
        EXPECT_TRUE(state().lecture && state().full_screen);
        EXPECT_EQ(state().theme, "projector");
        for (const char* gone : {"View", "Listing", "Cost so far", "Tree", "Warptree"}) EXPECT_FALSE(shows(gone));
        EXPECT_TRUE(shows("Before the first step"));
        EXPECT_TRUE(shows("5 steps"));
        EXPECT_TRUE(frame.controls().empty());
        press(leaves);
        EXPECT_FALSE(state().lecture || state().full_screen);
        EXPECT_EQ(state().theme, "dark");
        EXPECT_TRUE(shows("View"));
    }
}

TEST_F(ALecture, KeepsTheViewAndALookOfItsOwn) {
    app.apply({.action = Action::kKernel, .text = "brent-kung"});
    press(state::Named::kF5);
    EXPECT_EQ(state().view, scene::View::kNetwork);
    EXPECT_TRUE(shows("finished"));
    press(U'y');
    app.apply(scene::set(scene::Field::kTheme, "light"));
    EXPECT_EQ(scene::text_rows()[state().text].name, "hall");
    press(state::Named::kEscape);
    EXPECT_EQ(scene::text_rows()[state().text].name, "desk");
    press(state::Named::kF5);
    EXPECT_EQ(scene::text_rows()[state().text].name, "hall");
    EXPECT_EQ(state().theme, "light");
}

TEST_F(ALecture, NothingLiesOverTheClockWhereThereIsNoTransport) {
    press(state::Named::kF5);
    auto covered = [&, x = 900.0f]() mutable {  // by a strip at the bottom of the window
        send(Kind::kMove, {x += 50, 500});
        EXPECT_TRUE(shows("View"));
        return std::ranges::any_of(scenes, [&](const scene::Scene* one) {
            return std::ranges::any_of(one->shapes, [&](const scene::Shape& shape) {
                const auto* rect = std::get_if<scene::Rect>(&shape);
                return rect && rect->ink == scene::Ink{scene::Role::kBackground} && rect->box.y > size.y / 2;
            });
        });
    };
    EXPECT_TRUE(covered()) << "the caption's foot, by the transport";
    press(U'u');
    settle();
    ASSERT_EQ(state().view, scene::View::kLadder);
    EXPECT_FALSE(covered());
}

TEST_F(ALecture, TheWheelLooksCloserAtTheTreeAndNeverLeavesIt) {
    press(state::Named::kF5);
    const Vec at{size.x / 2, size.y / 2};
    send(Kind::kWheel, at, 3);
    EXPECT_GT(state().camera.zoom, 1.3f);
    for (int i = 0; i < 3; ++i) send(Kind::kWheel, at, -3);
    EXPECT_NEAR(state().camera.zoom, 1, 0.01);
    EXPECT_EQ(state().view, scene::View::kTree) << "the grid is not shown by accident";
}

TEST_F(ALecture, TheMouseBringsMenusBackForAWhile) {
    press(state::Named::kF5);
    const Vec picture = find("stride 2");
    send(Kind::kMove, {900, 500});
    EXPECT_TRUE(shows("View"));
    EXPECT_EQ(find("stride 2"), picture) << "the picture stays where it is";
    click(find("pmpp-convergent"));
    EXPECT_EQ(state().request.kernel, "pmpp-convergent");
    app.update(2.5);
    compose();
    EXPECT_TRUE(shows("View"));
    EXPECT_TRUE(app.moving());
    EXPECT_TRUE(app.update(1));
    compose();
    EXPECT_FALSE(shows("View"));
    send(Kind::kMove, {find("0").x, find("input").y});
    EXPECT_TRUE(shows("input[0]")) << "a tooltip";
    app.update(4);
    compose();
    EXPECT_FALSE(shows("input[0]")) << "it goes with the pointer";
    send(Kind::kLeave, {-1, -1});
    EXPECT_FALSE(shows("View"));
}

TEST_F(ALecture, ALaserSpotFollowsThePointerAndNothingElseHappens) {
    press(U'l');
    EXPECT_EQ(state().view, scene::View::kGrid) << "elsewhere L is the grid";
    press(U'l');
    settle();
    press(state::Named::kF5);
    press(U'l');
    EXPECT_TRUE(state().laser);
    send(Kind::kMove, {700, 400});
    EXPECT_FALSE(shows("View"));
    const auto* spot = std::get_if<scene::Disc>(&scenes.back()->shapes.back());
    ASSERT_NE(spot, nullptr);
    EXPECT_NEAR(spot->centre.x, 700, 0.01);
    EXPECT_NEAR(spot->centre.y, 400, 0.01);
    send(Kind::kPress, {700, 400});
    EXPECT_EQ(state().camera, scene::Camera());
    press(U'l');
    EXPECT_FALSE(state().laser);
}

/// Where a mark's number stands.
std::optional<Vec> mark_in(std::span<const scene::Scene* const> scenes, const std::string& number) {
    for (const scene::Scene* one : scenes)
        for (const scene::Shape& shape : one->shapes)
            if (const auto* text = std::get_if<scene::Text>(&shape))
                if (text->text == number && text->ink.role == scene::Role::kPanel) return text->at;
    return {};
}
TEST_F(ALecture, ASpotLeavesNumbersAndLinesThatStayWithWhatTheyStandOn) {
    press(state::Named::kF5);
    press(state::Named::kRight);
    settle();
    press(U'l');
    const auto cell = [&](std::uint32_t index) { return middle_of(scene::cell_id(1, 0, index)); };
    const Vec before = cell(4);
    click(before);
    click({(cell(4).x + cell(5).x) / 2, before.y + 40});
    ASSERT_EQ(state().marks.size(), 2u);
    const auto expect_there = [&](const char* when) {
        compose();
        ASSERT_TRUE(mark_in(scenes, "1") && mark_in(scenes, "2")) << when;
        EXPECT_NEAR(mark_in(scenes, "1")->x, cell(4).x, 0.1) << when;
        EXPECT_NEAR(mark_in(scenes, "1")->y, cell(4).y, 0.1) << when;
        EXPECT_GT(mark_in(scenes, "2")->x, cell(4).x) << when;
        EXPECT_LT(mark_in(scenes, "2")->x, cell(5).x) << when;
    };
    expect_there("as it was left");
    size = {1280, 720};
    expect_there("in a smaller window");
    EXPECT_NE(cell(4), before);
    app.apply({.action = Action::kCamera, .camera = {1.5f, {}}});
    expect_there("larger");
    app.apply({.action = Action::kCamera});
    Command alone{.action = Action::kMark};
    alone.stroke.points = {{.share = {0.5f, 0.5f}}};
    app.apply(alone);
    compose();
    EXPECT_TRUE(mark_in(scenes, "3"));
    app.apply({.action = Action::kCamera, .camera = {2, {}}});
    compose();
    EXPECT_FALSE(mark_in(scenes, "3")) << "nobody knows what it would point at";
    app.apply({.action = Action::kUndo});
    press(state::Named::kF5);
    expect_there("at the desk");
    press(state::Named::kF5);
    press(U'l');
    app.apply({.action = Action::kCamera});
    press(state::Named::kRight);
    settle();
    EXPECT_FALSE(mark_in(scenes, "1")) << "another step";
    press(state::Named::kLeft);
    settle();
    send(Kind::kPress, {300, 300});
    for (float x = 310; x <= 400; x += 10) send(Kind::kMove, {x, 300});
    EXPECT_EQ(state().marks.size(), 2u) << "it is still drawn";
    send(Kind::kRelease, {400, 300});
    ASSERT_EQ(state().marks.size(), 3u);
    EXPECT_EQ(state().marks[2].points.size(), 11u);
    press({state::Named::kNone, U'l', true});
    EXPECT_TRUE(state().marks.empty());
}

TEST_F(ALecture, TheCodeHasTheRunningLinesAndOneNumber) {
    const std::string line = "input[i] += input[i + stride];";
    press({state::Named::kNone, U's', false, true});
    EXPECT_FALSE(state().code_lines) << "the key is the lecture's";
    press(state::Named::kF5);
    EXPECT_FALSE(shows(line));
    press({state::Named::kNone, U's', false, true});
    EXPECT_TRUE(state().code_lines);
    EXPECT_FALSE(shows("efficiency so far")) << "nothing has run";
    for (int step = 0; step < 2; ++step) press(state::Named::kPageDown);
    settle();
    EXPECT_TRUE(shows(line) && shows("(threadIdx.x % stride == 0) {"));
    EXPECT_TRUE(shows("75.0 %") && shows("efficiency so far")) << "12 additions of 16 slots";
    app.apply({.action = Action::kLast});
    compose();
    EXPECT_TRUE(shows("*output = input[0]") && shows("53.6 %"));
    EXPECT_FALSE(shows(line));
    size = {800, 260};
    compose();
    EXPECT_FALSE(shows("53.6 %")) << "it gives way to the picture";
    size = {1920, 1080};
    app.apply({.action = Action::kView, .text = "compare"});
    compose();
    EXPECT_FALSE(shows("efficiency so far")) << "there is no one run";
    const Json settings = state::remembered(state(), {});
    EXPECT_TRUE(state::state_from(settings).code_lines);
}

TEST_F(ALecture, PageDownLeadsThroughAllKernelsAndPageUpBack) {
    app.apply(scene::turn(scene::Field::kAnimate));
    app.apply({.action = Action::kN, .value = 8});
    press(state::Named::kF5);
    const auto rows = kernels::catalog();
    std::vector<kernels::Request> on_the_way;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        ASSERT_EQ(state().request.kernel, rows[i].name);
        on_the_way.push_back(state().request);
        EXPECT_LE(state().request.n, 512u) << rows[i].name;
        EXPECT_EQ(state().request.warp_size, 4u) << rows[i].name;
        EXPECT_EQ(state().request.op, rows[i].usual.op) << rows[i].name;
        EXPECT_EQ(state().request.type, kernels::usual_type(rows[i], rows[i].usual.op)) << rows[i].name;
        EXPECT_EQ(state().goal, 0u);
        for (std::size_t step = 0; state().goal < state().steps(); ++step) {
            ASSERT_LT(step, 2000u);
            press(state::Named::kPageDown);
            ASSERT_FALSE(state().card);
        }
        press(state::Named::kPageDown);
        ASSERT_TRUE(state().card) << rows[i].name;
        EXPECT_TRUE(shows("Removed") && shows("Remains"));
        press(state::Named::kPageDown);
    }
    EXPECT_TRUE(state().card) << "there is no kernel after the last";
    for (std::size_t i = rows.size(); i-- > 0;) {
        ASSERT_EQ(state().request, on_the_way[i]) << "as it was left";
        EXPECT_TRUE(state().card && state().goal == state().steps());
        press(state::Named::kPageUp);
        EXPECT_FALSE(state().card);
        app.apply({.action = Action::kFirst});
        press(state::Named::kPageUp);
    }
    EXPECT_EQ(state().goal, 0u);
}

TEST_F(ALecture, AnOrdinaryStepStaysAtTheEnd) {
    press(state::Named::kEnd);
    press(state::Named::kRight);
    EXPECT_FALSE(state().card);
    press(state::Named::kPageDown);
    EXPECT_TRUE(state().card) << "in the window, too";
    press(state::Named::kLeft);
    EXPECT_FALSE(state().card);
    EXPECT_EQ(state().goal, state().steps() - 1);
}

TEST_F(ALecture, TextGrowsAndButtonsDoNot) {
    press(state::Named::kRight);
    settle();
    const std::string caption = "Cost so far";
    const float button = size_of("View"), body = size_of(caption);
    press(U'y');
    EXPECT_EQ(size_of("View"), button);
    EXPECT_FLOAT_EQ(size_of(caption), body * 32 / 18);
    click(find("Tree"));
    EXPECT_EQ(state().menu, Menu::kView) << "what is drawn larger is clicked where it stands";
}

TEST_F(ALecture, AFirstStartSaysWhatToPress) {
    state::AppState fresh = state::teaching_state();
    fresh.greeted = false;
    state::App first(std::move(fresh), files.services());
    scenes = frame.compose(first.state(), size);
    EXPECT_TRUE(shows("F5 lecture"));
    first.apply({.action = Action::kForward});
    scenes = frame.compose(first.state(), size);
    EXPECT_FALSE(shows("F5 lecture"));
}

}  // namespace
}  // namespace warptree::shell
