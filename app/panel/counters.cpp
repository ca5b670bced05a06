// The counters' panel.
#include "app/panel/counters.hpp"

namespace warptree::panel {

const Scene& CountersPanel::scene(const Look& look) {
    const ViewKey key = view_key(look);
    return cache_.get(key,
                      [&] { return scene::counters_view(*key.subject, key.at, key.box, look.measure, key.hover); });
}

}  // namespace warptree::panel
