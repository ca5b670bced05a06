// The table of all commands, and the app, which carries them out one after the other.
#include <algorithm>
#include <span>
#include <thread>
#include <utility>

#include "app/state/key_file.hpp"
#include "app/state/menus.hpp"
#include "app/state/session.hpp"

namespace warptree::state {
namespace {

constexpr double kPointingSeconds = 3;

struct CommandRow {
    enum Use : unsigned {
        kAtOnce = 1,    // of what is around the state, not of what is on show: it never waits
        kKeepsCard = 2  // shows the end of a kernel differently, but is about the same
    };
    Action action;
    void (*does)(Session&, const Command&);
    unsigned uses = 0;
};

std::span<const CommandRow> command_rows() {
    using C = const Command&;
    using S = Session&;
    constexpr unsigned kAtOnce = CommandRow::kAtOnce, kKeepsCard = CommandRow::kKeepsCard;
    static constexpr CommandRow kRows[] = {
        // Replay
        {Action::kForward, [](S app, C) { go(app, app.state.next_stop(app.state.goal), true); }},
        {Action::kBack, [](S app, C) { go(app, app.state.previous_stop(app.state.goal), true); }},
        {Action::kNext, [](S app, C) { climb_or_step(app, true); }, kKeepsCard},
        {Action::kPrevious, [](S app, C) { climb_or_step(app, false); }, kKeepsCard},
        {Action::kForwardPhase, [](S app, C) { go(app, next_phase(app.state, app.state.goal), true); }},
        {Action::kBackPhase, [](S app, C) { go(app, previous_phase(app.state, app.state.goal), true); }},
        {Action::kFirst, [](S app, C) { go(app, 0, false); }},
        {Action::kLast, [](S app, C) { go(app, app.state.steps(), false); }},
        {Action::kGoTo, [](S app, C c) { go(app, static_cast<std::size_t>(std::max(0.0, c.value)), false); }},
        {Action::kPlayPause, [](S app, C) { play_or_pause(app); }},
        {Action::kScrub, [](S app, C c) { scrub(app, c.value); }},
        {Action::kScrubEnd, [](S app, C) { app.state.scrubbing ? step_to(app, app.state.goal, true) : void(); }},
        {Action::kFold, [](S app, C c) { fold(app, c.value); }},
        // What is shown
        {Action::kKernel, [](S app, C c) { choose_kernel(app, c.text); }},
        {Action::kKernelNumber, [](S app, C c) { choose_row(app, c.value); }},
        {Action::kTeachingSize, [](S app, C) { choose_size(app); }},
        {Action::kNextBlock, show_block},
        {Action::kPreviousBlock, show_block},
        {Action::kShowBlock, show_block},
        {Action::kOpen, [](S app, C c) { open_any(app, c.text); }},
        {Action::kCopyLink, [](S app, C) { copy_link(app); }, kKeepsCard},
        {Action::kRunAgain, [](S app, C) { run_again(app); }},
        {Action::kResult, [](S app, C c) { show_result(app, c.value); }},
        {Action::kSmaller, [](S app, C) { run_smaller(app); }},
        {Action::kSave, [](S app, C c) { save(app, c.text); }},
        {Action::kUndo,
         [](S app, C) {
             turn_back(app, app.choices.undo, app.choices.redo, "There is no earlier choice to go back to.");
         }},
        {Action::kRedo,
         [](S app, C) {
             turn_back(app, app.choices.redo, app.choices.undo, "No choice was taken back that could be made again.");
         }},
        {Action::kLesson, [](S app, C c) { c.text.empty() ? void() : open_lesson(app, c); }},
        // The comparison
        {Action::kColumn, choose_column},
        {Action::kSwap, [](S app, C) { swap_columns(app); }},
        {Action::kAddColumn, [](S app, C) { add_column(app); }},
        {Action::kRemoveColumn, [](S app, C c) { remove_column(app, c.value); }},
        // How it looks
        {Action::kSet, apply_field, kKeepsCard},
        {Action::kTurn, apply_field, kKeepsCard},
        {Action::kNextPicture, [](S app, C) { next_picture(app); }},
        {Action::kMeasure, [](S app, C c) { measure(app, c.text); }},
        {Action::kLecture, [](S app, C) { switch_lecture(app); }, kKeepsCard},
        {Action::kSpeaker, speaker, kKeepsCard},
        {Action::kLaser,
         [](S app, C) { app.state.laser = app.state.lecture && !app.state.laser, app.state.pointing = 0; },
         kKeepsCard},
        {Action::kMark, mark, kKeepsCard},
        {Action::kWipe, [](S app, C) { wipe(app); }, kKeepsCard},
        {Action::kCamera,
         [](S app, C c) { app.state.camera = c.camera, app.state.follow = false, app.state.travel.reset(); }},
        {Action::kCameraReset, [](S app, C) { travel(app, {}); }},
        {Action::kTravel, [](S app, C c) { travel(app, c.camera); }},
        {Action::kView, [](S app, C c) { choose_view(app, c.text); }},
        {Action::kNextView, [](S app, C) { turn_view(app, 1); }},
        {Action::kPreviousView, [](S app, C) { turn_view(app, scene::view_rows().size() - 1); }},
        // Handling
        {Action::kDigit, type},
        {Action::kCharacter, type},
        {Action::kErase, type},
        {Action::kPaste, [](S app, C c) { paste(app, c.text); }},
        {Action::kMenu, open_menu},
        {Action::kEscape, [](S app, C) { escape(app); }},
        {Action::kUp, [](S app, C) { move_in_menu(app, -1); }},
        {Action::kDown, [](S app, C) { move_in_menu(app, 1); }},
        {Action::kActivate, activate},
        {Action::kFocus, [](S app, C c) { app.state.focus = static_cast<int>(c.value); }},
        {Action::kDismiss,
         [](S app, C c) {
             auto& messages = app.state.messages;
             if (c.value >= 0 && c.value < static_cast<double>(messages.size()))
                 messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(c.value));
         }},
        {Action::kQuit, [](S app, C) { quit(app); }},
        // Around it
        {Action::kKeys, set_keys, kAtOnce},
        {Action::kCancel, [](S app, C) { cancel(app); }, kAtOnce},
        {Action::kPoint, [](S app, C) { app.state.pointing = kPointingSeconds; }, kAtOnce},
        {Action::kClock,
         [](S app, C c) { app.state.clock = c.text, app.state.minutes = static_cast<int>(c.value); },
         kAtOnce},
        {Action::kMonitors,
         [](S app, C c) { set_monitors(app, static_cast<std::size_t>(std::max(1.0, c.value))); },
         kAtOnce}};
    return kRows;
}

const CommandRow* row_of(Action action) {
    const auto row = std::ranges::find(command_rows(), action, &CommandRow::action);
    return row == command_rows().end() ? nullptr : &*row;
}

bool has(const CommandRow* row, CommandRow::Use use) {
    return row != nullptr && (row->uses & use) != 0;
}

void start(Session& app) {
    AppState& s = app.state;
    if (s.subject) return void(s.depth = s.resting_depth());
    if (!s.link.empty()) open_link(app, std::string(std::exchange(s.link, {})));
    if (s.subject) return void(app.choices = {});
    if (!s.lesson.source.empty() && !s.lesson.lesson)
        if (const auto stood = stand_where_left(s); !stood) say(app, stood.error().message, true);
    s.depth = s.resting_depth();
    if (!s.file.empty()) open(app, std::string(std::exchange(s.file, {})));
    const std::vector<Message> said = s.messages;  // why the file is not on show
    if (!s.subject) request(app, s.request);
    if (!s.subject) request(app, kernels::Request{.kernel = "pmpp-simple", .n = 16, .warp_size = 4});
    if (s.first_shown > 0) show_block(app, {.action = Action::kShowBlock, .value = static_cast<double>(s.first_shown)});
    resume_lesson(app);
    for (const Message& message : said) say(app, message.text, message.error);
    app.choices = {};
}

}  // namespace

