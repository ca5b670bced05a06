// The hazards' panel: switches that leave a barrier out or put it back, and lines that choose the order on show.
#include "app/scene/views.hpp"

#include <fmt/format.h>

#include "app/panel/middle.hpp"

namespace warptree::panel {
namespace {

class HazardsPanel final : public CachedPanel<std::shared_ptr<const study::RaceStudy>> {
    std::shared_ptr<const study::RaceStudy> more(const Look& look) override { return studies_of(look).races; }
    Scene build(const Look& look) override {
        if (!complete(look)) return unfinished(look);
        return scene::hazards_view(*look.state.subject, *more(look), look.state.playhead(), look.box, look.measure,
                                   look.hover);
    }
    std::vector<Hotspot> hotspots() const override {
        std::vector<Hotspot> all;
        each_control(last(), [&](const Rect& rect, const Target& target) {
            if (target.index == static_cast<std::uint32_t>(Control::kBarrier)) {
                const bool missing = target.array == 1;
                all.push_back({rect.box,
                               {.action = Action::kBarrier, .value = missing ? 0.0 : target.state},
                               missing ? fmt::format("Put the barrier of line {} back", target.state)
                                       : fmt::format("Leave the barrier of line {} out", target.state),
                               rect.radius});
                return;
            }
            const std::string order(kernels::name(static_cast<kernels::ThreadOrder>(target.state)));
            all.push_back({rect.box,
                           {.action = Action::kThreadOrder, .text = order},
                           fmt::format("Show the run with threads in {} order", order),
                           rect.radius});
        });
        return all;
    }
    std::vector<std::string> story(const AppState& state, const Target& target) const override {
        const study::Subject& s = *state.subject;
        auto lines = Panel::story(state, target);
        const auto& races = state.studies.races;
        if (lines.empty() || !races || state.studies.races_of != state.subject || target.kind != Target::Kind::kCell ||
            target.state > state.goal)
            return lines;
        const std::string sound = study::sound_value(*races, s, {target.array, target.index}, target.state);
        if (!sound.empty()) lines.push_back("with the barrier in place: " + sound);
        return lines;
    }
};

}  // namespace

std::unique_ptr<Panel> hazards_panel() {
    return std::make_unique<HazardsPanel>();
}

}  // namespace warptree::panel
