// The grid's panel: a click on a block puts it on show, a second one, or the wheel, goes into its tree.
#pragma once

#include "app/panel/middle.hpp"
#include "app/scene/grid_view.hpp"

namespace warptree::panel {

class GridPanel final : public MiddlePanel {
public:
    const Scene& scene(const Look& look) override;
    scene::Target target(Vec point) const override { return target_at(cache_.last(), point); }
    std::vector<Command> pointer(const PointerEvent& event, const AppState& state, Box box) override;
    std::vector<Hotspot> hotspots() const override;
    Command level(const AppState&, Box, bool in) override { return in ? into_block() : Command{}; }
    Box shown() const override { return shown_.shown; }
    std::vector<std::string> story(const AppState& state, const scene::Target& target) const override;

private:
    static Command into_block() { return {.action = Action::kView, .text = "tree"}; }
    std::shared_ptr<const study::RunFacts> facts_;  // kept, so that its address is not used again
    study::Grid grid_;                              // of them
    Cached<ViewKey> cache_;
    scene::GridScene shown_;  // its trail and groups; the scene is in the cache
};

}  // namespace warptree::panel
