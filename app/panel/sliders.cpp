// The panels with sliders: of coarsening, the factor and how many blocks run at once; of the tournament how many venues
// there are, that is how many threads the kernel runs with.
#include <algorithm>

#include <fmt/format.h>

#include "app/panel/middle.hpp"

namespace warptree::panel {
namespace {

/// A panel with sliders: a stop is chosen by dragging, or, beside the chosen one, as a control.
template <class More>
class SliderPanel : public CachedPanel<More> {
public:
    std::vector<Command> pointer(const PointerEvent& event, const AppState&, Box) override {
        using Kind = PointerEvent::Kind;
        if (event.kind == Kind::kRelease || event.kind == Kind::kLeave) held_ = kNone;
        if (event.kind == Kind::kPress || event.kind == Kind::kDoubleClick)
            for (std::size_t i = 0; i < handles_.size(); ++i)
                if (handles_[i].slider.track.contains(event.at)) held_ = i;
        if (event.kind == Kind::kWheel || held_ >= handles_.size()) return {};
        return {handles_[held_].stops.at(handles_[held_].slider.nearest(event.at.x))};
    }
    bool dragging() const override { return held_ != kNone; }

protected:
    /// The scene, with a slider for each add().
    virtual Scene build_complete(const Look&) = 0;
    /// at  the stop that is chosen; stop(i) is what choosing another does
    template <class Stop>
    void add(const scene::Slider& slider, std::size_t at, Stop stop) {
        Handle& handle = handles_.emplace_back(Handle{slider, {}});
        for (std::size_t i = 0; i < slider.stops.size(); ++i) {
            auto [command, tooltip] = stop(i);
            if (i + 1 == at || i == at + 1)
                this->spots_.push_back(
                    {{slider.stops[i] - 9, slider.track.centre().y - 9, 18, 18}, command, std::move(tooltip), 9});
            handle.stops.push_back(std::move(command));
        }
    }

private:
    struct Handle {
        scene::Slider slider;
        std::vector<Command> stops;
    };
    Scene build(const Look& look) override {
        handles_.clear();
        return complete(look) ? build_complete(look) : unfinished(look);
    }

    static constexpr std::size_t kNone = ~std::size_t{0};
    std::vector<Handle> handles_;  // of the scene shown last
    std::size_t held_ = kNone;
};

using Coarsening = std::pair<std::shared_ptr<const study::CoarsenStudy>, study::CoarsenChoice>;

class CoarseningPanel final : public SliderPanel<Coarsening> {
    Coarsening more(const Look& look) override { return {studies_of(look).coarsening, look.state.coarsening}; }
    Scene build_complete(const Look& look) override {
        const auto& [study, choice] = of();
        scene::CoarsenScene shown = scene::coarsening_view(*study, choice, look.box, look.measure);
        const auto add_one = [&](const scene::Slider& slider, std::size_t at, Action action, const char* what) {
            add(slider, at, [&](std::size_t i) -> Button {
                return {{.action = action, .value = static_cast<double>(i)},
                        fmt::format("{} {}", i < at ? "Less" : "More", what)};
            });
        };
        add_one(shown.factor, static_cast<std::size_t>(study->factor_of(choice)), Action::kCoarsenFactor, "coarsening");
        add_one(shown.resident, std::min<std::size_t>(choice.resident, study->residents.size() - 1), Action::kResident,
                "blocks at once");
        return std::move(shown.scene);
    }
    std::vector<std::string> story(const AppState&, const Target&) const override { return {}; }
};

using TournamentPtr = std::shared_ptr<const study::TournamentStudy>;

class TournamentPanel final : public SliderPanel<TournamentPtr> {
    TournamentPtr more(const Look& look) override { return studies_of(look).tournament; }
    Scene build_complete(const Look& look) override {
        auto shown = scene::tournament_view(*of(), look.state.playhead(), look.box, look.measure, look.hover);
        const std::vector<std::uint32_t>& venues = of()->venues;
        const auto at = std::ranges::find(venues, of()->subject->trace.launch.block);
        add(shown.venues, at == venues.end() ? venues.size() + 1 : static_cast<std::size_t>(at - venues.begin()),
            [&](std::size_t i) -> Button {
                return {{.action = Action::kBlock, .value = static_cast<double>(venues.at(i))},
                        study::counted(venues.at(i), "venue")};
            });
        return std::move(shown.scene);
    }
    std::vector<std::string> story(const AppState& state, const Target& target) const override {
        return scene::match_story(*state.subject, state.playhead(), target);
    }
};

}  // namespace

std::unique_ptr<Panel> coarsening_panel() {
    return std::make_unique<CoarseningPanel>();
}

std::unique_ptr<Panel> tournament_panel() {
    return std::make_unique<TournamentPanel>();
}

}  // namespace warptree::panel
