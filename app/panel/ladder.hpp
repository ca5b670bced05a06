// The ladder's panel: what is chosen there, with pointer and keyboard. Where it stands is read from the scene, by ids.
#pragma once

#include "app/panel/middle.hpp"
#include "app/scene/ladder_view.hpp"

namespace warptree::panel {

class LadderPanel final : public MiddlePanel {
public:
    const Scene& scene(const Look& look) override;
    scene::Target target(Vec point) const override { return target_at(cache_.last(), point); }
    std::vector<Command> pointer(const PointerEvent&, const AppState&, Box) override;
    std::vector<Hotspot> hotspots() const override;
    std::vector<std::string> story(const AppState&, const scene::Target&) const override;

private:
    struct Key {
        StudyKey<study::LadderStudy> view;
        study::LadderChoice choice;
        bool operator==(const Key&) const = default;
    };
    study::Ladder ladder() const;
    Command command_of(const scene::Target&) const;

    Cached<Key> cache_;
    study::LadderChoice choice_;
};

}  // namespace warptree::panel
