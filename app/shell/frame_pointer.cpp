// The pointer's way from a place in the window to commands, and the keyboard's among its controls.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "app/kit/target.hpp"
#include "app/shell/frame.hpp"

namespace warptree::shell {

using chrome::PointerEvent;
using scene::Box;
using scene::Vec;

void Frame::find_hover(Vec at, const AppState& state) {
    const auto before = std::tuple{area_, hover_, hot_, menu_hot_};
    at_ = at;
    area_ = Area::kNone;
    hover_ = {};
    hot_ = menu_hot_ = -1;
    const bool covered = state.saving || messages_.covers(inner(at)) || progress_.covers(inner(at));
    if (state.menu != Menu::kNone && menu_.box().contains(at)) {
        menu_hot_ = menu_.row_at(at);
    } else if (!state.help && !state.blank && !state.laser && !covered) {
        hot_ = control_at(at);
        const bool asked = question_.covers(inner(at));
        if (asked && hot_ < static_cast<int>(question_at_)) hot_ = -1;
        const auto look_in = [&](Area area, const Box& box, const chrome::Panel& one, Vec point) {
            if (!state.subject || asked || !box.contains(at)) return;
            area_ = area;
            hover_ = one.target(point);
        };
        look_in(Area::kListing, layout_.listing, *listing_, inner(at));
        look_in(Area::kMiddle, layout_.middle, *middle_, inner(at));
        look_in(Area::kCounters, layout_.counters, *counters_, inner(at));
        if (state.controls()) look_in(Area::kTransport, layout_.transport, *transport_, at);
    }
    if (!edge_held_)
        edge_ = hot_ < 0 && !state.lecture && state.subject && state.menu == Menu::kNone ? edge_at(at) : Edge::kNone;
    // A tooltip travels with the pointer, so moving over one thing is news as well.
    const bool tip = hot_ >= 0 || hover_.kind != scene::Target::Kind::kNone;
    stale_ = stale_ || tip || state.laser || before != std::tuple{area_, hover_, hot_, menu_hot_};
}

Frame::Edge Frame::edge_at(Vec at) const {
    const auto within = [](float v, float from, float to) { return v >= from && v < to; };
    const Box& m = layout_.middle;
    if (within(at.y, m.y, m.bottom())) {
        if (layout_.listing.w > 0 && within(at.x, layout_.listing.right(), m.x)) return Edge::kLeft;
        if (layout_.counters.w > 0 && within(at.x, m.right(), layout_.counters.x)) return Edge::kRight;
    }
    return within(at.y, m.bottom(), layout_.transport.y) ? Edge::kBottom : Edge::kNone;
}

Command Frame::drag_edge() const {
    const Box& inside = layout_.transport;  // as wide as what is divided
    const float half_gap = (layout_.counters.x - layout_.middle.right()) / 2;
    const auto [field, share] = edge_ == Edge::kLeft ? std::pair(Field::kLeft, (at_.x - half_gap - inside.x) / inside.w)
                                : edge_ == Edge::kRight
                                    ? std::pair(Field::kRight, (inside.right() - at_.x - half_gap) / inside.w)
                                    : std::pair(Field::kBottom, (layout_.transport.bottom() - at_.y - 8) / window_.h);
    return scene::set(field, std::clamp(share, 0.0f, 1.0f));
}

bool Frame::overlay_pointer(const PointerEvent& event, const AppState& state, std::vector<Command>& commands) {
    using Kind = PointerEvent::Kind;
    const bool press = event.kind == Kind::kPress || event.kind == Kind::kDoubleClick;
    if (state.blank || state.help) {
        if (press) commands.push_back(scene::turn(state.blank ? Field::kBlank : Field::kHelp));
        return true;
    }
    if (state.saving) return true;
    for (const chrome::Overlay* over : {&messages_, &progress_}) {
        if (!press || !over->covers(inner(event.at))) continue;
        if (const scene::Spot* spot = over->scene.spot(inner(event.at))) commands.push_back(spot->command);
        return true;
    }
    if (state.menu == Menu::kNone) return false;
    if (menu_.box().contains(event.at)) {
        const float notches = press ? 3 * menu_.notches_at(event.at) : event.kind == Kind::kWheel ? event.wheel : 0;
        if (notches != 0) {
            menu_.scroll(notches);
            stale_ = true;
        } else if (press) {
            if (auto chosen = menu_.choose(menu_.row_at(event.at))) {
                if (!stays_open(state.menu))
                    commands.push_back({.action = Action::kMenu, .menu = state.menu});  // closes it
                commands.push_back(std::move(*chosen));
            }
        }
        return true;
    }
    if (!press) return event.kind == Kind::kWheel;
    // A click elsewhere closes the menu; on another menu's button it goes on to open that.
    const bool on_menu = hot_ >= 0 && controls_[static_cast<std::size_t>(hot_)].command.action == Action::kMenu;
    if (on_menu) return false;
    commands.push_back({.action = Action::kMenu, .menu = state.menu});
    return true;
}

std::vector<Command> Frame::pointer(const PointerEvent& event, const AppState& state) {
    const bool moved = event.kind != PointerEvent::Kind::kLeave && event.at != at_;
    std::vector<Command> commands = route(event, state);
    if (state.lecture && moved && !state.laser) commands.insert(commands.begin(), {.action = Action::kPoint});
    return commands;
}

/// The spot's: a click, or a line that is drawn with the button held.
std::vector<Command> Frame::draw(const PointerEvent& event) {
    using Kind = PointerEvent::Kind;
    constexpr float kApart = 4, kLeast = 12;  // points of a line; its length
    const Box picture = inner(layout_.middle);
    const Vec at = inner(event.at);
    if (event.kind == Kind::kLeave || picture_ == nullptr) return stroke_ = {}, std::vector<Command>();
    const auto far = [&](const scene::Stroke::Point& p, float least) {
        return std::hypot(at.x - picture.x - p.share.x * picture.w, at.y - picture.y - p.share.y * picture.h) >= least;
    };
    if (event.kind == Kind::kPress || event.kind == Kind::kDoubleClick) {
        if (picture.contains(at)) stroke_.points = {chrome::point_at(at, *picture_, picture)};
        return {};
    }
    if (stroke_.points.empty()) return {};
    if (event.kind == Kind::kMove && far(stroke_.points.back(), kApart))
        stroke_.points.push_back(chrome::point_at(at, *picture_, picture));
    if (event.kind != Kind::kRelease) return {};
    if (stroke_.points.size() <= kLeast / kApart && !far(stroke_.points.front(), kLeast))
        stroke_.points.resize(1);  // a hand that trembles
    Command mark{.action = Action::kMark};
    mark.stroke = std::exchange(stroke_, {});
    return {std::move(mark)};
}

std::vector<Command> Frame::route(const PointerEvent& event, const AppState& state) {
    using Kind = PointerEvent::Kind;
    std::vector<Command> commands;
    find_hover(event.kind == Kind::kLeave ? Vec{-1, -1} : event.at, state);
    if (state.laser) return draw(event);
    stroke_ = {};
    const Box picture = inner(layout_.middle);
    if (middle_ && middle_->dragging()) return middle_->pointer(inner(event), state, picture);
    if (transport_->dragging()) return transport_->pointer(event, state, {});
    if (edge_held_) {
        if (event.kind == Kind::kRelease || event.kind == Kind::kLeave) edge_held_ = false;
        return {drag_edge()};
    }
    if (overlay_pointer(event, state, commands)) return commands;
    if (event.kind == Kind::kWheel && event.control) {
        return {scene::turn(Field::kScale, event.wheel > 0 ? 1 : -1)};
    }
    const bool press = event.kind == Kind::kPress || event.kind == Kind::kDoubleClick;
    if (edge_ != Edge::kNone && event.kind == Kind::kDoubleClick) {
        return {scene::turn(Field::kLeft, 0), scene::turn(Field::kRight, 0), scene::turn(Field::kBottom, 0)};
    }
    if (edge_ != Edge::kNone && press) {
        edge_held_ = true;
        return commands;
    }
    if (press && hot_ >= 0) {
        const auto hot = static_cast<std::size_t>(hot_);
        if (hot >= middle_at_ && hot < middle_end_) {  // a slider's stop: from here on it is dragged
            commands = middle_->pointer(inner(event), state, picture);
            if (middle_->dragging()) return commands;
        }
        if (controls_[hot].command.action == Action::kMenu) menu_asked_at_ = event.at;
        return {controls_[hot].command};
    }
    if (area_ == Area::kMiddle && state.is_between()) return commands;  // on the way
    if (area_ == Area::kMiddle) return middle_->pointer(inner(event), state, picture);
    if (area_ == Area::kTransport) return transport_->pointer(event, state, {});
    return commands;
}

Command Frame::resolve(const Command& command, const AppState& state) const {
    const int count = static_cast<int>(controls_.size());
    if (state.saving) return command;
    if (command.action == Action::kFocusNext || command.action == Action::kFocusPrevious) {
        const int by = command.action == Action::kFocusNext ? 1 : count - 1;
        int at = state.focus >= 0 && state.focus < count ? state.focus : by == 1 ? count - 1 : 0;
        for (int i = 0; i < count; ++i) {
            at = (at + by) % count;
            if (controls_[static_cast<std::size_t>(at)].reach != scene::Reach::kPointer)
                return {.action = Action::kFocus, .value = static_cast<double>(at)};
        }
        return {};
    }
    if (command.action == Action::kActivate && state.menu == Menu::kNone) {
        // With nothing focused, Enter goes a level further in.
        if (state.focus < 0 && state.subject) return middle_->level(state, inner(layout_.middle), true);
        if (state.focus < 0 || state.focus >= count) return {};
        return controls_[static_cast<std::size_t>(state.focus)].command;
    }
    if (command.action == Action::kOut)
        return state.menu == Menu::kNone && state.subject ? middle_->level(state, inner(layout_.middle), false)
                                                          : Command{};
    return command;
}

}  // namespace warptree::shell
