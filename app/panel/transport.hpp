// The transport's panel: buttons, and a strip of steps that a finger can be drawn over.
#pragma once

#include "app/panel/panel.hpp"

namespace warptree::panel {

class TransportPanel {
public:
    const Scene& scene(const Look& look);
    scene::Target target(Vec point) const { return target_at(cache_.last(), point); }
    std::vector<Command> pointer(const PointerEvent& event, const AppState& state);
    bool dragging() const { return press_.has_value(); }
    /// The buttons of the scene shown last.
    const std::vector<Hotspot>& hotspots() const { return hotspots_; }

private:
    struct Key {
        ViewKey view;
        bool playing = false;
        float speed = 1;
        float text = 1;
        bool venues = false;
        std::shared_ptr<const study::Comparison> comparison;
        bool operator==(const Key&) const = default;
    };
    struct Bar {
        std::size_t first = 0;  // its first step
        Box box;
    };
    void find_parts();
    double position_at(float x, std::size_t steps) const;

    Cached<Key> cache_;
    int seen_builds_ = 0;
    std::vector<Hotspot> hotspots_;
    std::vector<Bar> bars_;  // from left to right
    std::optional<Vec> press_;
    bool moved_ = false;
};

}  // namespace warptree::panel
