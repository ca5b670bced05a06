// The panel of a scan's network, whose facts are found once a subject.
#include "app/panel/middle.hpp"
#include "app/scene/network_view.hpp"

namespace warptree::panel {
namespace {

class NetworkPanel final : public CachedPanel<> {
    Scene build(const Look& look) override {
        const AppState& s = look.state;
        if (!network_ || network_->subject != s.subject) network_.emplace(s.subject);
        return scene::network_view(*network_, s.playhead(), look.box, look.measure, look.hover);
    }
    std::vector<Command> pointer(const PointerEvent& event, const AppState&, Box) override {
        const Target hit = target(event.at);
        if (event.kind != PointerEvent::Kind::kPress || hit.kind != Target::Kind::kFold) return {};
        return {{.action = Action::kFold, .value = static_cast<double>(hit.index)}};
    }
    std::vector<std::string> story(const AppState& state, const Target& target) const override {
        return scene::network_story(*network_, state.playhead(), target);
    }

    std::optional<study::Network> network_;
};

}  // namespace

std::unique_ptr<Panel> network_panel() {
    return std::make_unique<NetworkPanel>();
}

}  // namespace warptree::panel
