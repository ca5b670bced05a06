// The tree's panel.
#include "app/panel/tree.hpp"

#include <algorithm>
#include <cmath>

namespace warptree::panel {

namespace {

constexpr float kWhole = 1.001f;  // the zoom of the whole tree, but for rounding
const Command kOut{.action = Action::kView, .text = "grid"};

/// In a lecture the caption is enough.
bool helps(const AppState& state) {
    return !state.lecture;
}

Box tree_in(const AppState& state, Box box) {
    return scene::tree_inside(box, helps(state));
}

}  // namespace

scene::Camera TreePanel::camera(const AppState& state, Box box) {
    return scene::tree_camera(*state.subject, state.playhead(), state.camera, tree_in(state, box), state.follow);
}

const Scene& TreePanel::scene(const Look& look) {
    const Key key{view_key(look), camera(look.state, look.box)};
    hover_ = look.hover;
    return cache_.get(key, [&] {
        return scene::tree_view(*key.view.subject, key.view.at, key.camera, key.view.box, look.measure, key.view.hover,
                                helps(look.state));
    });
}

std::vector<Hotspot> TreePanel::hotspots() const {
    std::vector<Hotspot> spots;
    for (const scene::Shape& shape : cache_.last().shapes) {
        const auto* rect = std::get_if<scene::Rect>(&shape);
        const scene::Target target = scene::unpack(rect == nullptr ? 0 : rect->id);
        if (target.kind != scene::Target::Kind::kControl) continue;
        if (static_cast<scene::Control>(target.index) == scene::Control::kTrailGrid)
            spots.push_back({rect->box, kOut, "All launches and blocks (Backspace, L)", 6});
        else
            spots.push_back({rect->box, {.action = Action::kCameraReset}, "The whole block (Backspace, 0)", 6});
    }
    return spots;
}

Command TreePanel::level(const AppState& state, Box box, bool in) {
    const study::Subject& s = *state.subject;
    const scene::Camera now = camera(state, box);
    if (!in && now.zoom > kWhole) return {.action = Action::kCameraReset};
    if (!in) return helps(state) ? kOut : Command{};
    const std::uint32_t size = s.trace.launch.warp_size;
    std::uint32_t warp = 0;
    const study::Playhead at = state.playhead();
    if (at.has_step()) {  // the first at work
        const auto& lanes = s.lanes[at.step()];
        const auto active = std::ranges::find(lanes, counters::LaneState::kActive);
        if (active != lanes.end()) warp = static_cast<std::uint32_t>(active - lanes.begin()) / size;
    }
    if (hover_.kind == scene::Target::Kind::kLane) warp = hover_.index / size;
    return {.action = Action::kTravel, .camera = scene::tree_warp(s, at, tree_in(state, box), warp)};
}

std::vector<Command> TreePanel::pointer(const PointerEvent& event, const AppState& state, Box box) {
    using Kind = PointerEvent::Kind;
    if (!state.subject) return {};
    const auto look_from = [&](const scene::Camera& wanted) {
        return std::vector<Command>{
            {.action = Action::kCamera,
             .camera = scene::tree_camera(*state.subject, state.playhead(), wanted, tree_in(state, box), false)}};
    };
    switch (event.kind) {
        case Kind::kPress:
            if (const scene::Target hit = target(event.at); hit.kind == scene::Target::Kind::kFold)
                return {{.action = Action::kFold, .value = static_cast<double>(hit.index)}};
            else if (hit.kind == scene::Target::Kind::kControl)  // of the trail
                return {};
            drag_ = event.at;
            return {};
        case Kind::kRelease:
        case Kind::kLeave:
            drag_.reset();
            return {};
        case Kind::kDoubleClick:
            drag_.reset();
            return {{.action = Action::kCameraReset}};
        case Kind::kWheel: {
            if (event.wheel < 0 && helps(state) && camera(state, box).zoom <= kWhole) return {kOut};
            const float factor = std::pow(1.18f, event.wheel);
            return {{.action = Action::kCamera,
                     .camera = scene::tree_zoom(*state.subject, state.playhead(), camera(state, box),
                                                tree_in(state, box), event.at, factor)}};
        }
        case Kind::kMove: {
            if (!drag_) return {};
            scene::Camera moved = camera(state, box);
            moved.pan.x += event.at.x - drag_->x;
            moved.pan.y += event.at.y - drag_->y;
            drag_ = event.at;
            return look_from(moved);
        }
    }
    return {};
}

}  // namespace warptree::panel
