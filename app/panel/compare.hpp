// The comparison's panel: a click on a column makes it the one that the header changes.
#pragma once

#include "app/panel/middle.hpp"
#include "app/scene/compare.hpp"

namespace warptree::panel {

class ComparePanel final : public MiddlePanel {
public:
    const Scene& scene(const Look& look) override;
    scene::Target target(Vec point) const override;
    std::vector<Command> pointer(const PointerEvent& event, const AppState& state, Box box) override;
    std::vector<Hotspot> hotspots() const override { return hotspots_; }
    std::vector<std::string> story(const AppState& state, const scene::Target& target) const override;

private:
    struct Key {
        std::shared_ptr<const scene::Comparison> comparison;
        scene::Playhead at;
        scene::CompareLook look;
        Box box;
        scene::Target hover;
        const Measure* measure = nullptr;
        bool operator==(const Key&) const = default;
    };
    void find_controls();

    Cached<Key> cache_;
    int seen_builds_ = 0;
    std::vector<Hotspot> hotspots_;
    std::shared_ptr<const scene::Comparison> alone_;  // of a state that has none: its one run
    scene::CompareLayout layout_;
    mutable std::size_t hovered_ = 0;  // the column under the pointer
};

}  // namespace warptree::panel
