// Every figure, mark, bar and chip on the screen has a tooltip, in every view; what has none is counted by why.
#include <map>
#include <set>

#include "app/shell/frame_testing.hpp"

namespace warptree::shell {
namespace {

using namespace state;
using panel::PointerEvent;

constexpr std::size_t kMostLacking = 24;  // of some hundred, all views together

/// What should have a tooltip, and where its middle is.
struct Asked {
    std::string what;
    scene::Vec middle;
};

bool has_digit(const std::string& text) {
    return text.find_first_of("0123456789") != std::string::npos;
}

class EveryTooltip : public AFrame, public testing::WithParamInterface<const char*> {
protected:
    /// The figures, marks of legends, and shapes that stand for something, of the panels on show.
    std::vector<Asked> asked() {
        std::vector<Asked> all;
        std::set<std::string> seen;  // the same figure in many cells is one
        for (const scene::Scene* one : scenes)
            for (std::size_t i = 0; i < one->shapes.size(); ++i) {
                const scene::Shape& shape = one->shapes[i];
                if (const auto* rect = std::get_if<scene::Rect>(&shape); rect && rect->box.w == 16 && rect->box.h == 16)
                    if (i + 1 < one->shapes.size() && std::holds_alternative<scene::Text>(one->shapes[i + 1]))
                        all.push_back({"a mark", rect->box.centre()});
                const auto* text = std::get_if<scene::Text>(&shape);
                if (text == nullptr || !has_digit(text->text) || text->at.y < 64) continue;  // below the header
                const float w = fonts.width(text->text, text->face, text->size);
                const float left = text->align == scene::Align::kLeft     ? w / 2
                                   : text->align == scene::Align::kCentre ? 0
                                                                          : -w / 2;
                if (seen.insert(text->text).second) all.push_back({text->text, {text->at.x + left, text->at.y}});
            }
        return all;
    }
    bool has_tooltip(scene::Vec at) {
        send(PointerEvent::Kind::kMove, at);
        return !scenes.back()->shapes.empty();
    }
    /// Why a text needs none; "": it needs one.
    static std::string excuse(const std::string& text) {
        if (std::ranges::count(text, ' ') >= 3) return "sentences say it themselves";
        if (text.find_first_not_of("0123456789,") == std::string::npos) return "numbers of columns, lines and ticks";
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
    std::size_t told = 0, marks = 0;
    std::map<std::string, std::size_t> left_out;
    std::map<std::string, std::set<std::string>> missing;
    for (const scene::ViewRow& row : scene::view_rows()) {
        app.apply({.action = Action::kView, .text = std::string(row.name)});
        app.apply({.action = Action::kGoTo, .value = 2});
        settle();
        for (const Asked& one : asked()) {
            if (has_tooltip(one.middle)) {
                ++told;
            } else if (one.what == "a mark") {
                ++marks;
                missing[std::string(row.name)].insert("a mark");
            } else if (const std::string why = excuse(one.what); !why.empty()) {
                ++left_out[why];
            } else {
                missing[std::string(row.name)].insert(one.what);
            }
        }
    }
    std::string list;
    std::size_t lacking = 0;
    for (const auto& [view, texts] : missing) {
        list += "\n  " + view + ":";
        for (const std::string& text : texts) list += " '" + text + "'", ++lacking;
    }
    for (const auto& [why, count] : left_out) list += fmt::format("\n  {} left out: {}", count, why);
    EXPECT_EQ(marks, 0u) << "every mark of a legend is explained" << list;
    EXPECT_GE(told, 300u);
    EXPECT_LE(lacking, kMostLacking) << told << " have a tooltip; these have none:" << list;
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
