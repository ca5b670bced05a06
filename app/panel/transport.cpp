// The transport's panel: buttons, and a strip of steps that a finger can be drawn over. Where these are is read from
// the scene, by their ids.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "app/panel/panel.hpp"
#include "app/state/announce.hpp"
#include "app/study/tournament.hpp"

namespace warptree::panel {
namespace {

constexpr float kStill = 4;  // units a finger may tremble and still mean a click

struct TransportButton {
    Control control;
    Action action;
    const char* purpose;
};
constexpr TransportButton kTransportButtons[] = {
    {Control::kFirst, Action::kFirst, "Before the first step (Home)"},
    {Control::kBack, Action::kBack, "One step back (←)"},
    {Control::kPlay, Action::kPlayPause, "Play or pause (P)"},
    {Control::kForward, Action::kForward, "One step forward (→)"},
    {Control::kLast, Action::kLast, "After the last step (End)"},
    {Control::kSpeed, Action::kNextSpeed, "Speed of the animation ([ and ])"}};
static_assert(kTransportButtons[static_cast<std::size_t>(Control::kSpeed)].control == Control::kSpeed,
              "in the order of Control");

Box around(const Box& a, const Box& b) {
    const float x = std::min(a.x, b.x), y = std::min(a.y, b.y);
    return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

/// What the strip shows beside the view; the last is null of a single run.
using StripLook = std::tuple<bool, float, float, bool, std::shared_ptr<const study::Comparison>>;

class TransportPanel final : public CachedPanel<StripLook> {
    static scene::TransportState state_of(const Look& look) {
        scene::TransportState shown = look.state.transport;
        shown.text = look.text;
        shown.after = state::after_caption(look.state, look.state.playhead());
        shown.venues = look.state.view == scene::View::kTournament && study::is_tournament(*look.state.subject);
        return shown;
    }
    StripLook more(const Look& look) override {
        const scene::TransportState shown = state_of(look);
        return {shown.playing, shown.speed, shown.text, shown.venues,
                look.state.comparing() ? look.state.comparison : nullptr};
    }
    Scene build(const Look& look) override {
        const AppState& s = look.state;
        Scene scene = s.comparing() ? scene::compare_transport_view(*s.comparison, s.playhead(), state_of(look),
                                                                    look.box, look.measure, look.hover)
                                    : scene::transport_view(*s.subject, s.playhead(), state_of(look), look.box,
                                                            look.measure, look.hover);
        find_parts(scene);
        return scene;
    }
    void find_parts(const Scene& scene) {
        std::map<std::uint32_t, Box> controls;
        std::map<std::size_t, Box> bars;
        const auto add = [](auto& parts, auto key, const Box& box) {
            const auto [at, is_new] = parts.try_emplace(key, box);
            if (!is_new) at->second = around(at->second, box);
        };
        each_target(scene, [&](const Target& target, const Box& box, float) {
            if (target.kind == Target::Kind::kControl) add(controls, target.index, box);
            if (target.kind == Target::Kind::kStepBar) add(bars, std::size_t{target.state}, box);
        });
        for (const auto& [index, box] : controls)
            spots_.push_back(
                {box, {.action = kTransportButtons[index].action}, kTransportButtons[index].purpose, box.h / 2});
        bars_.assign(bars.begin(), bars.end());
    }

    double position_at(float x, std::size_t steps) const {
        for (std::size_t i = 0; i < bars_.size(); ++i) {
            const auto& [first, box] = bars_[i];
            const bool last = i + 1 == bars_.size();
            if (!last && x >= bars_[i + 1].second.x) continue;
            const std::size_t stop = last ? steps : bars_[i + 1].first;
            const double share = std::clamp(static_cast<double>((x - box.x) / std::max(1.0f, box.w)), 0.0, 1.0);
            return static_cast<double>(first) + share * static_cast<double>(stop - first);
        }
        return 0;
    }
    std::vector<Command> pointer(const PointerEvent& event, const AppState& state, Box) override {
        using Kind = PointerEvent::Kind;
        switch (event.kind) {
            case Kind::kDoubleClick:  // two quick clicks are two clicks
            case Kind::kPress: {
                const Target target = this->target(event.at);
                if (target.kind == Target::Kind::kControl) return {{.action = kTransportButtons[target.index].action}};
                if (target.kind != Target::Kind::kStepBar) return {};
                press_ = event.at;
                moved_ = false;
                return {{.action = Action::kGoTo,
                         .value = static_cast<double>(state.next_stop(
                             static_cast<std::size_t>(std::max(0.0, position_at(event.at.x, state.steps()) - 1e-6))))}};
            }
            case Kind::kMove:
                if (!press_) return {};
                moved_ = moved_ || std::abs(event.at.x - press_->x) > kStill;
                if (!moved_) return {};
                // Left of the strip is before the first step.
                return {{.action = Action::kScrub, .value = position_at(event.at.x, state.steps())}};
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

    std::vector<std::pair<std::size_t, Box>> bars_;  // from left to right, each with its first step
    std::optional<Vec> press_;
    bool moved_ = false;
};

}  // namespace

std::unique_ptr<Panel> transport_panel() {
    return std::make_unique<TransportPanel>();
}

}  // namespace warptree::panel
