// The hazards' panel.
#include "app/panel/hazards.hpp"

#include <fmt/format.h>

namespace warptree::panel {

const Scene& HazardsPanel::scene(const Look& look) {
    const ViewKey key = view_key(look);
    return cache_.get({key, studies_of(look).races}, [&] {
        spots_.clear();
        if (!complete(look)) return unfinished(look);
        auto built =
            scene::hazards_view(*key.subject, *studies_of(look).races, key.at, key.box, look.measure, key.hover);
        spots_ = std::move(built.spots);
        return std::move(built.scene);
    });
}

std::vector<Hotspot> HazardsPanel::hotspots() const {
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

std::vector<std::string> HazardsPanel::story(const AppState& state, const scene::Target& target) const {
    const study::Subject& s = *state.subject;
    auto lines = scene::story(s, state.playhead(), target);
    if (lines.empty() || !state.studies.races || state.studies.races_of != state.subject ||
        target.kind != scene::Target::Kind::kCell)
        return lines;
    if (target.state > state.goal) return lines;
    const std::string sound = study::sound_value(*state.studies.races, s, {target.array, target.index}, target.state);
    if (!sound.empty()) lines.push_back("with the barrier in place: " + sound);
    return lines;
}

}  // namespace warptree::panel
