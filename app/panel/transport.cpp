// The transport's panel. Where its buttons and bars are is read from the scene, by their ids.
#include "app/panel/transport.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/study/tournament.hpp"

namespace warptree::panel {
namespace {

constexpr float kStill = 4;  // units a finger may tremble and still mean a click

Command command_of(scene::Control control) {
    switch (control) {
        case scene::Control::kFirst:
            return {.action = Action::kFirst};
        case scene::Control::kBack:
            return {.action = Action::kBack};
        case scene::Control::kPlay:
            return {.action = Action::kPlayPause};
        case scene::Control::kForward:
            return {.action = Action::kForward};
        case scene::Control::kLast:
            return {.action = Action::kLast};
        case scene::Control::kSpeed:
            return {.action = Action::kNextSpeed};
        default:
            break;
    }
    return {};
}

std::string purpose_of(scene::Control control) {
    switch (control) {
        case scene::Control::kFirst:
            return "Before the first step (Home)";
        case scene::Control::kBack:
            return "One step back (←)";
        case scene::Control::kPlay:
            return "Play or pause (P)";
        case scene::Control::kForward:
            return "One step forward (→)";
        case scene::Control::kLast:
            return "After the last step (End)";
        case scene::Control::kSpeed:
            return "Speed of the animation ([ and ])";
        default:
            break;
    }
    return {};
}

/// The extent of a shape that can be clicked.
std::optional<std::pair<scene::Id, Box>> extent(const scene::Shape& shape) {
    if (const auto* rect = std::get_if<scene::Rect>(&shape)) return std::pair{rect->id, rect->box};
    if (const auto* disc = std::get_if<scene::Disc>(&shape)) {
        const float r = disc->radius;
        return std::pair{disc->id, Box{disc->centre.x - r, disc->centre.y - r, 2 * r, 2 * r}};
    }
    return std::nullopt;
}

Box around(const Box& a, const Box& b) {
    const float x = std::min(a.x, b.x), y = std::min(a.y, b.y);
    return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

}  // namespace

const Scene& TransportPanel::scene(const Look& look) {
    scene::TransportState shown = look.state.transport;
    shown.text = look.text;
    shown.venues = look.state.view == scene::View::kTournament && study::is_tournament(*look.state.subject);
    const Key key{view_key(look), shown.playing, shown.speed,
                  shown.text,     shown.venues,  look.state.comparing() ? look.state.comparison : nullptr};
    const Scene& scene = cache_.get(key, [&] {
        if (key.comparison)
            return scene::compare_transport_view(*key.comparison, key.view.at, shown, key.view.box, look.measure,
                                                 key.view.hover);
        return scene::transport_view(*key.view.subject, key.view.at, shown, key.view.box, look.measure, key.view.hover);
    });
    if (seen_builds_ != cache_.builds()) {
        seen_builds_ = cache_.builds();
        find_parts();
    }
    return scene;
}

void TransportPanel::find_parts() {
    std::map<std::uint32_t, Box> controls;
    std::map<std::size_t, Box> bars;
    const auto add = [](auto& parts, auto key, const Box& box) {
        const auto [at, is_new] = parts.try_emplace(key, box);
        if (!is_new) at->second = around(at->second, box);
    };
    for (const scene::Shape& shape : cache_.last().shapes) {
        const auto part = extent(shape);
        if (!part || part->first == 0) continue;
        const scene::Target target = scene::unpack(part->first);
        if (target.kind == scene::Target::Kind::kControl) add(controls, target.index, part->second);
        if (target.kind == scene::Target::Kind::kStepBar) add(bars, std::size_t{target.state}, part->second);
    }
    hotspots_.clear();
    for (const auto& [index, box] : controls) {
        const auto control = static_cast<scene::Control>(index);
        hotspots_.push_back({box, command_of(control), purpose_of(control), box.h / 2});
    }
    bars_.clear();
    for (const auto& [first, box] : bars) bars_.push_back({first, box});
}

double TransportPanel::position_at(float x, std::size_t steps) const {
    for (std::size_t i = 0; i < bars_.size(); ++i) {
        const Bar& bar = bars_[i];
        const bool last = i + 1 == bars_.size();
        const float end = last ? bar.box.right() : bars_[i + 1].box.x;
        if (x >= end && !last) continue;
        const std::size_t stop = last ? steps : bars_[i + 1].first;
        const double share = std::clamp(static_cast<double>((x - bar.box.x) / std::max(1.0f, bar.box.w)), 0.0, 1.0);
        return static_cast<double>(bar.first) + share * static_cast<double>(stop - bar.first);
    }
    return 0;
}

std::vector<Command> TransportPanel::pointer(const PointerEvent& event, const AppState& state) {
    using Kind = PointerEvent::Kind;
    switch (event.kind) {
        case Kind::kDoubleClick:  // two quick clicks are two clicks
        case Kind::kPress: {
            const scene::Target target = target_at(cache_.last(), event.at);
            if (target.kind == scene::Target::Kind::kControl)
                return {command_of(static_cast<scene::Control>(target.index))};
            if (target.kind != scene::Target::Kind::kStepBar) return {};
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

}  // namespace warptree::panel