void say(Session& app, std::string text, bool error, bool sticky) {
    std::erase_if(app.state.messages, [&](const Message& m) { return !m.sticky || m.text == text; });
    app.state.messages.push_back({with_keys(text, app.state), error, sticky});
}

void carry_out(Session& app, const Command& command) {
    if (saving_mode(app, command) || lesson_mode(app, command) || ladder_mode(app, command)) return;
    if (is_option(command.action)) return choose_option(app, command);
    if (const CommandRow* row = row_of(command.action)) row->does(app, command);
}

void apply(Session& app, const Command& command) {
    const CommandRow* row = row_of(command.action);
    if (has(row, CommandRow::kAtOnce)) return row->does(app, command);
    app.state.greeted = true;
    attempt(app, [&app, command, row] {
        const auto before = std::pair(app.state.view, app.state.subject);
        const auto runs = marked_runs(app.state);
        app.state.card = app.state.card && has(row, CommandRow::kKeepsCard);
        carry_out(app, command);
        const bool on_its_way = app.showing && before == std::pair(app.state.view, app.state.subject);
        if (!on_its_way) show_all(app);
        if (command.action != Action::kUndo && command.action != Action::kRedo) drop_marks(app.state, runs);
        if (!app.state.scrubbing) open_around(app, app.state.goal);
        leave_if_strayed(app);
    });
}

App::App(AppState state, Services services)
    : session_(new Session{.state = std::move(state), .services = std::move(services)}) {
    const Menu menu = session_->state.menu;
    attempt(*session_, [this] { start(*session_); });
    if (menu == Menu::kStart) session_->state.menu = menu;  // also where the first run takes its time
}
App::~App() = default;

const AppState& App::state() const {
    return session_->state;
}
void App::apply(const Command& command) {
    state::apply(*session_, command);
}
void App::say(std::string text, bool error, bool sticky) {
    state::say(*session_, std::move(text), error, sticky);
}

bool App::moving() const {
    const AppState& s = state();
    return session_->job || session_->measuring || !session_->writing.empty() || animated(s) || s.travel ||
           s.pointing > 0 || s.depth != s.resting_depth();
}

bool App::update(double seconds) {
    Session& app = *session_;
    const bool measured = app.measuring && follow_measuring(app, seconds);
    const bool written = !app.writing.empty() && follow_writing(app, seconds);
    const bool news = written || (app.job && follow_job(app, seconds)) || measured;
    const bool zoomed = zoom(app.state, seconds);
    const bool pointed = app.state.pointing > 0;
    app.state.pointing = std::max(0.0, app.state.pointing - seconds);
    const bool hides = pointed && app.state.pointing == 0;
    return animate(app, seconds) || zoomed || news || hides;
}

bool App::stop(std::chrono::milliseconds patience) {
    const auto until = std::chrono::steady_clock::now() + patience;
    retire(*session_);
    stop_measuring(*session_), stop_writing(*session_), finish_writing(*session_);
    while (!all_ended(*session_) && std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return all_ended(*session_);
}

}  // namespace warptree::state
