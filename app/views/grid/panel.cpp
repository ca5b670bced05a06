// The grid's panel.
#include "app/chrome/middle.hpp"
#include "app/views/grid/view.hpp"

namespace warptree::chrome {
namespace {

const Command kIntoBlock{.action = Action::kView, .text = "tree"},
    kToDevices{.action = Action::kView, .text = "network"};

/// A click on a block puts it on show, a second one, or the wheel, goes into its tree; the other way the wheel goes out
/// to the devices, where there are several.
class GridPanel final : public CachedPanel<> {
    Scene build(const Look& look) override {
        const AppState& s = look.state;
        if (facts_ != s.subject->facts) {
            facts_ = s.subject->facts;
            grid_ = study::grid(facts_->graph);
        }
        shown_ = scene::grid_view(*s.subject, grid_, s.playhead(), look.box, look.measure, look.hover);
        return std::move(shown_.scene);
    }
    std::vector<Command> pointer(const PointerEvent& event, const AppState& state, Box) override {
        using Kind = PointerEvent::Kind;
        const bool wheel = event.kind == Kind::kWheel;
        if (!wheel && event.kind != Kind::kPress && event.kind != Kind::kDoubleClick) return {};
        const Target hit = target(event.at);
        if (wheel && event.wheel <= 0) return of_devices(state) ? std::vector{kToDevices} : std::vector<Command>();
        if (hit.kind != Target::Kind::kBlock) return {};
        if (state.subject->launch == hit.state && state.subject->block == hit.index) return {kIntoBlock};
        std::vector<Command> commands = {
            {.action = Action::kShowBlock, .value = static_cast<double>(hit.index), .launch = hit.state}};
        // One whose rows are not there has to be run first.
        if (wheel && state.subject->run().launches[hit.state].holds(hit.index)) commands.push_back(kIntoBlock);
        return commands;
    }
    Command level(const AppState& state, Box, bool in) override {
        return in ? kIntoBlock : of_devices(state) ? kToDevices : Command{};
    }
    static bool of_devices(const AppState& state) { return state.subject->trace.launch.is_collective(); }
    Box shown() const override { return shown_.shown; }
    std::vector<std::string> story(const AppState& state, const Target& target) const override {
        const bool known = target.kind == Target::Kind::kBlock && target.state < shown_.grouped.size();
        return scene::grid_story(*state.subject, grid_, state.playhead(), target,
                                 known ? shown_.grouped[target.state] : 1);
    }

    std::shared_ptr<const study::RunFacts> facts_;  // kept, so that its address is not used again
    study::Grid grid_;                              // of them
    scene::GridScene shown_;                        // its groups; the scene is in the cache
};

}  // namespace

std::unique_ptr<Panel> grid_panel() {
    return std::make_unique<GridPanel>();
}

}  // namespace warptree::chrome
