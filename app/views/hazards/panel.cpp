// The hazards' panel.
#include "app/chrome/middle.hpp"
#include "app/views/hazards/view.hpp"

namespace warptree::chrome {
namespace {

class HazardsPanel final : public CachedPanel<std::shared_ptr<const study::RaceStudy>> {
    std::shared_ptr<const study::RaceStudy> more(const Look& look) override {
        return studies_of(look).of<study::RaceStudy>();
    }
    Scene build(const Look& look) override {
        if (!complete(look)) return unfinished(look);
        return scene::hazards_view(*look.state.subject, *of(), look.state.playhead(), look.box, look.measure,
                                   look.hover);
    }
    std::vector<std::string> story(const AppState& state, const Target& target) const override {
        auto lines = Panel::story(state, target);
        const auto races = state.studies.of<study::RaceStudy>();
        if (lines.empty() || !study::complete(state.studies, state.view, state.subject) ||
            target.kind != Target::Kind::kCell || target.state > state.goal)
            return lines;
        const std::string sound =
            study::sound_value(*races, *state.subject, {target.array, target.index}, target.state);
        if (!sound.empty()) lines.push_back("with the barrier in place: " + sound);
        return lines;
    }
};

}  // namespace

std::unique_ptr<Panel> hazards_panel() {
    return std::make_unique<HazardsPanel>();
}

}  // namespace warptree::chrome
