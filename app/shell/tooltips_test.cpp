// Every figure, bar, chip and swatch on the screen has a tooltip, in every view; what needs none is counted by why.
#include <map>
#include <set>

#include "app/kit/shapes_testing.hpp"
#include "app/shell/frame_testing.hpp"

namespace warptree::shell {
namespace {

using namespace state;
using chrome::PointerEvent;

/// What should have a tooltip, and where its middle is.
struct Asked {
    std::string what;
    scene::Vec middle;
};

/// Whether a shape says something by itself: no ground, line or highlight, and large enough to point at.
bool stands_for_something(const scene::Rect& rect) {
    using enum scene::Role;
    constexpr scene::Role kGrounds[] = {kBackground, kPanel, kLine, kTextFaint};
    const bool seen = rect.fill != scene::Fill::kNone && rect.ink.opacity >= 0.3f && rect.box.w >= 6 && rect.box.h >= 4;
    const bool raised = rect.ink.role == kRaised || rect.ink.role == kRaisedHover;
    return seen && std::ranges::find(kGrounds, rect.ink.role) == std::end(kGrounds) && (rect.id != 0 || !raised);
}

bool has_digit(const std::string& text) {
    return text.find_first_of("0123456789") != std::string::npos;
}

class EveryTooltip : public AFrame, public testing::WithParamInterface<const char*> {
protected:
    /// The figures, and the bars, chips and swatches that stand for something, of the panels on show.
    std::vector<Asked> asked() {
        std::vector<Asked> all;
        for (const scene::Scene* one : scenes)
            for (const scene::Shape& shape : one->shapes) {
                Asked it;
                const auto* rect = std::get_if<scene::Rect>(&shape);
                const auto* text = std::get_if<scene::Text>(&shape);
                if (rect != nullptr && stands_for_something(*rect)) {
                    it = {fmt::format("[{}] {:.0f},{:.0f}", scene::name(rect->ink.role), rect->box.x, rect->box.y),
                          rect->box.centre()};
                } else if (text != nullptr && has_digit(text->text)) {
                    const float w = fonts.width(text->text, text->face, text->size);
                    const float left = text->align == scene::Align::kLeft     ? w / 2
                                       : text->align == scene::Align::kCentre ? 0
                                                                              : -w / 2;
                    it = {text->text, {text->at.x + left, text->at.y}};
                }
                bool visible = false;
                if (it.middle.y >= 64)  // below the header
                    one->each_at(it.middle, [&](const scene::Shape& other) { visible |= &other == &shape; });
                if (visible) all.push_back(std::move(it));
            }
        return all;
    }
    bool has_tooltip(scene::Vec at) {
        send(PointerEvent::Kind::kMove, at);
        return !scenes.back()->shapes.empty();
    }
    /// Why a text needs none; "": it needs one.
    static std::string excuse(const std::string& text, const std::string& function) {
        if (std::ranges::count(text, ' ') >= 3) return "sentences say it themselves";
        if (text.find_first_not_of("0123456789,") == std::string::npos) return "numbers of columns, lines and ticks";
        const std::string name = text.substr(0, text.find(':'));  // of "pmpp-coarsened:coarsen=2"
        if (kernels::find(std::string_view(name)) != nullptr || text == function) return "names of kernels";
        const bool compares = text.find(">=") != std::string::npos || text.find(" < ") != std::string::npos;
        if (text.find_first_of(")=>") == 0 || compares) return "parts of formulas and code";
        return "";
    }
};

TEST_P(EveryTooltip, IsThereOrCounted) {
    AppState start = teaching_state();
    start.request.kernel = GetParam();
    kernels::take_usual(*kernels::find(GetParam()), start.request);
    app.~App();
    new (&app) App(std::move(start), files.services());
    const std::string function = app.state().subject->trace.launch.function;
    std::size_t told = 0, lacking = 0;
    std::map<std::string, std::size_t> left_out;
    std::map<std::string, std::set<std::string>> missing;
    for (const scene::ViewRow& row : scene::view_rows()) {
        app.apply({.action = Action::kView, .text = std::string(row.name)});
        app.apply({.action = Action::kGoTo, .value = 2});
        settle();
        for (const Asked& one : asked()) {
            if (has_tooltip(one.middle)) {
                ++told;
            } else if (const std::string why = excuse(one.what, function); !why.empty()) {
                ++left_out[why];
            } else {
                missing[std::string(row.name)].insert(one.what);
            }
        }
    }
    std::string list;
    for (const auto& [view, texts] : missing) {
        list += "\n  " + view + ":";
        for (const std::string& text : texts) list += " '" + text + "'", ++lacking;
    }
    for (const auto& [why, count] : left_out) list += fmt::format("\n  {} left out: {}", count, why);
    EXPECT_GE(told, 1000u);
    EXPECT_EQ(lacking, 0u) << told << " have a tooltip; these have none:" << list;
}

/// Everything that the scenes of some runs say by a word's id.
TEST_F(AFrame, EveryWordOfTheGlossaryIsUsedBySomeView) {
    std::set<std::size_t> used;
    const auto look = [&] {
        for (const scene::Scene* one : scenes)
            for (const scene::Shape& shape : one->shapes)
                std::visit(
                    [&](const auto& drawn) {
                        if constexpr (requires { drawn.id; })
                            if (const auto target = scene::unpack(drawn.id); target.kind == scene::Target::Kind::kWord)
                                used.insert({target.index, target.state});
                    },
                    shape);
    };
    const auto begin = [&](const char* kernel, std::uint64_t n, const char* op = "sum") {
        AppState start = teaching_state();
        start.request.kernel = kernel;
        kernels::take_usual(*kernels::find(kernel), start.request);
        if (n > 0) start.request.n = n;
        if (n > 0) start.request.op = op;
        app.~App();
        new (&app) App(std::move(start), files.services());
    };
    const auto go_through = [&](std::initializer_list<const char*> views) {
        for (const char* view : views) {
            if (scene::view_row(state().view).name != view) app.apply({.action = Action::kView, .text = view});
            for (std::size_t at = 0; at <= state().steps(); at += at < 8 || state().steps() < at + 5 ? 1 : 4) {
                app.apply({.action = Action::kGoTo, .value = static_cast<double>(at)});
                settle(), look();
            }
        }
    };
    begin("pmpp-simple", 0);
    go_through({"tree", "warps", "memory", "order", "coarsening", "ladder", "compare"});
    app.apply(scene::turn(scene::Field::kErrors));
    app.apply(scene::set(scene::Field::kAllSteps, 0));
    go_through({"tree", "warps"});
    app.apply({.action = Action::kView, .text = "accuracy"});
    for (int picture = 0; picture < 4; ++picture) {
        app.apply(scene::set(scene::Field::kAccuracy, study::kAccuracyPictures[picture].second));
        go_through({"accuracy"});
    }
    begin("pmpp-convergent", 16);
    app.apply(
        {.action = Action::kBarrier, .value = 1.0 * kernels::barriers(*kernels::find("pmpp-convergent")).front().line});
    go_through({"hazards"});
    begin("harris-2", 0);
    go_through({"memory"});
    begin("cluster", 1 << 12);
    go_through({"memory"});
    begin("harris-3", 1 << 20);
    go_through({"grid"});
    for (const char* kernel : {"shuffle-atomic", "last-block", "cluster", "pmpp-coarsened", "harris-6"}) {
        begin(kernel, 0);
        go_through({"grid", "memory", "coarsening", "order", "ladder"});
    }
    for (const char* kernel : {"brent-kung", "kogge-stone", "blelloch-padded", "look-back", "all-reduce-ring"}) {
        begin(kernel, 0);
        go_through({"network", "memory"});
    }
    begin("tournament", 8);
    go_through({"tournament"});
    begin("tournament", 0);
    go_through({"tournament"});
    for (std::size_t word = 1; word < static_cast<std::size_t>(scene::Word::kCount); ++word)
        EXPECT_TRUE(used.contains(word)) << scene::meaning_of(static_cast<scene::Word>(word)).name;
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryTooltip,
                         testing::Values("pmpp-simple", "harris-2", "harris-4", "shuffle-atomic", "last-block",
                                         "kahan-tree", "pmpp-coarsened", "gather", "brent-kung", "kogge-stone",
                                         "look-back", "tournament"),
                         [](const auto& one) {
                             std::string name = one.param;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace warptree::shell
