// The warps' panel. Where its controls are is read from the scene, by their ids.
#include "app/panel/warps.hpp"

namespace warptree::panel {

using scene::Control;
using scene::Target;

const Scene& WarpsPanel::scene(const Look& look) {
    const Key key{view_key(look), look.state.all_steps && !look.state.lesson.gated()};
    return cache_.get(key, [&] {
        return scene::warps_view(*key.view.subject, key.view.at, key.all_steps, key.view.box, look.measure,
                                 key.view.hover);
    });
}

std::vector<Command> WarpsPanel::pointer(const PointerEvent& event, const AppState& state, Box) {
    if (event.kind != PointerEvent::Kind::kPress || !state.all_steps || state.lesson.gated()) return {};
    const Target hit = target(event.at);
    if (hit.kind == Target::Kind::kFold) return {{.action = Action::kFold, .value = static_cast<double>(hit.index)}};
    const bool of_step =
        hit.kind == Target::Kind::kStepBar || hit.kind == Target::Kind::kWarp || hit.kind == Target::Kind::kLane;
    if (!of_step) return {};
    const std::size_t first = hit.kind == Target::Kind::kStepBar ? 0 : state.subject->first_step;
    return {{.action = Action::kGoTo, .value = static_cast<double>(first + hit.state) + 1}};
}

std::vector<Hotspot> WarpsPanel::hotspots() const {
    std::vector<Hotspot> spots;
    for (const scene::Shape& shape : cache_.last().shapes) {
        const auto* rect = std::get_if<scene::Rect>(&shape);
        if (rect == nullptr || rect->id == 0) continue;
        const Target target = scene::unpack(rect->id);
        if (target.kind != Target::Kind::kControl) continue;
        const bool all = static_cast<Control>(target.index) == Control::kAllSteps;
        spots.push_back({rect->box,
                         {.action = Action::kAllSteps, .value = all ? 1.0 : 0.0},
                         all ? "Every step at once: area is what they cost (X)" : "The lanes of this step alone (X)",
                         rect->radius});
    }
    return spots;
}

}  // namespace warptree::panel
