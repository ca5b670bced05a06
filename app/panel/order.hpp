// The order view's panel: it keeps the runs that the view compares, recorded once for each subject.
#pragma once

#include "app/panel/middle.hpp"
#include "app/scene/orders.hpp"

namespace warptree::panel {

class OrderPanel final : public MiddlePanel {
public:
    const Scene& scene(const Look& look) override {
        if (!orders_ || orders_->subject != look.state.subject)
            orders_ = scene::make_orders(look.state.subject, look.state.request);
        return cache_.get(view_key(look), [&] {
            return scene::order_view(*orders_, look.state.playhead(), look.box, look.measure, look.hover);
        });
    }
    scene::Target target(Vec point) const override { return target_at(cache_.last(), point); }

private:
    std::shared_ptr<const scene::Orders> orders_;
    Cached<ViewKey> cache_;
};

}  // namespace warptree::panel
