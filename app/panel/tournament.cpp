// The tournament panel.
#include "app/panel/tournament.hpp"

#include <fmt/format.h>

namespace warptree::panel {

const Scene& TournamentPanel::scene(const Look& look) {
    study_ = studies_of(look).tournament;
    return cache_.get({view_key(look), study_}, [&] {
        shown_ = {};
        if (!complete(look)) return unfinished(look);
        shown_ = scene::tournament_view(*study_, look.state.playhead(), look.box, look.measure, look.hover);
        return std::move(shown_.scene);
    });
}

Command TournamentPanel::move(float x) const {
    return {.action = Action::kBlock, .value = static_cast<double>(study_->venues.at(shown_.venues.nearest(x)))};
}

std::vector<Command> TournamentPanel::pointer(const PointerEvent& event, const AppState&, Box) {
    using Kind = PointerEvent::Kind;
    switch (event.kind) {
        case Kind::kPress:
        case Kind::kDoubleClick:
            if (!study_ || shown_.venues.stops.empty() || !shown_.venues.track.contains(event.at)) return {};
            dragging_ = true;
            return {move(event.at.x)};
        case Kind::kMove:
            if (!dragging_) return {};
            return {move(event.at.x)};
        case Kind::kRelease:
        case Kind::kLeave:
            dragging_ = false;
            return {};
        case Kind::kWheel:
            return {};
    }
    return {};
}

std::vector<Hotspot> TournamentPanel::hotspots() const {
    std::vector<Hotspot> spots;
    if (!study_) return spots;
    if (shown_.offer.w > 0)
        spots.push_back({shown_.offer,
                         {.action = Action::kKernel, .text = "tournament"},
                         "Run the kernel tournament on the last eight teams",
                         shown_.offer.h / 2});
    const scene::Slider& slider = shown_.venues;
    for (std::size_t i = 0; i < slider.stops.size(); ++i) {
        const std::uint32_t venues = study_->venues[i], now = study_->subject->trace.launch.block;
        const bool beside =
            (i > 0 && study_->venues[i - 1] == now) || (i + 1 < study_->venues.size() && study_->venues[i + 1] == now);
        if (!beside) continue;
        const Box box{slider.stops[i] - 9, slider.track.centre().y - 9, 18, 18};
        spots.push_back({box,
                         {.action = Action::kBlock, .value = static_cast<double>(venues)},
                         fmt::format("{} venue{}", venues, venues == 1 ? "" : "s"),
                         9});
    }
    return spots;
}

}  // namespace warptree::panel
