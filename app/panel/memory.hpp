// The memory's panel: a click on a bar shows that access, and keeps to it from step to step; a second click lets go.
#pragma once

#include "app/panel/middle.hpp"
#include "app/scene/memory_view.hpp"

namespace warptree::panel {

class MemoryPanel final : public MiddlePanel {
public:
    const Scene& scene(const Look& look) override;
    scene::Target target(Vec point) const override { return target_at(cache_.last(), point); }
    std::vector<Command> pointer(const PointerEvent& event, const AppState& state, Box box) override;
    std::vector<std::string> story(const AppState& state, const scene::Target& target) const override;

private:
    struct Key {
        ViewKey view;
        scene::MemoryChoice choice;
        bool operator==(const Key&) const = default;
    };
    Cached<Key> cache_;
    scene::MemoryChoice choice_;
};

}  // namespace warptree::panel
