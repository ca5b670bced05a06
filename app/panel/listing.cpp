// The listing's panel.
#include "app/panel/listing.hpp"

namespace warptree::panel {

const Scene& ListingPanel::scene(const Look& look) {
    const ViewKey key = view_key(look);
    return cache_.get(key, [&] { return scene::listing_view(*key.subject, key.at, key.box, look.measure, key.hover); });
}

}  // namespace warptree::panel
