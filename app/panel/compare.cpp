// The comparison's panel: a click on a column makes it the one that the header changes; the wheel and dragging look
// closer at all trees at once. Where its controls are is read from the scene, by their ids.
#include "app/scene/compare.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "app/panel/middle.hpp"

namespace warptree::panel {
namespace {

/// What a control does, of that column, and says of it.
struct ColumnButton {
    Control control;
    Command command;
    std::string_view purpose;  // {}: the column's tag
};
const ColumnButton kColumnButtons[] = {
    {Control::kColumnName, {.action = Action::kColumn}, "What is chosen in the header changes this column alone"},
    {Control::kColumnKernel,
     {.action = Action::kMenu, .value = 1, .menu = Menu::kKernels},
     "Another kernel for column {}"},
    {Control::kColumnRemove, {.action = Action::kRemoveColumn}, "Take column {} away (−)"},
    {Control::kInStep, {.action = Action::kByTime}, "Each press makes one step in every column"},
    {Control::kByTime,
     {.action = Action::kByTime, .value = 1},
     "One clock for all: a step takes as long as it has active warps to issue (Shift T)"},
    {Control::kSwap, {.action = Action::kSwap}, "Swap the first column with the chosen one (X)"},
    {Control::kAddColumn, {.action = Action::kAddColumn}, "Compare with one more kernel (+)"}};

Hotspot hotspot_of(const ColumnButton& button, std::size_t column, const Box& box, float radius) {
    Command command = button.command;
    command.value += static_cast<double>(column);
    const bool changes_all = button.control == Control::kColumnName && column == 0;
    return {box, command,
            changes_all ? "What is chosen in the header changes this column; input and size change in all"
                        : fmt::format(fmt::runtime(button.purpose), study::column_tag(column)),
            radius};
}

using ComparisonPtr = std::shared_ptr<const study::Comparison>;
using CompareKey = std::pair<ComparisonPtr, scene::CompareLook>;

class ComparePanel final : public CachedPanel<CompareKey> {
    CompareKey more(const Look& look) override {
        ComparisonPtr shown = look.state.comparison;
        if (!shown) {
            if (!alone_ || alone_->columns().front() != look.state.subject)
                alone_ = std::make_shared<const study::Comparison>(study::Comparison::Columns{look.state.subject});
            shown = alone_;
        }
        layout_ = scene::compare_layout(shown->size(), look.box);
        const bool over = look.hover.kind != Target::Kind::kNone;
        const lesson::Scene* scene = look.state.lesson.on_show();
        return {shown,
                {look.state.column, over ? hovered_ : 0, look.state.camera, look.state.follow,
                 scene != nullptr ? scene->rows : std::vector<std::string>()}};
    }
    Scene build(const Look& look) override {
        const auto& [shown, columns] = of();
        Scene scene = scene::compare_view(*shown, look.state.playhead(), columns, look.box, look.measure, look.hover);
        std::map<std::pair<std::size_t, std::uint32_t>, Hotspot> found;  // in order of column, then control
        each_target(scene, [&](const Target& target, const Box& box, float radius) {
            if (target.kind != Target::Kind::kControl) return;
            for (const ColumnButton& button : kColumnButtons)
                if (button.control == static_cast<Control>(target.index))
                    found[{target.array, target.index}] = hotspot_of(button, target.array, box, radius);
        });
        for (auto& [key, spot] : found) spots_.push_back(std::move(spot));
        return scene;
    }
    Target target(Vec point) const override {
        for (std::size_t i = 0; i < layout_.cards.size(); ++i)
            if (layout_.cards[i].contains(point)) hovered_ = i;
        return CachedPanel::target(point);
    }

    /// Zoom and move the trees: all of them, as far as the one under the pointer can.
    std::vector<Command> look_at(const PointerEvent& event, const AppState& state) {
        const Vec held = drag_.value_or(event.at);
        for (std::size_t i = 0; state.comparing() && i < std::min(layout_.cards.size(), state.comparison->size());
             ++i) {
            const Box box = scene::tree_box(layout_, i);
            if (box.w <= 0 || !layout_.cards[i].contains(held)) continue;
            const auto [s, at] = state.comparison->shown(i, state.playhead());
            if (!drag_ && event.kind != PointerEvent::Kind::kWheel) return {};
            const scene::Camera camera = scene::tree_camera(s, at, state.camera, box, state.follow);
            return {move_camera(camera, s, at, box, event, drag_)};
        }
        return {};
    }
    std::vector<Command> pointer(const PointerEvent& event, const AppState& state, Box) override {
        using Kind = PointerEvent::Kind;
        if (event.kind == Kind::kRelease || event.kind == Kind::kLeave) drag_.reset();
        if (event.kind == Kind::kMove || event.kind == Kind::kWheel) return look_at(event, state);
        if (event.kind == Kind::kDoubleClick) return {{.action = Action::kCameraReset}};
        if (event.kind != Kind::kPress) return {};
        const bool on_control =
            std::ranges::any_of(spots_, [&](const Hotspot& spot) { return spot.box.contains(event.at); });
        if (on_control) return {};
        drag_ = event.at;
        for (std::size_t i = 0; i < layout_.cards.size(); ++i) {
            if (layout_.cards[i].contains(event.at) && i != state.column)
                return {{.action = Action::kColumn, .value = static_cast<double>(i)}};
        }
        return {};
    }
    bool dragging() const override { return drag_.has_value(); }
    std::vector<std::string> story(const AppState& state, const Target& target) const override {
        if (!state.comparing() || target.kind == Target::Kind::kControl) return {};
        return scene::compare_story(*state.comparison, state.playhead(), target, hovered_);
    }

    ComparisonPtr alone_;  // of a state that has none: its one run
    scene::CompareLayout layout_;
    std::optional<Vec> drag_;          // where the pointer holds the trees
    mutable std::size_t hovered_ = 0;  // the column under the pointer
};

}  // namespace

std::unique_ptr<Panel> compare_panel() {
    return std::make_unique<ComparePanel>();
}

}  // namespace warptree::panel
