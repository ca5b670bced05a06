// The memory's panel.
#include "app/chrome/middle.hpp"
#include "app/views/memory/view.hpp"

namespace warptree::chrome {
namespace {

/// A click on a bar shows that access, and keeps to it from step to step; a second click lets go.
class MemoryPanel final : public CachedPanel<scene::MemoryChoice> {
    scene::MemoryChoice more(const Look& look) override { return look.state.access; }
    Scene build(const Look& look) override {
        const AppState& s = look.state;
        return scene::memory_view(*s.subject, s.playhead(), s.access, look.box, look.measure, look.hover);
    }
    std::vector<Command> pointer(const PointerEvent& event, const AppState& state, Box) override {
        const Target hit = target(event.at);
        if (event.kind != PointerEvent::Kind::kPress || hit.kind != Target::Kind::kAccess || !state.subject) return {};
        const scene::MemoryChoice choice = scene::choice_of(*state.subject, state.playhead(), hit);
        return {scene::set(Field::kAccess, scene::text_of(choice == state.access ? scene::MemoryChoice{} : choice))};
    }
    std::vector<std::string> story(const AppState& state, const Target& target) const override {
        if (target.kind != Target::Kind::kAccess) return Panel::story(state, target);
        return scene::access_story(*state.subject, state.playhead(), target);
    }
};

}  // namespace

std::unique_ptr<Panel> memory_panel() {
    return std::make_unique<MemoryPanel>();
}

}  // namespace warptree::chrome
