// The memory's panel.
#include "app/chrome/middle.hpp"
#include "app/views/memory/view.hpp"

namespace warptree::panel {
namespace {

/// A click on a bar shows that access, and keeps to it from step to step; a second click lets go.
class MemoryPanel final : public CachedPanel<scene::MemoryChoice> {
    scene::MemoryChoice more(const Look&) override { return choice_; }
    Scene build(const Look& look) override {
        const AppState& s = look.state;
        return scene::memory_view(*s.subject, s.playhead(), choice_, look.box, look.measure, look.hover);
    }
    std::vector<Command> pointer(const PointerEvent& event, const AppState& state, Box) override {
        const Target hit = target(event.at);
        if (event.kind != PointerEvent::Kind::kPress || hit.kind != Target::Kind::kAccess || !state.subject) return {};
        const scene::MemoryChoice choice = scene::choice_of(*state.subject, state.playhead(), hit);
        choice_ = choice == choice_ ? scene::MemoryChoice{} : choice;
        return {};
    }
    std::vector<std::string> story(const AppState& state, const Target& target) const override {
        if (target.kind != Target::Kind::kAccess) return Panel::story(state, target);
        return scene::access_story(*state.subject, state.playhead(), target);
    }

    scene::MemoryChoice choice_;
};

}  // namespace

std::unique_ptr<Panel> memory_panel() {
    return std::make_unique<MemoryPanel>();
}

}  // namespace warptree::panel
