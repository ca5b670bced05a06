// Stepping, playing, scrubbing, and what time does.
#include "app/state/session.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace warptree::state {
namespace {

constexpr double kStepSeconds = 0.6;  // a step's animation at speed 1
constexpr double kRestSeconds = 0.9;  // between two steps while playing, at speed 1

/// Shows the launch that the goal lies in, and of it the block to which what was on show leads.
void follow_launch(Session& app) {
    AppState& s = app.state;
    if (!s.subject || s.comparing() || s.subject->run().launches.size() == 1) return;
    const std::size_t launch = s.goal == 0 ? 0 : s.subject->run().place(s.goal - 1).launch;
    if (launch == s.subject->launch) return;
    if (launch < s.subject->launch) s.time = static_cast<double>(s.goal);
    auto subject =
        subject_of(app, {.of = s.subject, .launch = launch, .block = study::block_beside(*s.subject, launch)});
    if (!subject) return say(app, subject.error().message, true);
    s.subject = std::move(*subject);
    s.camera = {};
}

}  // namespace

void step_to(Session& app, std::size_t position, bool animated) {
    AppState& s = app.state;
    const auto [first, last] = s.bounds();
    s.goal = std::clamp(position, first, last);
    s.scrubbing = false;
    open_around(app, s.goal);
    const auto goal = static_cast<double>(s.goal);
    if (!animated || !s.animate) {
        s.time = goal;
    } else {
        s.time = std::clamp(s.time, static_cast<double>(s.previous_stop(s.goal)),  // only the last of several is seen
                            static_cast<double>(s.next_stop(s.goal)));
    }
    s.follow = true;
    follow_launch(app);
}

/// Who asks for a step within a repetition sees its steps.
void open_around(Session& app, std::size_t position) {
    AppState& s = app.state;
    if (!s.subject || position == 0 || s.row_of(position - 1).end == position) return;
    const auto& folds = s.subject->facts->folds;
    const auto fold = std::ranges::find(folds, s.row_of(position - 1));
    s.open_folds |= std::uint64_t{1} << (fold - folds.begin());
}

void fold(Session& app, double which) {
    AppState& s = app.state;
    if (!s.subject || s.comparing()) return;
    const auto& folds = s.subject->facts->folds;
    if (folds.empty()) return say(app, "No steps of this run repeat, so each has its row.", false);
    if (which >= static_cast<double>(folds.size())) return;
    const std::uint64_t all = study::kAllOpen >> (study::kMostFolds - folds.size());
    if (which >= 0) {
        s.open_folds ^= std::uint64_t{1} << static_cast<unsigned>(which);
    } else {
        s.open_folds = (s.open_folds & all) == all ? 0 : study::kAllOpen;
    }
    if (s.goal > 0 && s.goal < s.steps()) s.goal = s.row_of(s.goal - 1).end;  // not within one that was closed
    step_to(app, s.goal, false);
}

void go(Session& app, std::size_t position, bool animated) {
    app.state.transport.playing = false;
    step_to(app, position, animated);
}

void play_or_pause(Session& app) {
    app.state.transport.playing = !app.state.transport.playing && app.state.steps() > 0;
    app.state.rest = 0;
    if (app.state.transport.playing && app.state.goal == app.state.bounds().second) step_to(app, 0, false);
}

void scrub(Session& app, double time) {
    AppState& s = app.state;
    s.transport.playing = false;
    s.scrubbing = true;
    const auto [first, last] = s.bounds();
    s.time = std::clamp(time, static_cast<double>(first), static_cast<double>(last));
    s.goal = static_cast<std::size_t>(std::ceil(s.time - 1e-9));
    if (s.goal > 0) s.goal = s.row_of(s.goal - 1).end;
    if (!s.animate) s.time = static_cast<double>(s.goal);
    s.follow = true;
    follow_launch(app);
}

// Time

/// Between devices, grid and tree, and from camera to camera: at once where animation is off.
bool zoom(AppState& s, double seconds) {
    constexpr double kZoomSeconds = 0.4;
    const double by = s.animate ? seconds / kZoomSeconds : 1, depth = s.resting_depth();
    const bool moves = s.travel || s.depth != depth;
    s.depth = std::clamp(depth, s.depth - by, s.depth + by);
    if (!s.travel) return moves;
    AppState::Travel& way = *s.travel;
    way.done = std::min(1.0, way.done + by);
    const auto share = static_cast<float>(way.done * way.done * (3 - 2 * way.done));
    // The zoom grows evenly, and the pan with it, so that one point stays where it is.
    s.camera.zoom = way.from.zoom * std::pow(way.to.zoom / way.from.zoom, share);
    const float zoomed = way.to.zoom - way.from.zoom;
    const float pan = std::abs(zoomed) < 0.01f ? share : (s.camera.zoom - way.from.zoom) / zoomed;
    s.camera.pan = {way.from.pan.x + (way.to.pan.x - way.from.pan.x) * pan,
                    way.from.pan.y + (way.to.pan.y - way.from.pan.y) * pan};
    if (way.done >= 1) s.camera = scene::Camera(way.to), s.travel.reset();
    return true;
}

void travel(Session& app, const scene::Camera& to) {
    app.state.travel = AppState::Travel{app.state.camera, to, 0};
    app.state.follow = true;
    if (!app.state.animate) zoom(app.state, 1);
}

bool animated(const AppState& s) {
    return !s.scrubbing && (s.transport.playing || s.time != static_cast<double>(s.goal));
}

bool animate(Session& app, double seconds) {
    AppState& s = app.state;
    if (!animated(s)) return false;
    const double speed = std::max(0.05, static_cast<double>(s.transport.speed));
    const auto goal = static_cast<double>(s.goal);
    if (s.time != goal) {
        const auto under_way = static_cast<std::size_t>(s.time < goal ? std::floor(s.time) : std::ceil(s.time) - 1);
        const double move = seconds * speed / kStepSeconds * static_cast<double>(s.row_of(under_way).steps());
        s.time = s.time < goal ? std::min(goal, s.time + move) : std::max(goal, s.time - move);
        if (s.time == goal) s.rest = kRestSeconds / speed;
        return true;
    }
    s.rest -= seconds;  // playing, at rest between two steps
    if (s.rest > 0) return false;
    if (s.goal >= s.bounds().second) {
        s.transport.playing = false;
        return true;
    }
    attempt(app, [&app] { step_to(app, app.state.next_stop(app.state.goal), true); });
    s.rest = kRestSeconds / speed;
    return true;
}

}  // namespace warptree::state
