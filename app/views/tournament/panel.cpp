// The tournament's panel.
#include "app/chrome/middle.hpp"
#include "app/views/tournament/view.hpp"

namespace warptree::chrome {
namespace {

class TournamentPanel final : public CachedPanel<std::shared_ptr<const study::TournamentStudy>> {
    std::shared_ptr<const study::TournamentStudy> more(const Look& look) override {
        return studies_of(look).of<study::TournamentStudy>();
    }
    Scene build(const Look& look) override {
        if (!complete(look)) return unfinished(look);
        return scene::tournament_view(*of(), look.state.playhead(), look.box, look.measure, look.hover);
    }
    std::vector<std::string> story(const AppState& state, const Target& target) const override {
        return scene::match_story(*state.subject, state.playhead(), target);
    }
};

}  // namespace

std::unique_ptr<Panel> tournament_panel() {
    return std::make_unique<TournamentPanel>();
}

}  // namespace warptree::chrome
