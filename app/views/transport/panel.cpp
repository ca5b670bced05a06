// The transport's panel: buttons, and a timeline that a finger can be drawn along.
#include <cmath>
#include <tuple>

#include "app/chrome/panel.hpp"
#include "app/kit/rooms.hpp"
#include "app/state/announce.hpp"
#include "app/views/compare/view.hpp"
#include "app/views/tournament/facts.hpp"
#include "app/views/transport/view.hpp"

namespace warptree::chrome {
namespace {

constexpr float kStill = 4;  // units a finger may tremble and still mean a click

/// What the transport shows beside the view; the last is null of a single run.
using TransportLook = std::tuple<bool, float, float, bool, std::shared_ptr<const study::Comparison>>;

class TransportPanel final : public CachedPanel<TransportLook> {
    static scene::TransportState state_of(const Look& look) {
        scene::TransportState shown = look.state.transport;
        shown.text = look.text;
        shown.after = state::after_caption(look.state, look.state.playhead());
        shown.venues = look.state.view == scene::View::kTournament && study::is_tournament(*look.state.subject);
        return shown;
    }
    TransportLook more(const Look& look) override {
        const scene::TransportState shown = state_of(look);
        return {shown.playing, shown.speed, shown.text, shown.venues,
                look.state.comparing() ? look.state.comparison : nullptr};
    }
    Scene build(const Look& look) override {
        const AppState& s = look.state;
        return s.comparing() ? scene::compare_transport_view(*s.comparison, s.playhead(), state_of(look), look.box,
                                                             look.measure, look.hover)
                             : scene::transport_view(*s.subject, s.playhead(), state_of(look), look.box, look.measure,
                                                     look.hover);
    }
    std::vector<Command> pointer(const PointerEvent& event, const AppState& state, Box) override {
        using Kind = PointerEvent::Kind;
        switch (event.kind) {
            case Kind::kDoubleClick:  // two quick clicks are two clicks
            case Kind::kPress: {
                const scene::Track* line = track();
                if (line == nullptr || !line->box.contains(event.at)) return {};
                press_ = event.at;
                moved_ = false;
                const double at = line->between(event.at.x);
                return {{.action = Action::kGoTo,
                         .value =
                             static_cast<double>(state.next_stop(static_cast<std::size_t>(std::max(0.0, at - 1e-6))))}};
            }
            case Kind::kMove:
                if (!press_) return {};
                moved_ = moved_ || std::abs(event.at.x - press_->x) > kStill;
                if (!moved_ || track() == nullptr) return {};
                // Left of the timeline is before the first step.
                return {{.action = Action::kScrub, .value = track()->between(event.at.x)}};
            case Kind::kRelease:
            case Kind::kLeave: {
                const bool scrubbed = press_ && moved_;
                press_.reset();
                if (scrubbed) return {{.action = Action::kScrubEnd}};
                return {};
            }
            case Kind::kWheel:
                return {{.action = event.wheel > 0 ? Action::kBack : Action::kForward}};
        }
        return {};
    }
    bool dragging() const override { return press_.has_value(); }

    const scene::Track* track() const { return last().tracks.empty() ? nullptr : &last().tracks.front(); }

    std::optional<Vec> press_;
    bool moved_ = false;
};

}  // namespace

std::unique_ptr<Panel> transport_panel() {
    return std::make_unique<TransportPanel>();
}

}  // namespace warptree::chrome
