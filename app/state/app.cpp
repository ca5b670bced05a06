// The app itself: starting, stepping, playing, scrubbing, and time. Choices of what is shown are in app_choice.cpp,
// looks and handling in app_look.cpp.
#include "app/state/app.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace warptree::state {
namespace {

constexpr double kStepSeconds = 0.6;  // a step's animation at speed 1
constexpr double kRestSeconds = 0.9;  // between two steps while playing, at speed 1

std::size_t nearest_speed(double speed) {
    const auto* best =
        std::ranges::min_element(kSpeeds, {}, [speed](double s) { return std::abs(std::log(s / speed)); });
    return static_cast<std::size_t>(best - std::begin(kSpeeds));
}

}  // namespace

void App::start() {
    if (state_.subject) return;
    if (!state_.file.empty()) open(std::string(std::exchange(state_.file, {})));
    const std::vector<Message> said = state_.messages;  // why the file is not on show
    if (!state_.subject) request(state_.request);
    if (!state_.subject) request(kernels::Request{.kernel = "pmpp-simple", .n = 16, .warp_size = 4});
    if (state_.first_shown > 0)
        show_block({.action = Action::kShowBlock, .value = static_cast<double>(state_.first_shown)});
    for (const Message& message : said) say(message.text, message.error);
    undo_.clear();
}

/// Gets what the view shows beside its subject.
void App::show_all() {
    update_comparison();
    update_studies();
}

void App::say(std::string text, bool error, bool sticky) {
    std::erase_if(state_.messages, [&](const Message& m) { return !m.sticky || m.text == text; });
    state_.messages.push_back({std::move(text), error, sticky});
}

void App::apply(const Command& command) {
    if (command.action == Action::kCancel) return cancel();
    attempt([this, command] {
        const auto before = std::pair(state_.view, state_.subject);
        apply_replay(command) || apply_choice(command) || apply_compare(command) || apply_look(command) ||
            (apply_handling(command), true);
        const bool on_its_way = showing_ && before == std::pair(state_.view, state_.subject);
        if (!on_its_way) show_all();
    });
}

// Replay

void App::step_to(std::size_t position, bool animated) {
    AppState& s = state_;
    s.goal = std::min(position, s.steps());
    s.scrubbing = false;
    const auto goal = static_cast<double>(s.goal);
    if (!animated || !s.animate) {
        s.time = goal;
    } else {
        s.time = std::clamp(s.time, goal - 1, goal + 1);  // only the last step of several is seen to move
    }
    s.follow = true;
    follow_launch();
}

/// Shows the launch that the goal lies in, and of it the block to which what was on show leads.
void App::follow_launch() {
    AppState& s = state_;
    if (!s.subject || s.comparing() || s.subject->run().launches.size() == 1) return;
    const std::size_t launch = s.goal == 0 ? 0 : s.subject->run().place(s.goal - 1).launch;
    if (launch == s.subject->launch) return;
    if (launch < s.subject->launch) s.time = static_cast<double>(s.goal);
    auto subject = subject_of({.of = s.subject, .launch = launch, .block = study::block_beside(*s.subject, launch)});
    if (!subject) return say(subject.error().message, true);
    s.subject = std::move(*subject);
    s.camera = {};
}

bool App::apply_replay(const Command& command) {
    const std::size_t at = state_.goal;
    const auto go = [&](std::size_t position, bool animated) {
        state_.transport.playing = false;
        step_to(position, animated);
        return true;
    };
    switch (command.action) {
        case Action::kForward:
            return go(at + 1, true);
        case Action::kBack:
            return go(at - std::min<std::size_t>(at, 1), true);
        case Action::kForwardPhase:
            return go(next_phase(state_, at), true);
        case Action::kBackPhase:
            return go(previous_phase(state_, at), true);
        case Action::kFirst:
            return go(0, false);
        case Action::kLast:
            return go(state_.steps(), false);
        case Action::kGoTo:
            return go(static_cast<std::size_t>(std::max(0.0, command.value)), false);
        case Action::kPlayPause:
            state_.transport.playing = !state_.transport.playing && state_.steps() > 0;
            state_.rest = 0;
            if (state_.transport.playing && at == state_.steps()) step_to(0, false);
            return true;
        case Action::kScrub:
            scrub(command.value);
            return true;
        case Action::kScrubEnd:
            if (state_.scrubbing) step_to(at, true);
            return true;
        default:
            return apply_speed(command.action);
    }
}

void App::scrub(double time) {
    AppState& s = state_;
    s.transport.playing = false;
    s.scrubbing = true;
    s.time = std::clamp(time, 0.0, static_cast<double>(s.steps()));
    s.goal = static_cast<std::size_t>(std::ceil(s.time - 1e-9));
    if (!s.animate) s.time = static_cast<double>(s.goal);
    s.follow = true;
    follow_launch();
}

bool App::apply_speed(Action action) {
    const std::size_t at = nearest_speed(state_.transport.speed), count = std::size(kSpeeds);
    std::size_t to = at;
    if (action == Action::kSlower) {
        to = at - std::min<std::size_t>(at, 1);
    } else if (action == Action::kFaster) {
        to = std::min(at + 1, count - 1);
    } else if (action == Action::kNextSpeed) {
        to = (at + 1) % count;
    } else {
        return false;
    }
    state_.transport.speed = static_cast<float>(kSpeeds[to]);
    return true;
}

// Time

bool App::moving() const {
    return job_ || animated();
}

bool App::update(double seconds) {
    const bool news = job_ && follow_job(seconds);
    return animate(seconds) || news;
}

bool App::animated() const {
    return !state_.scrubbing && (state_.transport.playing || state_.time != static_cast<double>(state_.goal));
}

bool App::animate(double seconds) {
    AppState& s = state_;
    if (!animated()) return false;
    const double speed = std::max(0.05, static_cast<double>(s.transport.speed));
    const auto goal = static_cast<double>(s.goal);
    if (s.time != goal) {
        const double move = seconds * speed / kStepSeconds;
        s.time = s.time < goal ? std::min(goal, s.time + move) : std::max(goal, s.time - move);
        if (s.time == goal) s.rest = kRestSeconds / speed;
        return true;
    }
    s.rest -= seconds;  // playing, at rest between two steps
    if (s.rest > 0) return false;
    if (s.goal >= s.steps()) {
        s.transport.playing = false;
        return true;
    }
    attempt([this] { step_to(state_.goal + 1, true); });
    s.rest = kRestSeconds / speed;
    return true;
}

}  // namespace warptree::state
