// The memory's panel.
#include "app/panel/memory.hpp"

namespace warptree::panel {

using scene::Target;

const Scene& MemoryPanel::scene(const Look& look) {
    const Key key{view_key(look), choice_};
    return cache_.get(key, [&] {
        return scene::memory_view(*key.view.subject, key.view.at, key.choice, key.view.box, look.measure,
                                  key.view.hover);
    });
}

std::vector<Command> MemoryPanel::pointer(const PointerEvent& event, const AppState& state, Box) {
    if (event.kind != PointerEvent::Kind::kPress || !state.subject) return {};
    const Target hit = target(event.at);
    if (hit.kind != Target::Kind::kAccess) return {};
    const scene::MemoryChoice choice = scene::choice_of(*state.subject, state.playhead(), hit);
    choice_ = choice == choice_ ? scene::MemoryChoice{} : choice;
    return {};
}

std::vector<std::string> MemoryPanel::story(const AppState& state, const Target& target) const {
    if (target.kind == Target::Kind::kAccess) return scene::access_story(*state.subject, state.playhead(), target);
    return scene::story(*state.subject, state.playhead(), target);
}

}  // namespace warptree::panel
