// The tree's panel: the wheel zooms about the pointer, out of the whole to the grid; dragging moves, a double click
// shows the whole again.
#include <algorithm>
#include <cmath>

#include "app/chrome/middle.hpp"
#include "app/views/tree/view.hpp"

namespace warptree::chrome {
namespace {

constexpr float kWhole = 1.001f;  // the zoom of the whole tree, but for rounding
const Command kOut{.action = Action::kView, .text = "grid"};

/// In a lecture the caption is enough.
bool helps(const AppState& state) {
    return !state.lecture || state.errors;
}

Box tree_in(const AppState& state, Box box) {
    return scene::tree_inside(box, helps(state));
}

class TreePanel final : public CachedPanel<std::pair<scene::Camera, bool>> {
    static scene::Camera camera(const AppState& state, Box box) {
        return scene::tree_camera(*state.subject, state.playhead(), state.camera, tree_in(state, box), state.follow);
    }
    std::pair<scene::Camera, bool> more(const Look& look) override {
        return {camera(look.state, look.box), look.state.errors};
    }
    Scene build(const Look& look) override {
        const auto errors = look.state.errors ? study::errors_of(look.state.subject->facts) : nullptr;
        return scene::tree_view(*look.state.subject, look.state.playhead(), of().first, look.box, look.measure,
                                look.hover, helps(look.state), errors.get());
    }
    Command level(const AppState& state, Box box, bool in) override {
        const study::Subject& s = *state.subject;
        if (!in && camera(state, box).zoom > kWhole) return {.action = Action::kCameraReset};
        if (!in) return helps(state) ? kOut : Command{};
        const std::uint32_t size = s.trace.launch.warp_size;
        std::uint32_t warp = 0;
        const study::Playhead at = state.playhead();
        if (at.has_step()) {  // the first at work
            const auto& lanes = s.lanes[at.step()];
            const auto active = std::ranges::find(lanes, counters::LaneState::kActive);
            if (active != lanes.end()) warp = static_cast<std::uint32_t>(active - lanes.begin()) / size;
        }
        if (const Target& hover = kept().first.hover; hover.kind == Target::Kind::kLane) warp = hover.index / size;
        return {.action = Action::kTravel, .camera = scene::tree_warp(s, at, tree_in(state, box), warp)};
    }
    bool dragging() const override { return drag_.has_value(); }
    std::vector<Command> pointer(const PointerEvent& event, const AppState& state, Box box) override {
        using Kind = PointerEvent::Kind;
        if (!state.subject) return {};
        const study::Subject& s = *state.subject;
        const Box tree = tree_in(state, box);
        const scene::Camera now = camera(state, box);
        switch (event.kind) {
            case Kind::kPress:
                if (last().spot(event.at) != nullptr) return {};
                drag_ = event.at;
                return {};
            case Kind::kRelease:
            case Kind::kLeave:
                drag_.reset();
                return {};
            case Kind::kDoubleClick:
                drag_.reset();
                return {{.action = Action::kCameraReset}};
            case Kind::kWheel:
                if (event.wheel < 0 && helps(state) && now.zoom <= kWhole) return {kOut};
                return {move_camera(now, s, state.playhead(), tree, event, drag_)};
            case Kind::kMove:
                if (!drag_) return {};
                return {move_camera(now, s, state.playhead(), tree, event, drag_)};
        }
        return {};
    }

    std::optional<Vec> drag_;  // where the pointer was last
};

}  // namespace

Command move_camera(scene::Camera camera, const study::Subject& s, study::Playhead at, Box box,
                    const PointerEvent& event, std::optional<Vec>& held) {
    if (event.kind == PointerEvent::Kind::kWheel)
        return {.action = Action::kCamera,
                .camera = scene::tree_zoom(s, at, camera, box, event.at, std::pow(1.18f, event.wheel))};
    camera.pan = {camera.pan.x + event.at.x - held->x, camera.pan.y + event.at.y - held->y};
    held = event.at;
    return {.action = Action::kCamera, .camera = scene::tree_camera(s, at, camera, box, false)};
}

std::unique_ptr<Panel> tree_panel() {
    return std::make_unique<TreePanel>();
}

}  // namespace warptree::chrome
