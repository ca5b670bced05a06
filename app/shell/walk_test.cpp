// Every view in whole windows: nothing clipped or overlapping at any size and scale, and the same position gives the
// same frame however it was reached. Views that are added to view_rows() are walked as well.
#include <cmath>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/kit/testing.hpp"
#include "app/paint/fonts.hpp"
#include "app/shell/frame.hpp"
#include "app/state/testing.hpp"

namespace warptree::shell {
namespace {

using namespace state;

struct Run {
    const char* kernel;
    std::uint64_t n;
    std::uint32_t warp;
};
constexpr Run kRuns[] = {{"pmpp-simple", 16, 4}, {"pmpp-shared", 2048, 32}, {"harris-2", 256, 32},
                         {"sequential", 64, 4},  {"pmpp-coarsened", 64, 8}, {"tournament", 8, 4}};

std::ostream& operator<<(std::ostream& out, const Run& run) {
    return out << run.kernel << ", N = " << run.n << ", warps of " << run.warp;
}

AppState showing(const Run& run, scene::View view) {
    AppState state;
    state.request.kernel = run.kernel;
    kernels::take_usual(*kernels::find(run.kernel), state.request);
    state.request.n = run.n;
    state.request.warp_size = run.warp;
    state.view = view;
    return state;
}

/// All scenes of a window as one, in painting order.
scene::Scene window_of(Frame& frame, const AppState& state, scene::Vec size) {
    scene::Scene whole;
    for (const scene::Scene* one : frame.compose(state, size))
        whole.shapes.insert(whole.shapes.end(), one->shapes.begin(), one->shapes.end());
    return whole;
}

class EveryViewOf : public testing::TestWithParam<Run> {};

TEST_P(EveryViewOf, FitsEveryWindowAtEveryScale) {
    const scene::testing::FixedMeasure measure;
    FakeFiles files;
    for (const scene::ViewRow& row : scene::view_rows()) {
        App app(showing(GetParam(), row.view), files.services());
        ASSERT_TRUE(app.state().subject);
        if (row.view == scene::View::kCompare && GetParam().n == 16) {  // four columns for one of the runs
            app.apply({.action = Action::kAddColumn});
            app.apply({.action = Action::kAddColumn});
        }
        Frame frame(measure);
        for (const auto& [width, height] : {std::pair{1280, 720}, {1920, 1080}}) {  // 3840 x 2160 has as many units
            for (const float scale : {0.6f, 1.0f, 1.4f, 1.8f, 2.5f}) {
                const float unit = pixels_per_unit(width, height, scale);
                const scene::Vec size{static_cast<float>(width) / unit, static_cast<float>(height) / unit};
                for (const std::size_t position : {std::size_t{0}, app.state().steps() / 2, app.state().steps()}) {
                    app.apply({.action = Action::kGoTo, .value = static_cast<double>(position)});
                    const scene::Scene whole = window_of(frame, app.state(), size);
                    EXPECT_EQ(scene::testing::fault(whole, {0, 0, size.x, size.y}), "")
                        << row.name << " at " << position << ", " << width << "x" << height << " scale " << scale;
                }
            }
        }
    }
}

/// The kernels by turns as they are usually shown and as they fit a slide: each in one way in one view, in the other in
/// the next.
Run shown_in(std::size_t kernel, std::size_t view) {
    const kernels::Kernel& row = kernels::catalog()[kernel];
    const bool slide = row.usual == kernels::Usual{} && (kernel + view) % 2 == 0;
    return {row.name.data(), slide ? 16 : row.usual.n, slide ? 4 : row.usual.warp_size};
}

/// A text of a hall's picture that the last row cannot read, or that is cut off; "" where there is none.
std::string illegible(const scene::Scene& whole) {
    constexpr float kLeastInAHall = 32;
    for (const scene::Shape& shape : whole.shapes) {
        const auto* text = std::get_if<scene::Text>(&shape);
        if (text == nullptr) continue;
        if (text->text.size() > 12 && text->text.ends_with("…")) return fmt::format("'{}' is cut", text->text);
        if (text->size < kLeastInAHall) return fmt::format("'{}' of {} pixels", text->text, text->size);
    }
    return "";
}

/// What a view says where it has nothing to draw of a run.
constexpr const char* kNothing[] = {"This kernel has no barrier and needs none",
                                    "This view draws runs of the kernel tournament"};

class EveryKernel : public testing::TestWithParam<std::size_t> {};

TEST_P(EveryKernel, IsDrawnInTheSystemsFonts) {
    const paint::Fonts fonts;
    if (!fonts.messages().empty()) GTEST_SKIP() << fonts.messages().front();
    FakeFiles files;
    const scene::ViewRow& row = scene::view_rows()[GetParam()];
    const bool alike = row.view == scene::View::kLadder || row.view == scene::View::kAccuracy;  // for most kernels
    std::vector<std::string_view> nothing;  // kernels of which the view has nothing
    for (std::size_t i = 0; i < kernels::catalog().size(); i += alike ? 5 : 1) {
        const kernels::Kernel& kernel = kernels::catalog()[i];
        App app(showing(shown_in(i, GetParam()), row.view), files.services());
        ASSERT_TRUE(app.state().subject) << kernel.name;
        ASSERT_TRUE(study::complete(app.state().studies, row.view, app.state().subject)) << row.name;
        Frame frame(fonts);
        std::string texts;
        for (const scene::Vec size : {scene::Vec{1920, 1080}, scene::Vec{1600, 900}})
            for (const std::size_t position : {std::size_t{0}, app.state().steps() / 2, app.state().steps()}) {
                app.apply({.action = Action::kGoTo, .value = static_cast<double>(position)});
                const scene::Scene whole = window_of(frame, app.state(), size);
                EXPECT_EQ(scene::testing::fault(whole, {0, 0, size.x, size.y}, fonts), "")
                    << kernel.name << ", " << row.name << " at " << position << ", " << size.x << "x" << size.y;
                for (const scene::Shape& shape : whole.shapes)
                    if (const auto* text = std::get_if<scene::Text>(&shape)) texts += text->text + " ";
            }
        for (const bool lecture : {false, true}) {
            if (lecture) app.apply({.action = Action::kLecture}), app.apply(scene::turn(scene::Field::kCodeLines));
            for (const char* size_of_text : {"lecture", "hall"}) {
                app.apply(scene::set(scene::Field::kText, size_of_text));
                const bool hall = lecture && app.state().text == 2;
                for (const scene::Vec size : {scene::Vec{1920, 1080}, scene::Vec{1600, 900}}) {
                    app.apply({.action = Action::kGoTo, .value = static_cast<double>(app.state().steps() / 2)});
                    const scene::Scene whole = window_of(frame, app.state(), size);
                    EXPECT_EQ((hall && size.x == 1920 ? illegible(whole) : "") +
                                  scene::testing::fault(whole, {0, 0, size.x, size.y}, fonts),
                              "")
                        << kernel.name << ", " << row.name << (lecture ? ", lecture" : ", window") << " with text for "
                        << size_of_text << ", " << size.x << "x" << size.y;
                }
            }
        }
        for (int code = 1; code >= 0; --code) {
            for (const std::size_t position : {std::size_t{0}, app.state().steps()}) {
                app.apply({.action = Action::kGoTo, .value = static_cast<double>(position)});
                const scene::Scene whole = window_of(frame, app.state(), {1920, 1080});
                EXPECT_EQ(illegible(whole) + scene::testing::fault(whole, {0, 0, 1920, 1080}, fonts), "")
                    << kernel.name << ", " << row.name << " at " << position << " in a hall, code " << code;
            }
            app.apply(scene::turn(scene::Field::kCodeLines));
        }
        for (const char* sentence : kNothing)
            if (texts.find(sentence) != texts.npos) nothing.push_back(kernel.name);
    }
    std::vector<std::string_view> none;
    for (const kernels::Kernel& kernel : kernels::catalog())
        if ((row.view == scene::View::kHazards && kernels::barriers(kernel).empty()) ||
            (row.view == scene::View::kTournament && kernel.name != "tournament"))
            none.push_back(kernel.name);
    EXPECT_EQ(nothing, none);
}

INSTANTIATE_TEST_SUITE_P(Views, EveryKernel, testing::Range(std::size_t{0}, scene::view_rows().size()),
                         [](const auto& row) { return std::string(scene::view_rows()[row.param].name); });

TEST_P(EveryViewOf, IsTheSameHoweverItIsReached) {
    const scene::testing::FixedMeasure measure;
    FakeFiles files;
    for (const scene::ViewRow& row : scene::view_rows()) {
        App app(showing(GetParam(), row.view), files.services());
        Frame frame(measure);
        std::mt19937 random(11);
        std::map<std::tuple<double, std::uint64_t, std::uint64_t>, std::string> seen;  // by the time on show
        std::size_t again = 0;
        for (int i = 0; i < 40; ++i) {
            static constexpr Action kMoves[] = {Action::kForward,   Action::kForward, Action::kBack,
                                                Action::kBack,      Action::kScrub,   Action::kForwardPhase,
                                                Action::kBackPhase, Action::kGoTo};
            const Action move = kMoves[random() % std::size(kMoves)];
            // Halves as well: moments within an animation have to agree too.
            const double to =
                static_cast<double>(random() % (2 * std::min<std::size_t>(app.state().steps(), 10) + 1)) / 2;
            app.apply({.action = move, .value = to});
            for (int frames = 0; move != Action::kScrub && app.moving() && frames < 1000; ++frames) app.update(0.1);
            const std::string text = scene::shapes_text(window_of(frame, app.state(), {1920, 1080}));
            // A step that is asked for opens those that repeat around it.
            const auto [at, is_new] =
                seen.try_emplace({app.state().time, app.state().open_folds, app.state().ladder.n}, text);
            if (is_new) continue;
            ++again;
            ASSERT_EQ(text, at->second) << row.name << " at " << app.state().time << ", after " << i << " moves";
        }
        EXPECT_GT(again, 8u) << "the walk came back too rarely to prove anything";
        EXPECT_GT(seen.size(), 4u);
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryViewOf, testing::ValuesIn(kRuns), [](const auto& param) {
    std::string name = param.param.kernel;
    for (char& c : name) c = c == '-' ? '_' : c;
    return name;
});

}  // namespace
}  // namespace warptree::shell
