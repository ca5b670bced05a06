// The tree's panel: the wheel zooms about the pointer, out of the whole to the grid; dragging moves, a double
// click shows the whole again.
#pragma once

#include "app/panel/middle.hpp"

namespace warptree::panel {

class TreePanel final : public MiddlePanel {
public:
    const Scene& scene(const Look& look) override;
    scene::Target target(Vec point) const override { return target_at(cache_.last(), point); }
    std::vector<Command> pointer(const PointerEvent& event, const AppState& state, Box box) override;
    bool dragging() const override { return drag_.has_value(); }
    /// The parts of the trail.
    std::vector<Hotspot> hotspots() const override;
    Command level(const AppState& state, Box box, bool in) override;

private:
    struct Key {
        ViewKey view;
        scene::Camera camera;
        bool operator==(const Key&) const = default;
    };
    static scene::Camera camera(const AppState& state, Box box);

    Cached<Key> cache_;
    std::optional<Vec> drag_;  // where the pointer was last
    scene::Target hover_;
};

}  // namespace warptree::panel
