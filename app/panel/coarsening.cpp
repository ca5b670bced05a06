// The coarsening panel: its sliders are the factor, and how many blocks run at once.
#include <algorithm>

#include <fmt/format.h>

#include "app/panel/middle.hpp"

namespace warptree::panel {
namespace {

using CoarseningPtr = std::shared_ptr<const study::CoarsenStudy>;

class CoarseningPanel final : public SliderPanel<std::pair<CoarseningPtr, study::CoarsenChoice>> {
    std::pair<CoarseningPtr, study::CoarsenChoice> more(const Look& look) override {
        study_ = studies_of(look).coarsening;
        choice_ = look.state.coarsening;
        return {study_, choice_};
    }
    Scene build(const Look& look) override {
        shown_ = {};
        if (!complete(look)) return unfinished(look);
        shown_ = scene::coarsening_view(*study_, choice_, look.box, look.measure);
        return std::move(shown_.scene);
    }
    std::vector<Handle> handles() const override {
        if (!study_ || shown_.factor.stops.empty()) return {};
        const auto handle = [](const scene::Slider& slider, std::size_t at, Action action, const char* what) {
            return Handle{&slider, at,
                          [=](std::size_t i) { return Command{.action = action, .value = static_cast<double>(i)}; },
                          [=](std::size_t i) { return fmt::format("{} {}", i < at ? "Less" : "More", what); }};
        };
        const std::size_t resident = std::min<std::size_t>(choice_.resident, study_->residents.size() - 1);
        return {handle(shown_.factor, static_cast<std::size_t>(study_->factor_of(choice_)), Action::kCoarsenFactor,
                       "coarsening"),
                handle(shown_.resident, resident, Action::kResident, "blocks at once")};
    }
    std::vector<std::string> story(const AppState&, const Target&) const override { return {}; }

    CoarseningPtr study_;
    scene::CoarsenScene shown_;  // its sliders; the scene is in the cache
    study::CoarsenChoice choice_;
};

}  // namespace

std::unique_ptr<Panel> coarsening_panel() {
    return std::make_unique<CoarseningPanel>();
}

}  // namespace warptree::panel
