// The order's panel.
#include "app/chrome/middle.hpp"
#include "app/views/order/view.hpp"

namespace warptree::chrome {
namespace {

class OrderPanel final : public CachedPanel<std::shared_ptr<const study::Orders>> {
    std::shared_ptr<const study::Orders> more(const Look& look) override {
        return studies_of(look).of<study::Orders>();
    }
    Scene build(const Look& look) override {
        if (!complete(look)) return unfinished(look);
        return scene::order_view(*of(), look.state.playhead(), look.box, look.measure, look.hover);
    }
};

}  // namespace

std::unique_ptr<Panel> order_panel() {
    return std::make_unique<OrderPanel>();
}

}  // namespace warptree::chrome
