// The network's panel, the tiles' and the devices'.
#include "app/chrome/middle.hpp"
#include "app/views/devices/view.hpp"
#include "app/views/network/view.hpp"
#include "app/views/story/story.hpp"
#include "app/views/tiles/view.hpp"

namespace warptree::chrome {
namespace {

/// The network of a scan, the tiles of a look-back, or the devices of a collective. Its facts are found once a subject.
class NetworkPanel final : public CachedPanel<> {
    Scene build(const Look& look) override {
        const AppState& s = look.state;
        if (subject_ != s.subject) {
            subject_ = s.subject;
            tiles_ = study::tiles_of(*subject_);
            network_.reset(), devices_.reset();
            if (subject_->trace.launch.is_collective())
                devices_ = study::devices_of(subject_->facts->graph);
            else if (!tiles_)
                network_.emplace(subject_);
        }
        if (devices_) return scene::devices_view(*subject_, *devices_, s.playhead(), look.box, look.measure);
        return tiles_ ? scene::tiles_view(*subject_, *tiles_, s.playhead(), look.box, look.measure, look.hover)
                      : scene::network_view(*network_, s.playhead(), look.box, look.measure, look.hover);
    }
    std::vector<std::string> story(const AppState& state, const Target& target) const override {
        if (devices_) return scene::story(*subject_, state.playhead(), target);
        return tiles_ ? scene::tiles_story(*subject_, *tiles_, state.playhead(), target)
                      : scene::network_story(*network_, state.playhead(), target);
    }

    std::shared_ptr<const study::Subject> subject_;  // kept, so that its address is not used again
    std::optional<study::Tiles> tiles_;
    std::optional<study::Devices> devices_;
    std::optional<study::Network> network_;  // where there are none
};

}  // namespace

std::unique_ptr<Panel> network_panel() {
    return std::make_unique<NetworkPanel>();
}

}  // namespace warptree::chrome
