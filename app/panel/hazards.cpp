// The hazards' panel: switches that leave a barrier out or put it back, and lines that choose the order on show.
#include "app/scene/hazards_view.hpp"

#include <fmt/format.h>

#include "app/panel/middle.hpp"

namespace warptree::panel {
namespace {

class HazardsPanel final : public CachedPanel<std::shared_ptr<const study::RaceStudy>> {
    std::shared_ptr<const study::RaceStudy> more(const Look& look) override { return studies_of(look).races; }
    Scene build(const Look& look) override {
        spots_.clear();
        if (!complete(look)) return unfinished(look);
        auto built = scene::hazards_view(*look.state.subject, *more(look), look.state.playhead(), look.box,
                                         look.measure, look.hover);
        spots_ = std::move(built.spots);
        return std::move(built.scene);
    }
    std::vector<Hotspot> hotspots() const override {
        std::vector<Hotspot> all;
        for (const scene::HazardSpot& spot : spots_) {
            if (spot.is_barrier) {
                const double line = spot.missing ? 0 : spot.line;
                all.push_back({spot.box,
                               {.action = Action::kBarrier, .value = line},
                               spot.missing ? fmt::format("Put the barrier of line {} back", spot.line)
                                            : fmt::format("Leave the barrier of line {} out", spot.line),
                               spot.box.h / 2});
            } else {
                const std::string order(kernels::name(spot.order));
                all.push_back({spot.box,
                               {.action = Action::kThreadOrder, .text = order},
                               fmt::format("Show the run with threads in {} order", order),
                               6});
            }
        }
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

    std::vector<scene::HazardSpot> spots_;
};

}  // namespace

std::unique_ptr<Panel> hazards_panel() {
    return std::make_unique<HazardsPanel>();
}

}  // namespace warptree::panel
