// The ladder's panel.
#include <tuple>

#include "app/chrome/middle.hpp"
#include "app/kit/target.hpp"
#include "app/views/ladder/view.hpp"

namespace warptree::chrome {
namespace {

using LadderPtr = std::shared_ptr<const study::LadderStudy>;
using ResultsPtr = std::shared_ptr<const std::vector<study::Measurements>>;
using LadderKey = std::tuple<LadderPtr, ResultsPtr, study::LadderChoice>;

class LadderPanel final : public CachedPanel<LadderKey> {
    LadderKey more(const Look& look) override {
        return {studies_of(look).of<study::LadderStudy>(), look.state.results, look.state.ladder};
    }
    Scene build(const Look& look) override {
        const auto& [counted, results, choice] = of();
        ladder_ = study::ladder_of(*results, choice, look.state.request.kernel);
        return scene::ladder_view(*results, choice, counted.get(), look.state.request.kernel, look.box, look.measure,
                                  look.hover);
    }

    std::vector<std::string> story(const AppState&, const Target& target) const override {
        return scene::ladder_story(ladder_, target);
    }

    study::Ladder ladder_;  // as drawn
};

}  // namespace

std::unique_ptr<Panel> ladder_panel() {
    return std::make_unique<LadderPanel>();
}

}  // namespace warptree::chrome
