// The coarsening panel.
#include "app/panel/coarsening.hpp"

#include <fmt/format.h>

namespace warptree::panel {

const Scene& CoarseningPanel::scene(const Look& look) {
    study_ = studies_of(look).coarsening;
    choice_ = look.state.coarsening;
    const Key key{{view_key(look), study_}, choice_};
    return cache_.get(key, [&] {
        shown_ = {};
        if (!complete(look)) return unfinished(look);
        shown_ = scene::coarsening_view(*study_, choice_, look.box, look.measure);
        return std::move(shown_.scene);
    });
}

Command CoarseningPanel::move(float x) const {
    const scene::Slider& slider = held_ == Action::kCoarsenFactor ? shown_.factor : shown_.resident;
    return {.action = held_, .value = static_cast<double>(slider.nearest(x))};
}

std::vector<Command> CoarseningPanel::pointer(const PointerEvent& event, const AppState&, Box) {
    using Kind = PointerEvent::Kind;
    switch (event.kind) {
        case Kind::kPress:
        case Kind::kDoubleClick:
            if (shown_.factor.track.contains(event.at)) held_ = Action::kCoarsenFactor;
            if (shown_.resident.track.contains(event.at)) held_ = Action::kResident;
            if (held_ == Action::kNone) return {};
            return {move(event.at.x)};
        case Kind::kMove:
            if (held_ == Action::kNone) return {};
            return {move(event.at.x)};
        case Kind::kRelease:
        case Kind::kLeave:
            held_ = Action::kNone;
            return {};
        case Kind::kWheel:
            return {};
    }
    return {};
}

std::vector<Hotspot> CoarseningPanel::hotspots() const {
    std::vector<Hotspot> spots;
    const auto add = [&](const scene::Slider& slider, std::uint32_t at, Action action, const char* what) {
        for (std::uint32_t i = 0; i < slider.stops.size(); ++i) {
            if (i + 1 != at && i != at + 1) continue;
            const Box box{slider.stops[i] - 9, slider.track.centre().y - 9, 18, 18};
            spots.push_back({box,
                             {.action = action, .value = static_cast<double>(i)},
                             fmt::format("{} {}", i < at ? "Less" : "More", what),
                             9});
        }
    };
    if (!study_ || shown_.factor.stops.empty()) return spots;
    const auto last = [](std::size_t count) { return static_cast<std::uint32_t>(count - 1); };
    add(shown_.factor, static_cast<std::uint32_t>(study_->factor_of(choice_)), Action::kCoarsenFactor, "coarsening");
    add(shown_.resident, std::min(choice_.resident, last(study_->residents.size())), Action::kResident,
        "blocks at once");
    return spots;
}

}  // namespace warptree::panel
