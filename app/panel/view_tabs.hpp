// The tabs of the middle panel: its title is the tab of the view on show, the other views stand beside it.
#pragma once

#include "app/panel/panel.hpp"

namespace warptree::panel {

class ViewTabs {
public:
    /// look.box  the middle panel's; the tabs stand in its title's row
    const Scene& scene(const Look& look, int hot);
    /// The tabs of the scene shown last, from left to right; one that opens a menu where there is no room for all.
    const std::vector<Hotspot>& hotspots() const { return hotspots_; }

private:
    struct Key {
        scene::View view, hidden;
        Menu menu;
        Box box;
        int hot;
        const Measure* measure;
        bool operator==(const Key&) const = default;
    };
    Cached<Key> cache_;
    std::vector<Hotspot> hotspots_;
};

}  // namespace warptree::panel
