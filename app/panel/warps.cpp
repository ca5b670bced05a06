// The warps' panel: a click on a step's band goes to that step; a switch shows one step or all.
#include "app/panel/middle.hpp"

namespace warptree::panel {
namespace {

class WarpsPanel final : public CachedPanel<bool> {
    /// A question hides the steps that are still to come.
    static bool shows_all(const AppState& s) { return s.all_steps && !s.lesson.gated(); }
    bool more(const Look& look) override { return shows_all(look.state); }
    Scene build(const Look& look) override {
        const AppState& s = look.state;
        return scene::warps_view(*s.subject, s.playhead(), shows_all(s), look.box, look.measure, look.hover);
    }
    std::vector<Command> pointer(const PointerEvent& event, const AppState& state, Box) override {
        if (event.kind != PointerEvent::Kind::kPress || !shows_all(state)) return {};
        const Target hit = target(event.at);
        if (hit.kind == Target::Kind::kFold)
            return {{.action = Action::kFold, .value = static_cast<double>(hit.index)}};
        const bool of_step =
            hit.kind == Target::Kind::kStepBar || hit.kind == Target::Kind::kWarp || hit.kind == Target::Kind::kLane;
        if (!of_step) return {};
        const std::size_t first = hit.kind == Target::Kind::kStepBar ? 0 : state.subject->first_step;
        return {{.action = Action::kGoTo, .value = static_cast<double>(first + hit.state) + 1}};
    }
    std::vector<Hotspot> hotspots() const override {
        std::vector<Hotspot> spots;
        each_control(last(), [&](const Rect& rect, const Target& target) {
            const bool all = static_cast<Control>(target.index) == Control::kAllSteps;
            spots.push_back(
                {rect.box,
                 {.action = Action::kAllSteps, .value = all ? 1.0 : 0.0},
                 all ? "Every step at once: area is what they cost (X)" : "The lanes of this step alone (X)",
                 rect.radius});
        });
        return spots;
    }
};

}  // namespace

std::unique_ptr<Panel> warps_panel() {
    return std::make_unique<WarpsPanel>();
}

}  // namespace warptree::panel
