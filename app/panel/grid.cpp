// The grid's panel.
#include "app/panel/grid.hpp"

namespace warptree::panel {

using scene::Target;

const Scene& GridPanel::scene(const Look& look) {
    const auto& facts = look.state.subject->facts;
    if (facts_ != facts) {
        facts_ = facts;
        grid_ = study::grid(facts->graph);
    }
    return cache_.get(view_key(look), [&] {
        shown_ =
            scene::grid_view(*look.state.subject, grid_, look.state.playhead(), look.box, look.measure, look.hover);
        return std::move(shown_.scene);
    });
}

std::vector<Command> GridPanel::pointer(const PointerEvent& event, const AppState& state, Box) {
    using Kind = PointerEvent::Kind;
    const bool wheel = event.kind == Kind::kWheel;
    if (!wheel && event.kind != Kind::kPress && event.kind != Kind::kDoubleClick) return {};
    const Target hit = target(event.at);
    if (hit.kind != Target::Kind::kBlock || (wheel && event.wheel <= 0)) return {};
    if (state.subject->launch == hit.state && state.subject->block == hit.index) return {into_block()};
    std::vector<Command> commands = {
        {.action = Action::kShowBlock, .value = static_cast<double>(hit.index), .launch = hit.state}};
    // One whose rows are not there has to be run first.
    if (wheel && state.subject->run().launches[hit.state].holds(hit.index)) commands.push_back(into_block());
    return commands;
}

std::vector<Hotspot> GridPanel::hotspots() const {
    if (shown_.trail.w <= 0) return {};
    return {{shown_.trail, into_block(), "The tree of the block on show (Enter)", 6}};
}

std::vector<std::string> GridPanel::story(const AppState& state, const Target& target) const {
    const bool known = target.kind == Target::Kind::kBlock && target.state < shown_.grouped.size();
    return scene::grid_story(*state.subject, grid_, state.playhead(), target, known ? shown_.grouped[target.state] : 1);
}

}  // namespace warptree::panel
