// The comparison's panel: a click on a column makes it the one that the header changes; the wheel and dragging look
// closer at all trees at once. Where its controls are is read from the scene, by their ids.
#include "app/scene/compare.hpp"

#include <algorithm>
#include <cmath>
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

Hotspot hotspot_of(const ColumnButton& button, std::size_t column, const Rect& rect) {
    Command command = button.command;
    command.value += static_cast<double>(column);
    const bool changes_all = button.control == Control::kColumnName && column == 0;
    return {rect.box, command,
            changes_all ? "What is chosen in the header changes this column; input and size change in all"
                        : fmt::format(fmt::runtime(button.purpose), study::column_tag(column)),
            rect.radius};
}

class ComparePanel final : public Panel {
    const Scene& scene(const Look& look) override {
        auto shown = look.state.comparison;
        if (!shown) {
            if (!alone_ || alone_->columns().front() != look.state.subject)
                alone_ = std::make_shared<const study::Comparison>(study::Comparison::Columns{look.state.subject});
            shown = alone_;
        }
        const bool over = look.hover.kind != Target::Kind::kNone;
        const Key key{shown,
                      look.state.playhead(),
                      {look.state.column, over ? hovered_ : 0, look.state.camera, look.state.follow},
                      look.box,
                      look.hover,
                      &look.measure};
        layout_ = scene::compare_layout(shown->size(), look.box);
        return cache_.get(key, [&] {
            Scene scene = scene::compare_view(*shown, key.at, key.look, key.box, look.measure, key.hover);
            find_controls(scene);
            return scene;
        });
    }
    void find_controls(const Scene& scene) {
        std::map<std::pair<std::size_t, std::uint32_t>, Hotspot> found;  // in order of column, then control
        each_control(scene, [&](const Rect& rect, const Target& target) {
            for (const ColumnButton& button : kColumnButtons)
                if (button.control == static_cast<Control>(target.index))
                    found[{target.array, target.index}] = hotspot_of(button, target.array, rect);
        });
        hotspots_.clear();
        for (auto& [key, spot] : found) hotspots_.push_back(std::move(spot));
    }
    Target target(Vec point) const override {
        for (std::size_t i = 0; i < layout_.cards.size(); ++i) {
            if (layout_.cards[i].contains(point)) hovered_ = i;
        }
        return scene::unpack(cache_.last().pick(point));
    }

    /// Zoom and move the trees: all of them, as far as the one under the pointer can.
    std::vector<Command> look_at(const PointerEvent& event, const AppState& state) {
        const Vec held = drag_.value_or(event.at);
        for (std::size_t i = 0; state.comparing() && i < std::min(layout_.cards.size(), state.comparison->size());
             ++i) {
            const Box box = scene::tree_box(layout_, i);
            if (box.w <= 0 || !layout_.cards[i].contains(held)) continue;
            const auto [s, at] = state.comparison->shown(i, state.playhead());
            scene::Camera camera = scene::tree_camera(s, at, state.camera, box, state.follow);
            if (event.kind == PointerEvent::Kind::kWheel)
                return {{.action = Action::kCamera,
                         .camera = scene::tree_zoom(s, at, camera, box, event.at, std::pow(1.18f, event.wheel))}};
            if (!drag_) return {};
            camera.pan = {camera.pan.x + event.at.x - held.x, camera.pan.y + event.at.y - held.y};
            drag_ = event.at;
            return {{.action = Action::kCamera, .camera = scene::tree_camera(s, at, camera, box, false)}};
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
            std::ranges::any_of(hotspots_, [&](const Hotspot& spot) { return spot.box.contains(event.at); });
        if (on_control) return {};
        drag_ = event.at;
        for (std::size_t i = 0; i < layout_.cards.size(); ++i) {
            if (layout_.cards[i].contains(event.at) && i != state.column)
                return {{.action = Action::kColumn, .value = static_cast<double>(i)}};
        }
        return {};
    }
    bool dragging() const override { return drag_.has_value(); }
    std::vector<Hotspot> hotspots() const override { return hotspots_; }
    std::vector<std::string> story(const AppState& state, const Target& target) const override {
        if (!state.comparing() || target.kind == Target::Kind::kControl) return {};
        return scene::compare_story(*state.comparison, state.playhead(), target, hovered_);
    }

    struct Key {
        std::shared_ptr<const study::Comparison> comparison;
        study::Playhead at;
        scene::CompareLook look;
        Box box;
        Target hover;
        const Measure* measure = nullptr;
        bool operator==(const Key&) const = default;
    };
    Cached<Key> cache_;
    std::vector<Hotspot> hotspots_;
    std::shared_ptr<const study::Comparison> alone_;  // of a state that has none: its one run
    scene::CompareLayout layout_;
    std::optional<Vec> drag_;          // where the pointer holds the trees
    mutable std::size_t hovered_ = 0;  // the column under the pointer
};

}  // namespace

std::unique_ptr<Panel> compare_panel() {
    return std::make_unique<ComparePanel>();
}

}  // namespace warptree::panel
