// The header: the kernels as tabs, and what else can be chosen as menus.
#pragma once

#include "app/panel/panel.hpp"

namespace warptree::panel {

class HeaderPanel {
public:
    /// hot  the hotspot under the pointer; -1: none
    const Scene& scene(const Look& window, int hot);
    /// Of the scene shown last, from left to right.
    const std::vector<Hotspot>& hotspots() const { return hotspots_; }

private:
    struct Key {
        kernels::Request request;
        std::shared_ptr<const study::Subject> subject;
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
