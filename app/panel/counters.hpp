// The counters' panel: what the run has cost so far, beside the book.
#pragma once

#include "app/panel/panel.hpp"

namespace warptree::panel {

class CountersPanel {
public:
    const Scene& scene(const Look& look);
    scene::Target target(Vec point) const { return target_at(cache_.last(), point); }

    /// The switch between the book's editions, where they differ.
    std::vector<Hotspot> hotspots() const;

private:
    struct Key {
        ViewKey view;
        std::string edition;
        bool operator==(const Key&) const = default;
    };
    Cached<Key> cache_;
};

}  // namespace warptree::panel
