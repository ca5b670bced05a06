// The comparison's panel: a click on a column makes it the one that the header changes; the wheel and
// dragging look closer at all trees at once.
#pragma once

#include "app/panel/middle.hpp"
#include "app/scene/compare.hpp"

namespace warptree::panel {

class ComparePanel final : public MiddlePanel {
public:
    const Scene& scene(const Look& look) override;
    scene::Target target(Vec point) const override;
    std::vector<Command> pointer(const PointerEvent& event, const AppState& state, Box box) override;
    bool dragging() const override { return drag_.has_value(); }
    std::vector<Hotspot> hotspots() const override { return hotspots_; }
    std::vector<std::string> story(const AppState& state, const scene::Target& target) const override;

private:
    struct Key {
        std::shared_ptr<const study::Comparison> comparison;
        study::Playhead at;
        scene::CompareLook look;
        Box box;
        scene::Target hover;
        const Measure* measure = nullptr;
        bool operator==(const Key&) const = default;
    };
    void find_controls();
    std::vector<Command> look_at(const PointerEvent& event, const AppState& state);

    Cached<Key> cache_;
    int seen_builds_ = 0;
    std::vector<Hotspot> hotspots_;
    std::shared_ptr<const study::Comparison> alone_;  // of a state that has none: its one run
    scene::CompareLayout layout_;
    std::optional<Vec> drag_;          // where the pointer holds the trees
    mutable std::size_t hovered_ = 0;  // the column under the pointer
};

}  // namespace warptree::panel
