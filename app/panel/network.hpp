// The panel of a scan's network, whose facts are found once a subject.
#pragma once

#include "app/panel/middle.hpp"
#include "app/scene/network_view.hpp"

namespace warptree::panel {

class NetworkPanel final : public MiddlePanel {
public:
    const Scene& scene(const Look& look) override {
        const ViewKey key = view_key(look);
        if (!network_ || network_->subject != key.subject) network_.emplace(key.subject);
        return cache_.get(key,
                          [&] { return scene::network_view(*network_, key.at, key.box, look.measure, key.hover); });
    }
    scene::Target target(Vec point) const override { return target_at(cache_.last(), point); }
    std::vector<Command> pointer(const PointerEvent& event, const AppState&, Box) override {
        const scene::Target hit = target(event.at);
        if (event.kind != PointerEvent::Kind::kPress || hit.kind != scene::Target::Kind::kFold) return {};
        return {{.action = Action::kFold, .value = static_cast<double>(hit.index)}};
    }
    std::vector<std::string> story(const AppState& state, const scene::Target& target) const override {
        return scene::network_story(*network_, state.playhead(), target);
    }

private:
    std::optional<study::Network> network_;
    Cached<ViewKey> cache_;
};

}  // namespace warptree::panel
