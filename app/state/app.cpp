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

constexpr double kPointingSeconds = 3;

/// What shows the end of a kernel differently, but is about the same.
bool keeps_card(Action action) {
    static constexpr Action kLooks[] = {Action::kNext,    Action::kPrevious, Action::kLecture, Action::kLaser,
                                        Action::kSpeaker, Action::kSet,      Action::kTurn};
    return std::ranges::find(kLooks, action) != std::end(kLooks);
}

double depth_of(scene::View view) {
    return view == scene::View::kGrid ? 0 : 1;
}

}  // namespace

void App::start() {
    if (state_.subject) return void(state_.depth = depth_of(state_.view));
    LessonPlace& place = state_.lesson;
    if (const std::size_t goal = state_.goal; !place.source.empty() && !place.lesson) {
        if (const auto stood = stand_in_lesson(state_, place.source, place.scene); !stood)
            say(stood.error().message, true);
        state_.goal = goal;
    }
    state_.depth = depth_of(state_.view);
    if (!state_.file.empty()) open(std::string(std::exchange(state_.file, {})));
    const std::vector<Message> said = state_.messages;  // why the file is not on show
    if (!state_.subject) request(state_.request);
    if (!state_.subject) request(kernels::Request{.kernel = "pmpp-simple", .n = 16, .warp_size = 4});
    if (state_.first_shown > 0)
        show_block({.action = Action::kShowBlock, .value = static_cast<double>(state_.first_shown)});
    resume_lesson();
    for (const Message& message : said) say(message.text, message.error);
    choices_ = {};
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
    if (command.action == Action::kPoint) return void(state_.pointing = kPointingSeconds);
    if (command.action == Action::kClock)
        return void(state_.clock = command.text), void(state_.minutes = static_cast<int>(command.value));
    if (command.action == Action::kMonitors)
        return set_monitors(static_cast<std::size_t>(std::max(1.0, command.value)));
    state_.greeted = true;
    attempt([this, command] {
        const auto before = std::pair(state_.view, state_.subject);
        state_.card = state_.card && keeps_card(command.action);
        apply_saving(command) || apply_lesson(command) || apply_rungs(command) || apply_ladder(command) ||
            apply_replay(command) || apply_choice(command) || apply_compare(command) || apply_look(command);
        const bool on_its_way = showing_ && before == std::pair(state_.view, state_.subject);
        if (!on_its_way) show_all();
        if (!state_.scrubbing) open_around(state_.goal);
        leave_if_strayed();
    });
}

// Replay

void App::step_to(std::size_t position, bool animated) {
    AppState& s = state_;
    const auto [first, last] = s.bounds();
    s.goal = std::clamp(position, first, last);
    s.scrubbing = false;
    open_around(s.goal);
    const auto goal = static_cast<double>(s.goal);
    if (!animated || !s.animate) {
        s.time = goal;
    } else {
        s.time = std::clamp(s.time, static_cast<double>(s.previous_stop(s.goal)),  // only the last of several is seen
                            static_cast<double>(s.next_stop(s.goal)));
    }
    s.follow = true;
    follow_launch();
}

/// Who asks for a step within a repetition sees its steps.
void App::open_around(std::size_t position) {
    AppState& s = state_;
    if (!s.subject || position == 0 || s.row_of(position - 1).end == position) return;
    const auto& folds = s.subject->facts->folds;
    const auto fold = std::ranges::find(folds, s.row_of(position - 1));
    s.open_folds |= std::uint64_t{1} << (fold - folds.begin());
}

