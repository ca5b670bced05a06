// The tree's panel.
#include "app/panel/tree.hpp"

#include <cmath>

namespace warptree::panel {

namespace {

/// Beside a caption that is as large as the lecture's, no help is needed.
bool helps(const AppState& state) {
    return state.view == scene::View::kTree;
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
    const auto& subject = *look.state.subject;
    up_ = {};
    if (helps(look.state) && (subject.run().launches.size() > 1 || subject.trace.launch.grid > 1)) {
        constexpr float kUp = 150, kHeight = 34;
        up_ = {look.box.right() - scene::kPad - kUp, look.box.y + scene::kTitleY - kHeight / 2, kUp + 6, kHeight};
    }
    return cache_.get(key, [&] {
        return scene::tree_view(*key.view.subject, key.view.at, key.camera, key.view.box, look.measure, key.view.hover,
                                helps(look.state));
    });
}

std::vector<Hotspot> TreePanel::hotspots() const {
    if (up_.w <= 0) return {};
    return {{up_, {.action = Action::kView, .text = "grid"}, "Up to the grid: all launches and blocks (L)", 6}};
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
            if (up_.contains(event.at)) return {};
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
            const float factor = std::pow(1.18f, event.wheel);
            return {{.action = Action::kCamera,
                     .camera =
                         scene::tree_zoom(*state.subject, camera(state, box), tree_in(state, box), event.at, factor)}};
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
