// The coarsening panel: its sliders are dragged, or stepped with the keyboard.
#pragma once

#include "app/panel/middle.hpp"
#include "app/scene/coarsening_view.hpp"

namespace warptree::panel {

class CoarseningPanel final : public MiddlePanel {
public:
    const Scene& scene(const Look& look) override;
    scene::Target target(Vec point) const override { return target_at(cache_.last(), point); }
    std::vector<Command> pointer(const PointerEvent& event, const AppState& state, Box box) override;
    bool dragging() const override { return held_ != Action::kNone; }
    /// The stops beside the chosen ones: what Tab and Enter reach.
    std::vector<Hotspot> hotspots() const override;
    std::vector<std::string> story(const AppState&, const scene::Target&) const override { return {}; }

private:
    struct Key {
        StudyKey<study::CoarsenStudy> view;
        study::CoarsenChoice choice;
        bool operator==(const Key&) const = default;
    };
    Command move(float x) const;

    std::shared_ptr<const study::CoarsenStudy> study_;
    Cached<Key> cache_;
    scene::CoarsenScene shown_;  // its sliders; the scene is in the cache
    study::CoarsenChoice choice_;
    Action held_ = Action::kNone;
};

}  // namespace warptree::panel
