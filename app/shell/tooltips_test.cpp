// Every figure, bar, chip and swatch on the screen has a tooltip, in every view; what needs none is counted by why.
#include <map>
#include <set>

#include "app/scene/shapes_testing.hpp"
#include "app/shell/frame_testing.hpp"

namespace warptree::shell {
namespace {

using namespace state;
using panel::PointerEvent;

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
                    it = {fmt::format("[{}]", scene::name(rect->ink.role)), rect->box.centre()};
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
        if (kernels::find(std::string_view(text)) != nullptr || text == function) return "names of kernels";
        if (text.find_first_of(")=>") == 0 || text.find(">=") != std::string::npos) return "parts of formulas and code";
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

INSTANTIATE_TEST_SUITE_P(Kernels, EveryTooltip,
                         testing::Values("pmpp-simple", "harris-4", "kogge-stone", "look-back", "tournament"),
                         [](const auto& one) {
                             std::string name = one.param;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace warptree::shell
