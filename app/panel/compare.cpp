// The comparison's panel. Where its controls are is read from the scene, by their ids.
#include "app/panel/compare.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace warptree::panel {
namespace {

using scene::Control;

Command command_of(Control control, std::size_t column) {
    const auto value = static_cast<double>(column);
    switch (control) {
        case Control::kColumnName:
            return {.action = Action::kColumn, .value = value};
        case Control::kColumnKernel:
            return {.action = Action::kMenu, .value = value + 1, .menu = Menu::kKernels};
        case Control::kColumnRemove:
            return {.action = Action::kRemoveColumn, .value = value};
        case Control::kInStep:
        case Control::kByTime:
            return {.action = Action::kByTime, .value = control == Control::kByTime ? 1.0 : 0.0};
        case Control::kSwap:
            return {.action = Action::kSwap};
        case Control::kAddColumn:
            return {.action = Action::kAddColumn};
        default:
            return {};
    }
}

std::string purpose_of(Control control, std::size_t column) {
    const std::string tag = study::column_tag(column);
    switch (control) {
        case Control::kColumnName:
            return column == 0 ? "What is chosen in the header changes this column; input and size change in all"
                               : "What is chosen in the header changes this column alone";
        case Control::kColumnKernel:
            return "Another kernel for column " + tag;
        case Control::kColumnRemove:
            return "Take column " + tag + " away (−)";
        case Control::kInStep:
            return "Each press makes one step in every column";
        case Control::kByTime:
            return "One clock for all: a step takes as long as it has active warps to issue (Shift T)";
        case Control::kSwap:
            return "Swap the first column with the chosen one (X)";
        case Control::kAddColumn:
            return "Compare with one more kernel (+)";
        default:
            return {};
    }
}

}  // namespace

const Scene& ComparePanel::scene(const Look& look) {
    auto shown = look.state.comparison;
    if (!shown) {
        if (!alone_ || alone_->columns().front() != look.state.subject)
            alone_ = std::make_shared<const study::Comparison>(study::Comparison::Columns{look.state.subject});
        shown = alone_;
    }
    const bool over = look.hover.kind != scene::Target::Kind::kNone;
    const Key key{shown,
                  look.state.playhead(),
                  {look.state.column, over ? hovered_ : 0, look.state.camera, look.state.follow},
                  look.box,
                  look.hover,
                  &look.measure};
    layout_ = scene::compare_layout(shown->size(), look.box);
    const Scene& scene = cache_.get(
        key, [&] { return scene::compare_view(*key.comparison, key.at, key.look, key.box, look.measure, key.hover); });
    if (seen_builds_ != cache_.builds()) {
        seen_builds_ = cache_.builds();
        find_controls();
    }
    return scene;
}

void ComparePanel::find_controls() {
    hotspots_.clear();
    std::map<std::pair<std::size_t, std::uint32_t>, Hotspot> found;  // in order of column, then control
    for (const scene::Shape& shape : cache_.last().shapes) {
        const auto* rect = std::get_if<scene::Rect>(&shape);
        if (rect == nullptr || rect->id == 0) continue;
        const scene::Target target = scene::unpack(rect->id);
        if (target.kind != scene::Target::Kind::kControl) continue;
        const auto control = static_cast<Control>(target.index);
        if (control == Control::kColumn) continue;  // the whole card: see pointer()
        found[{target.array, target.index}] = {rect->box, command_of(control, target.array),
                                               purpose_of(control, target.array), rect->radius};
    }
    for (auto& [key, spot] : found) hotspots_.push_back(std::move(spot));
}

scene::Target ComparePanel::target(Vec point) const {
    for (std::size_t i = 0; i < layout_.cards.size(); ++i) {
        if (layout_.cards[i].contains(point)) hovered_ = i;
    }
    return target_at(cache_.last(), point);
}

/// Zoom and move the trees: all of them, as far as the one under the pointer can.
std::vector<Command> ComparePanel::look_at(const PointerEvent& event, const AppState& state) {
    const Vec held = drag_.value_or(event.at);
    for (std::size_t i = 0; state.comparing() && i < std::min(layout_.cards.size(), state.comparison->size()); ++i) {
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

std::vector<Command> ComparePanel::pointer(const PointerEvent& event, const AppState& state, Box) {
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

std::vector<std::string> ComparePanel::story(const AppState& state, const scene::Target& target) const {
    if (!state.comparing() || target.kind == scene::Target::Kind::kControl) return {};
    return scene::compare_story(*state.comparison, state.playhead(), target, hovered_);
}

}  // namespace warptree::panel
