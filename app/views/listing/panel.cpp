// The listing's panel.
#include "app/chrome/panel.hpp"
#include "app/views/listing/view.hpp"

namespace warptree::chrome {
namespace {

/// The kernel's own lines, the one that runs marked.
class ListingPanel final : public CachedPanel<> {
    Scene build(const Look& look) override {
        return scene::listing_view(*look.state.subject, look.state.playhead(), look.box, look.measure, look.hover);
    }
};

}  // namespace

std::unique_ptr<Panel> listing_panel() {
    return std::make_unique<ListingPanel>();
}

}  // namespace warptree::chrome
