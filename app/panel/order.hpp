// The order view's panel.
#pragma once

#include "app/panel/middle.hpp"
#include "app/scene/order_view.hpp"

namespace warptree::panel {

class OrderPanel final : public MiddlePanel {
public:
    const Scene& scene(const Look& look) override {
        return cache_.get({view_key(look), studies_of(look).orders}, [&] {
            if (!complete(look)) return unfinished(look);
            return scene::order_view(*studies_of(look).orders, look.state.playhead(), look.box, look.measure,
                                     look.hover);
        });
    }
    scene::Target target(Vec point) const override { return target_at(cache_.last(), point); }

private:
    Cached<StudyKey<study::Orders>> cache_;
};

}  // namespace warptree::panel
