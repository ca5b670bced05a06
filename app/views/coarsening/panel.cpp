// The coarsening's panel.
#include "app/chrome/middle.hpp"
#include "app/views/coarsening/view.hpp"

namespace warptree::chrome {
namespace {

using Coarsening = std::pair<std::shared_ptr<const study::CoarsenStudy>, study::CoarsenChoice>;

class CoarseningPanel final : public CachedPanel<Coarsening> {
    Coarsening more(const Look& look) override {
        return {studies_of(look).of<study::CoarsenStudy>(), look.state.coarsening};
    }
    Scene build(const Look& look) override {
        if (!complete(look)) return unfinished(look);
        return scene::coarsening_view(*of().first, of().second, look.box, look.measure);
    }
    std::vector<std::string> story(const AppState&, const Target&) const override { return {}; }
};

}  // namespace

std::unique_ptr<Panel> coarsening_panel() {
    return std::make_unique<CoarseningPanel>();
}

}  // namespace warptree::chrome
