// The panel of a scan: its network, or the tiles of a look-back. Its facts are found once a subject.
#pragma once

#include "app/panel/middle.hpp"
#include "app/scene/network_view.hpp"
#include "app/scene/tiles_view.hpp"

namespace warptree::panel {

class NetworkPanel final : public MiddlePanel {
public:
    const Scene& scene(const Look& look) override {
        const ViewKey key = view_key(look);
        if (subject_ != key.subject) {
            subject_ = key.subject;
            tiles_ = study::tiles_of(*subject_);
            network_.reset();
            if (!tiles_) network_.emplace(subject_);
        }
        return cache_.get(key, [&] {
            return tiles_ ? scene::tiles_view(*subject_, *tiles_, key.at, key.box, look.measure, key.hover)
                          : scene::network_view(*network_, key.at, key.box, look.measure, key.hover);
        });
    }
    scene::Target target(Vec point) const override { return target_at(cache_.last(), point); }
    std::vector<Command> pointer(const PointerEvent& event, const AppState&, Box) override {
        const scene::Target hit = target(event.at);
        if (event.kind != PointerEvent::Kind::kPress) return {};
        if (hit.kind == scene::Target::Kind::kBlock)
            return {{.action = Action::kShowBlock, .value = static_cast<double>(hit.index), .launch = hit.state}};
        if (hit.kind != scene::Target::Kind::kFold) return {};
        return {{.action = Action::kFold, .value = static_cast<double>(hit.index)}};
    }
    std::vector<std::string> story(const AppState& state, const scene::Target& target) const override {
        return tiles_ ? scene::tiles_story(*subject_, *tiles_, state.playhead(), target)
                      : scene::network_story(*network_, state.playhead(), target);
    }

private:
    std::shared_ptr<const study::Subject> subject_;
    std::optional<study::Tiles> tiles_;
    std::optional<study::Network> network_;  // where there are none
    Cached<ViewKey> cache_;
};

}  // namespace warptree::panel