void App::fold(double which) {
    AppState& s = state_;
    if (!s.subject || s.comparing()) return;
    const auto& folds = s.subject->facts->folds;
    if (folds.empty()) return say("No steps of this run repeat, so each has its row.", false);
    if (which >= static_cast<double>(folds.size())) return;
    const std::uint64_t all = study::kAllOpen >> (study::kMostFolds - folds.size());
    if (which >= 0) {
        s.open_folds ^= std::uint64_t{1} << static_cast<unsigned>(which);
    } else {
        s.open_folds = (s.open_folds & all) == all ? 0 : study::kAllOpen;
    }
    if (s.goal > 0 && s.goal < s.steps()) s.goal = s.row_of(s.goal - 1).end;  // not within one that was closed
    step_to(s.goal, false);
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

void App::go(std::size_t position, bool animated) {
    state_.transport.playing = false;
    step_to(position, animated);
}

void App::play_or_pause() {
    state_.transport.playing = !state_.transport.playing && state_.steps() > 0;
    state_.rest = 0;
    if (state_.transport.playing && state_.goal == state_.bounds().second) step_to(0, false);
}

bool App::apply_replay(const Command& command) {
    static constexpr std::pair<Action, void (*)(App&, AppState&, const Command&)> kReplay[] = {
        {Action::kForward, [](App& app, AppState& s, const Command&) { app.go(s.next_stop(s.goal), true); }},
        {Action::kBack, [](App& app, AppState& s, const Command&) { app.go(s.previous_stop(s.goal), true); }},
        {Action::kForwardPhase, [](App& app, AppState& s, const Command&) { app.go(next_phase(s, s.goal), true); }},
        {Action::kBackPhase, [](App& app, AppState& s, const Command&) { app.go(previous_phase(s, s.goal), true); }},
        {Action::kFirst, [](App& app, AppState&, const Command&) { app.go(0, false); }},
        {Action::kLast, [](App& app, AppState& s, const Command&) { app.go(s.steps(), false); }},
        {Action::kGoTo, [](App& app, AppState&,
                           const Command& c) { app.go(static_cast<std::size_t>(std::max(0.0, c.value)), false); }},
        {Action::kPlayPause, [](App& app, AppState&, const Command&) { app.play_or_pause(); }},
        {Action::kScrub, [](App& app, AppState&, const Command& c) { app.scrub(c.value); }},
        {Action::kScrubEnd,
         [](App& app, AppState& s, const Command&) {
             if (s.scrubbing) app.step_to(s.goal, true);
         }},
        {Action::kFold, [](App& app, AppState&, const Command& c) { app.fold(c.value); }}};
    const auto* row = std::ranges::find(kReplay, command.action, [](const auto& one) { return one.first; });
    if (row == std::end(kReplay)) return false;
    row->second(*this, state_, command);
    return true;
}

void App::scrub(double time) {
    AppState& s = state_;
    s.transport.playing = false;
    s.scrubbing = true;
    const auto [first, last] = s.bounds();
    s.time = std::clamp(time, static_cast<double>(first), static_cast<double>(last));
    s.goal = static_cast<std::size_t>(std::ceil(s.time - 1e-9));
    if (s.goal > 0) s.goal = s.row_of(s.goal - 1).end;
    if (!s.animate) s.time = static_cast<double>(s.goal);
    s.follow = true;
    follow_launch();
}

// Time

bool App::moving() const {
    return job_ || measuring_ || animated() || state_.travel || state_.pointing > 0 ||
           state_.depth != depth_of(state_.view);
}

bool App::update(double seconds) {
    const bool measured = measuring_ && follow_measuring(seconds);
    const bool news = (job_ && follow_job(seconds)) || measured;
    const bool zoomed = zoom(seconds);
    const bool pointed = state_.pointing > 0;
    state_.pointing = std::max(0.0, state_.pointing - seconds);
    const bool hides = pointed && state_.pointing == 0;
    return animate(seconds) || zoomed || news || hides;
}

/// Between grid and tree, and from camera to camera: at once where animation is off.
bool App::zoom(double seconds) {
    constexpr double kZoomSeconds = 0.4;
    AppState& s = state_;
    const double by = s.animate ? seconds / kZoomSeconds : 1, depth = depth_of(s.view);
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

void App::travel(const scene::Camera& to) {
    state_.travel = AppState::Travel{state_.camera, to, 0};
    state_.follow = true;
    if (!state_.animate) zoom(1);
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
    attempt([this] { step_to(state_.next_stop(state_.goal), true); });
    s.rest = kRestSeconds / speed;
    return true;
}

}  // namespace warptree::state
