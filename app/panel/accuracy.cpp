// The accuracy view's panel.
#include "app/scene/accuracy_view.hpp"

#include "app/panel/middle.hpp"

namespace warptree::panel {
namespace {

class AccuracyPanel final : public CachedPanel<std::shared_ptr<const study::RoundingStudy>> {
    std::shared_ptr<const study::RoundingStudy> more(const Look& look) override { return studies_of(look).roundings; }
    Scene build(const Look& look) override {
        if (!complete(look)) return unfinished(look);
        return scene::accuracy_view(*more(look), look.state.playhead(), look.box, look.measure);
    }
};

}  // namespace

std::unique_ptr<Panel> accuracy_panel() {
    return std::make_unique<AccuracyPanel>();
}

}  // namespace warptree::panel
