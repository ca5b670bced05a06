// The tournament panel: its slider says how many venues there are, that is how many threads the kernel runs with.
#include <algorithm>

#include <fmt/format.h>

#include "app/panel/middle.hpp"

namespace warptree::panel {
namespace {

using TournamentPtr = std::shared_ptr<const study::TournamentStudy>;

class TournamentPanel final : public SliderPanel<TournamentPtr> {
    TournamentPtr more(const Look& look) override { return study_ = studies_of(look).tournament; }
    Scene build(const Look& look) override {
        shown_ = {};
        if (!complete(look)) return unfinished(look);
        shown_ = scene::tournament_view(*study_, look.state.playhead(), look.box, look.measure, look.hover);
        return std::move(shown_.scene);
    }
    std::vector<Handle> handles() const override {
        if (!study_ || shown_.venues.stops.empty()) return {};
        const std::vector<std::uint32_t>& venues = study_->venues;
        const auto at = std::ranges::find(venues, study_->subject->trace.launch.block);
        return {{&shown_.venues, at == venues.end() ? venues.size() + 1 : static_cast<std::size_t>(at - venues.begin()),
                 [&](std::size_t i) {
                     return Command{.action = Action::kBlock, .value = static_cast<double>(venues.at(i))};
                 },
                 [&](std::size_t i) { return fmt::format("{} venue{}", venues[i], venues[i] == 1 ? "" : "s"); }}};
    }
    std::vector<Hotspot> hotspots() const override {
        std::vector<Hotspot> spots = SliderPanel::hotspots();
        each_control(last(), [&](const Rect& rect, const Target& target) {
            if (target.index == static_cast<std::uint32_t>(Control::kPlayCup))
                spots.push_back({rect.box,
                                 {.action = Action::kKernel, .text = "tournament"},
                                 "Run the kernel tournament on the last eight teams",
                                 rect.radius});
        });
        return spots;
    }
    std::vector<std::string> story(const AppState& state, const Target& target) const override {
        return scene::match_story(*state.subject, state.playhead(), target);
    }

    TournamentPtr study_;
    scene::TournamentScene shown_;  // its slider and button; the scene is in the cache
};

}  // namespace

std::unique_ptr<Panel> tournament_panel() {
    return std::make_unique<TournamentPanel>();
}

}  // namespace warptree::panel
