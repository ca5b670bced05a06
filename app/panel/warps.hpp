// The warps' panel: a click on a step's band goes to that step; a switch shows one step or all.
#pragma once

#include "app/panel/middle.hpp"

namespace warptree::panel {

class WarpsPanel final : public MiddlePanel {
public:
    const Scene& scene(const Look& look) override;
    scene::Target target(Vec point) const override { return target_at(cache_.last(), point); }
    std::vector<Command> pointer(const PointerEvent& event, const AppState& state, Box box) override;
    std::vector<Hotspot> hotspots() const override;

private:
    struct Key {
        ViewKey view;
        bool all_steps;
        bool operator==(const Key&) const = default;
    };
    Cached<Key> cache_;
};

}  // namespace warptree::panel
