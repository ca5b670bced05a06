// The hazards' panel: switches that leave a barrier out or put it back, and lines that choose the order on show.
#pragma once

#include "app/panel/middle.hpp"
#include "app/scene/hazards_view.hpp"

namespace warptree::panel {

class HazardsPanel final : public MiddlePanel {
public:
    const Scene& scene(const Look& look) override;
    scene::Target target(Vec point) const override { return target_at(cache_.last(), point); }
    std::vector<Hotspot> hotspots() const override;
    std::vector<std::string> story(const AppState& state, const scene::Target& target) const override;

private:
    Cached<StudyKey<study::RaceStudy>> cache_;
    std::vector<scene::HazardSpot> spots_;
};

}  // namespace warptree::panel
