// The listing's panel: the kernel's own lines, the one that runs marked.
#pragma once

#include "app/panel/panel.hpp"

namespace warptree::panel {

class ListingPanel {
public:
    const Scene& scene(const Look& look);
    scene::Target target(Vec point) const { return target_at(cache_.last(), point); }

private:
    Cached<ViewKey> cache_;
};

}  // namespace warptree::panel
