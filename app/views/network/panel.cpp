// The network's panel, the tiles' and the devices'.
#include "app/chrome/middle.hpp"
#include "app/views/devices/view.hpp"
#include "app/views/network/view.hpp"
#include "app/views/story/story.hpp"
#include "app/views/tiles/view.hpp"

namespace warptree::chrome {
namespace {

const Command kIntoGrid{.action = Action::kView, .text = "grid"};

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
        if (devices_) {
            scene::DevicesScene devices =
                scene::devices_view(*subject_, *devices_, s.playhead(), look.box, look.measure, look.hover);
            shown_ = devices.shown;
            return std::move(devices.scene);
        }
        return tiles_ ? scene::tiles_view(*subject_, *tiles_, s.playhead(), look.box, look.measure, look.hover)
                      : scene::network_view(*network_, s.playhead(), look.box, look.measure, look.hover);
    }
    /// Out of the devices the wheel goes into the grid: to the block of the device under it.
    std::vector<Command> pointer(const PointerEvent& event, const AppState& state, Box box) override {
        if (event.kind != PointerEvent::Kind::kWheel || !devices_) return CachedPanel::pointer(event, state, box);
        if (event.wheel <= 0) return {};
        const Target hit = scene::unpack(last().pick(event.at));
        if (hit.kind != Target::Kind::kBlock) return {kIntoGrid};
        return {{.action = Action::kShowBlock, .value = static_cast<double>(hit.index), .launch = hit.state},
                kIntoGrid};
    }
    Command level(const AppState& state, Box box, bool in) override {
        return devices_ && in ? kIntoGrid : CachedPanel::level(state, box, in);
    }
    Box shown() const override { return shown_; }
    std::vector<std::string> story(const AppState& state, const Target& target) const override {
        if (devices_) return scene::story(*subject_, state.playhead(), target);
        return tiles_ ? scene::tiles_story(*subject_, *tiles_, state.playhead(), target)
                      : scene::network_story(*network_, state.playhead(), target);
    }

    std::shared_ptr<const study::Subject> subject_;  // kept, so that its address is not used again
    std::optional<study::Tiles> tiles_;
    std::optional<study::Devices> devices_;
    Box shown_;
    std::optional<study::Network> network_;  // where there are none
};

}  // namespace

std::unique_ptr<Panel> network_panel() {
    return std::make_unique<NetworkPanel>();
}

}  // namespace warptree::chrome
