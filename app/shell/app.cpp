// Commands, one group a function: replay, choices of what is shown, looks, handling.
#include "app/shell/app.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "app/paint/theme.hpp"
#include "app/shell/menus.hpp"

namespace warptree::shell {
namespace {

constexpr double kStepSeconds = 0.6;   // a step's animation at speed 1
constexpr double kRestSeconds = 0.9;   // between two steps while playing, at speed 1
constexpr std::size_t kMostUndo = 64;

std::size_t nearest_speed(double speed) {
    const auto* best = std::ranges::min_element(kSpeeds, {}, [speed](double s) { return std::abs(std::log(s / speed)); });
    return static_cast<std::size_t>(best - std::begin(kSpeeds));
}

}  // namespace

App::App(AppState state, Services services) : state_(std::move(state)), services_(std::move(services)) {
    if (!state_.subject) {
        if (!state_.file.empty()) {
            open(std::string(state_.file));
        } else {
            request(state_.request);
        }
        undo_.clear();
    }
    if (!state_.subject) request(kernels::Request{.kernel = "pmpp-simple", .n = 16, .warp_size = 4});
}

void App::say(std::string text, bool error, bool sticky) {
    std::erase_if(state_.messages, [&](const Message& m) { return !m.sticky || m.text == text; });
    state_.messages.push_back({std::move(text), error, sticky});
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
}

bool App::apply_replay(const Command& command) {
    AppState& s = state_;
    const bool was_playing = s.transport.playing;
    const auto pause = [&] { s.transport.playing = false; };
    switch (command.action) {
        case Action::kForward: pause(); step_to(s.goal + 1, true); return true;
        case Action::kBack: pause(); step_to(s.goal - std::min<std::size_t>(s.goal, 1), true); return true;
        case Action::kForwardPhase: pause(); step_to(next_phase(s, s.goal), true); return true;
        case Action::kBackPhase: pause(); step_to(previous_phase(s, s.goal), true); return true;
        case Action::kFirst: pause(); step_to(0, false); return true;
        case Action::kLast: pause(); step_to(s.steps(), false); return true;
        case Action::kGoTo: pause(); step_to(static_cast<std::size_t>(std::max(0.0, command.value)), false); return true;
        case Action::kPlayPause:
            s.transport.playing = !was_playing && s.steps() > 0;
            s.rest = 0;
            if (s.transport.playing && s.goal == s.steps()) step_to(0, false);
            return true;
        case Action::kFaster:
        case Action::kSlower:
        case Action::kNextSpeed: {
            std::size_t at = nearest_speed(s.transport.speed);
            if (command.action == Action::kSlower) at -= at > 0;
            if (command.action == Action::kFaster) at = std::min(at + 1, std::size(kSpeeds) - 1);
            if (command.action == Action::kNextSpeed) at = (at + 1) % std::size(kSpeeds);
            s.transport.speed = static_cast<float>(kSpeeds[at]);
            return true;
        }
        case Action::kScrub:
            pause();
            s.scrubbing = true;
            s.time = std::clamp(command.value, 0.0, static_cast<double>(s.steps()));
            s.goal = static_cast<std::size_t>(std::ceil(s.time - 1e-9));
            if (!s.animate) s.time = static_cast<double>(s.goal);
            s.follow = true;
            return true;
        case Action::kScrubEnd:
            if (s.scrubbing) step_to(s.goal, true);
            return true;
        default: return false;
    }
}

// What is shown

void App::remember() {
    if (!state_.subject) return;
    undo_.push_back({state_.request, state_.file, state_.subject, state_.goal, state_.camera});
    if (undo_.size() > kMostUndo) undo_.erase(undo_.begin());
}

void App::show(trace::Trace trace) {
    AppState& s = state_;
    s.subject = scene::make_subject(std::move(trace));
    std::erase_if(s.messages, [](const Message& m) { return !m.sticky; });
    s.transport.playing = false;
    s.camera = {};
    step_to(s.goal, false);
}

void App::request(const kernels::Request& wanted) {
    auto trace = services_.record(wanted);
    if (!trace) return say(trace.error().message, true);
    remember();
    state_.request = wanted;
    state_.file.clear();
    show(std::move(*trace));
}

void App::open(const std::string& path) {
    auto trace = services_.load(path);
    if (!trace) return say(trace.error().message, true);
    if (!kernels::find(trace->launch.kernel)) {
        return say(fmt::format("{} was recorded from a kernel called '{}', which this Warptree does not know; it is "
                               "probably from a newer one.", path, trace->launch.kernel), true);
    }
    remember();
    const trace::Launch& launch = trace->launch;
    state_.request = {.kernel = launch.kernel, .n = launch.n, .warp_size = launch.warp_size, .coarsen = launch.coarsen,
                      .type = launch.type, .op = launch.op, .input = launch.input, .seed = launch.seed};
    state_.file = path;
    state_.goal = 0;
    show(std::move(*trace));
}

void App::save(std::string path) {
    if (!state_.subject) return say("There is no run to save yet.", true);
    const trace::Launch& launch = state_.subject->trace.launch;
    if (path.empty()) path = fmt::format("{}-n{}-w{}.wtrace", launch.kernel, launch.n, launch.warp_size);
    std::error_code error;
    const std::filesystem::path full = std::filesystem::absolute(path, error);
    const auto saved = services_.save(state_.subject->trace, full);
    if (!saved) return say(saved.error().message, true);
    say(fmt::format("Saved as {}.", full.string()), false);
}

void App::undo() {
    if (undo_.empty()) return say("There is no earlier choice to go back to.", false);
    Choice last = std::move(undo_.back());
    undo_.pop_back();
    state_.request = std::move(last.request);
    state_.file = std::move(last.file);
    state_.subject = std::move(last.subject);
    state_.transport.playing = false;
    std::erase_if(state_.messages, [](const Message& m) { return !m.sticky; });
    step_to(last.goal, false);
    state_.camera = last.camera;
}

bool App::apply_choice(const Command& command) {
    kernels::Request wanted = state_.request;
    switch (command.action) {
        case Action::kKernel: wanted.kernel = command.text; break;
        case Action::kKernelNumber: {
            const auto rows = kernels::catalog();
            if (command.value < 0 || command.value >= static_cast<double>(rows.size())) {
                say(fmt::format("There is no kernel {}; there are {}.", command.value + 1, rows.size()), true);
                return true;
            }
            wanted.kernel = rows[static_cast<std::size_t>(command.value)].name;
            break;
        }
        case Action::kN: wanted.n = command.value < 0 ? 0 : static_cast<std::uint64_t>(command.value); break;
        case Action::kWarpSize:
            wanted.warp_size = static_cast<std::uint32_t>(command.value);
            if (wanted.warp_size != 32) wanted.backend = kernels::Backend::kCpu;  // CUDA has no other width
            break;
        case Action::kInput: wanted.input = command.text; break;
        case Action::kBackend:
            wanted.backend = command.text == kernels::name(kernels::Backend::kCuda) ? kernels::Backend::kCuda
                                                                                      : kernels::Backend::kCpu;
            if (wanted.backend == kernels::Backend::kCuda) wanted.warp_size = 32;
            break;
        case Action::kTeachingSize: {
            const bool teaching = wanted.n == 16 && wanted.warp_size == 4;
            wanted.n = teaching ? 256 : 16;
            wanted.warp_size = teaching ? 32 : 4;
            if (wanted.warp_size != 32) wanted.backend = kernels::Backend::kCpu;
            break;
        }
        case Action::kOpen: open(command.text); return true;
        case Action::kSave: save(command.text); return true;
        case Action::kUndo: undo(); return true;
        default: return false;
    }
    wanted.block = 0;  // the usual one for what is chosen now
    if (wanted == state_.request && state_.file.empty() && state_.subject) return true;
    request(wanted);
    return true;
}

// How it looks

void App::scale_to(float scale) {
    state_.scale = std::clamp(std::round(scale * 100) / 100, kLeastScale, kMostScale);
}

void App::next_theme() {
    const auto all = paint::themes();
    const auto at = std::ranges::find(all, state_.theme, &paint::Theme::name);
    const auto next = at == all.end() ? 0 : (static_cast<std::size_t>(at - all.begin()) + 1) % all.size();
    state_.theme = all[next].name;
}

bool App::apply_look(const Command& command) {
    AppState& s = state_;
    switch (command.action) {
        case Action::kTheme:
            if (paint::find_theme(command.text)) {
                s.theme = command.text;
            } else {
                say(fmt::format("There is no theme called '{}'; the themes are dark, light and projector.", command.text), true);
            }
            return true;
        case Action::kNextTheme: next_theme(); return true;
        case Action::kScaleUp: scale_to(s.scale + kScaleStep); return true;
        case Action::kScaleDown: scale_to(s.scale - kScaleStep); return true;
        case Action::kScaleReset: scale_to(1); return true;
        case Action::kScale: scale_to(static_cast<float>(command.value)); return true;
        case Action::kCamera:
            s.camera = command.camera;
            s.follow = false;
            return true;
        case Action::kCameraReset:
            s.camera = {};
            s.follow = true;
            return true;
        case Action::kAnimation:
            s.animate = !s.animate;
            if (!s.animate) step_to(s.goal, false);
            return true;
        case Action::kHelp: s.help = !s.help; s.menu = Menu::kNone; return true;
        case Action::kBlank: s.blank = !s.blank; return true;
        case Action::kFullScreen: s.full_screen = !s.full_screen; return true;
        default: return false;
    }
}

// Handling

void App::escape() {
    AppState& s = state_;
    if (s.menu != Menu::kNone) {
        s.menu = Menu::kNone;
    } else if (s.help) {
        s.help = false;
    } else if (s.blank) {
        s.blank = false;
    } else if (!s.messages.empty()) {
        s.messages.pop_back();
    } else {
        s.focus = -1;
    }
}

void App::move_in_menu(int by) {
    const auto items = menu_items(state_.menu, state_);
    const int count = static_cast<int>(items.size());
    int row = state_.menu_row;
    for (int tries = 0; tries < count; ++tries) {
        row = row < 0 ? (by > 0 ? 0 : count - 1) : (row + by + count) % count;
        if (items[static_cast<std::size_t>(row)].usable) break;
    }
    state_.menu_row = row;
}

void App::apply_handling(const Command& command) {
    AppState& s = state_;
    switch (command.action) {
        case Action::kMenu: {
            s.menu = s.menu == command.menu ? Menu::kNone : command.menu;
            const auto items = menu_items(s.menu, s);
            const auto chosen = std::ranges::find_if(items, &MenuItem::chosen);
            s.menu_row = chosen == items.end() ? -1 : static_cast<int>(chosen - items.begin());
            return;
        }
        case Action::kEscape: escape(); return;
        case Action::kUp: move_in_menu(-1); return;
        case Action::kDown: move_in_menu(1); return;
        case Action::kActivate: {
            const auto items = menu_items(s.menu, s);
            if (s.menu_row < 0 || s.menu_row >= static_cast<int>(items.size())) return;
            const MenuItem item = items[static_cast<std::size_t>(s.menu_row)];
            if (!item.usable) return say(item.remark, true);
            s.menu = Menu::kNone;
            apply(item.command);
            return;
        }
        case Action::kFocus: s.focus = static_cast<int>(command.value); return;
        case Action::kDismiss:
            if (command.value >= 0 && command.value < static_cast<double>(s.messages.size())) {
                s.messages.erase(s.messages.begin() + static_cast<std::ptrdiff_t>(command.value));
            }
            return;
        case Action::kQuit: s.quit = true; return;
        default: return;
    }
}

void App::apply(const Command& command) {
    apply_replay(command) || apply_choice(command) || apply_look(command) || (apply_handling(command), true);
}

// Time

bool App::moving() const {
    return !state_.scrubbing && (state_.transport.playing || state_.time != static_cast<double>(state_.goal));
}

bool App::update(double seconds) {
    AppState& s = state_;
    if (!moving()) return false;
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
    step_to(s.goal + 1, true);
    s.rest = kRestSeconds / speed;
    return true;
}

}  // namespace warptree::shell
