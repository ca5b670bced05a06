// How the app looks, and what handling it does: menus, overlays, focus.
#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "app/state/app.hpp"
#include "app/state/fields.hpp"
#include "app/state/menus.hpp"
#include "app/views/ladder/facts.hpp"
#include "instrumentation/request/options.hpp"

namespace warptree::state {
namespace {

constexpr std::size_t kMostDigits = 10;  // of a number typed: 2^32 has as many
constexpr std::size_t kMostCharacters = 400;

}  // namespace

void App::set(Field field, const std::function<Result<void>(AppState&, const FieldRow&)>& change) {
    const FieldRow& row = field_row(field);
    AppState next = state_;
    if (const auto done = change(next, row); !done) return say(done.error().message, true);
    const bool changed = value_of(row, next) != value_of(row, state_);
    if (changed && (row.uses & FieldRow::kUndone) != 0) remember();
    state_ = std::move(next);
    if (field == Field::kErrors && state_.errors) state_.view = scene::View::kTree;
    if (field == Field::kAnimate && !state_.animate) step_to(state_.goal, false);
    if (field == Field::kHelp) state_.menu = Menu::kNone;
}

void App::next_picture() {
    AppState& s = state_;
    if (s.view == scene::View::kAccuracy) return apply_field(scene::turn(Field::kAccuracy));
    if (s.view == scene::View::kWarps) return apply_field(scene::turn(Field::kAllSteps));
    if (s.view == scene::View::kLadder)
        return apply_field(
            scene::set(Field::kLadderPicture, s.ladder.picture == study::LadderPicture::kTime ? "bandwidth" : "time"));
    if (s.comparing()) return apply_field(scene::turn(Field::kByTime));
    say("This is for the comparison, which C opens.", false);
}

void App::apply_field(const Command& command) {
    set(command.field, [&](AppState& s, const FieldRow& row) {
        if (command.action == Action::kSet)
            return set_field(s, row, json_of(row, s, command.text, command.value), row.name);
        return turn_field(s, row, command.value), Result<void>();
    });
}

void App::switch_lecture() {
    AppState& s = state_;
    s.lecture = !s.lecture;
    open_speaker(s.lecture && s.wants_speaker());
    s.full_screen = s.full_screen && s.lecture;
    std::swap(static_cast<OwnLook&>(s), s.other);
    s.help = s.laser = false;
    s.menu = Menu::kNone;
    s.focus = -1;
    s.pointing = 0;
}

/// On one monitor the lecture leaves it room.
void App::open_speaker(bool open) {
    AppState& s = state_;
    s.speaking = open;
    if (s.lecture) s.full_screen = !open || s.monitors > 1;
}

/// A projector may be plugged in during a lecture, and taken away.
void App::set_monitors(std::size_t count) {
    if (count == state_.monitors) return;
    state_.monitors = count;
    if (state_.lecture) open_speaker(state_.wants_speaker());
}

void App::speaker(const Command& command) {
    AppState& s = state_;
    if (command.value >= 0) s.speaker = s.lecture ? !s.speaking : !s.wants_speaker();
    if (s.lecture) open_speaker(command.value >= 0 && s.wants_speaker());
}

void App::show_view(scene::View view) {
    AppState& s = state_;
    if (s.view == view) return;
    if (const std::string why = nothing_of(s, view); !why.empty()) return say(why, true);
    if (s.lesson.gated() && !lesson::can_ask(view))
        return say(fmt::format("{} would give the answer away; Page Down goes on to it.", scene::view_row(view).title),
                   false);
    const auto zooms = [](scene::View one) { return one == scene::View::kGrid || one == scene::View::kTree; };
    if (!s.animate || !zooms(s.view) || !zooms(view)) s.depth = view == scene::View::kGrid ? 0 : 1;
    s.travel.reset();
    s.view = view;
    s.camera = {};
    s.follow = true;
}

void App::choose_view(const std::string& name) {
    const scene::ViewRow* row = scene::find_view(name);
    if (!row) return say(fmt::format("There is no view called '{}'.", name), true);
    const scene::View home = state_.home() == row->view ? scene::View::kTree : state_.home();
    show_view(state_.view == row->view ? home : row->view);  // its key again: back
}

void App::turn_view(std::size_t by) {
    const auto rows = scene::view_rows();
    const auto at = static_cast<std::size_t>(&scene::view_row(state_.view) - rows.data());
    show_view(rows[(at + by) % rows.size()].view);
}

/// The ladder is of no run: where steps are taken elsewhere, it goes from N to N, and from rung to rung.
bool App::apply_ladder(const Command& command) {
    AppState& s = state_;
    if (s.view != scene::View::kLadder) return false;
    const study::Ladder now = study::ladder_of(*s.results, s.ladder, s.request.kernel);
    const auto go = [&](std::ptrdiff_t by) {
        const auto at = std::ranges::find(now.sizes, now.choice.n) - now.sizes.begin() + by;
        s.ladder.n = now.sizes[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, std::ssize(now.sizes) - 1))];
        return true;
    };
    const auto climb = [&](std::ptrdiff_t by) {
        const auto kernels = std::ranges::count(now.rungs, false, &study::Rung::reference);
        const auto at = chosen_rung(now, s.request.kernel) - now.rungs.data() + by;
        if (at >= 0 && at < kernels)
            apply_choice(
                {.action = Action::kKernel, .text = std::string(now.rungs[static_cast<std::size_t>(at)].name)});
        return true;
    };
    switch (command.action) {
        case Action::kForward:
        case Action::kForwardPhase:
            return go(1);
        case Action::kBack:
        case Action::kBackPhase:
            return go(-1);
        case Action::kFirst:
            return go(-std::ssize(now.sizes));
        case Action::kLast:
            return go(std::ssize(now.sizes));
        case Action::kNextBlock:
            return climb(1);
        case Action::kPreviousBlock:
            return climb(-1);
        case Action::kPlayPause:
        case Action::kFold:
            return true;  // nothing is replayed
        default:
            return false;
    }
}

// Handling

void App::escape() {
    AppState& s = state_;
    if (s.saving) {
        s.saving.reset();
    } else if (s.menu != Menu::kNone) {
        s.menu = Menu::kNone;
    } else if (s.help) {
        s.help = false;
    } else if (s.doing() != nullptr) {
        cancel();
    } else if (s.blank) {
        s.blank = false;
    } else if (s.lesson.asking) {
        s.lesson.asking = false;
    } else if (s.lecture) {
        switch_lecture();
    } else if (!s.messages.empty()) {
        s.messages.pop_back();
    } else if (s.lesson.lesson && s.focus < 0) {
        apply_lesson({.action = Action::kLesson});
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

/// Digits in a menu of numbers; the one that they make is its first row.
void App::type(const Command& command) {
    AppState& s = state_;
    const bool digits = takes_digits(s.menu);
    if (!digits && !takes_values(s.menu)) return;
    if (command.action == Action::kErase) {
        std::size_t end = s.typed.size();
        erase_before(s.typed, end);
    } else if (command.action == Action::kCharacter) {
        const bool power = digits && s.typed == "2";
        if (power || (takes_values(s.menu) && s.typed.size() < kMostCharacters)) s.typed += command.text;
    } else if (digits && s.typed.size() < kMostDigits && (!s.typed.empty() || command.value > 0)) {
        s.typed += static_cast<char>('0' + static_cast<int>(command.value));
    }
    s.menu_row = s.typed.empty() ? -1 : 0;
}

void App::paste(std::string text) {
    AppState& s = state_;
    const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    text.erase(text.begin(), std::ranges::find_if_not(text, blank));
    while (!text.empty() && blank(text.back())) text.pop_back();
    if (text.empty()) return say("The clipboard has no text to paste; copy values first, such as 3, 1, 7, 0.", true);
    if (takes_digits(s.menu) && text.size() <= kMostDigits && kernels::parse_whole_number(text, "N", 16)) {
        s.typed = text;
        s.menu_row = 0;
        return;
    }
    s.menu = Menu::kNone;
    apply({.action = Action::kInput, .text = text});
}

void App::open_menu(const Command& command) {
    AppState& s = state_;
    const auto column = static_cast<std::size_t>(std::max(0.0, command.value));
    const bool other = column > 0 && column - 1 != s.column && column <= s.others.size() + 1;
    if (other) s.column = column - 1;
    s.menu = s.menu == command.menu && !other ? Menu::kNone : command.menu;
    s.typed.clear();
    const auto items = menu_items(s.menu, s);
    const auto chosen = std::ranges::find_if(items, &MenuItem::chosen);
    s.menu_row = chosen == items.end() ? -1 : static_cast<int>(chosen - items.begin());
}

void App::activate() {
    AppState& s = state_;
    const auto items = menu_items(s.menu, s);
    if (s.menu_row < 0 || s.menu_row >= static_cast<int>(items.size())) return;
    const MenuItem& item = items[static_cast<std::size_t>(s.menu_row)];
    if (!item.usable) return say(item.remark, true);
    if (!stays_open(s.menu)) s.menu = Menu::kNone;
    apply(item.command);
}

bool App::apply_look(const Command& command) {
    static constexpr std::pair<Action, void (*)(App&, AppState&, const Command&)> kLooks[] = {
        {Action::kSet, [](App& app, AppState&, const Command& c) { app.apply_field(c); }},
        {Action::kTurn, [](App& app, AppState&, const Command& c) { app.apply_field(c); }},
        {Action::kNextPicture, [](App& app, AppState&, const Command&) { app.next_picture(); }},
        {Action::kMeasure, [](App& app, AppState&, const Command& c) { app.measure(c.text); }},
        {Action::kLecture, [](App& app, AppState&, const Command&) { app.switch_lecture(); }},
        {Action::kSpeaker, [](App& app, AppState&, const Command& c) { app.speaker(c); }},
        {Action::kLaser, [](App&, AppState& s, const Command&) { s.laser = s.lecture && !s.laser, s.pointing = 0; }},
        {Action::kCamera,
         [](App&, AppState& s, const Command& c) { s.camera = c.camera, s.follow = false, s.travel.reset(); }},
        {Action::kCameraReset, [](App& app, AppState&, const Command&) { app.travel({}); }},
        {Action::kTravel, [](App& app, AppState&, const Command& c) { app.travel(c.camera); }},
        {Action::kView, [](App& app, AppState&, const Command& c) { app.choose_view(c.text); }},
        {Action::kNextView, [](App& app, AppState&, const Command&) { app.turn_view(1); }},
        {Action::kPreviousView, [](App& app, AppState&, const Command&) { app.turn_view(scene::view_rows().size() - 1); }},
        // Handling
        {Action::kDigit, [](App& app, AppState&, const Command& c) { app.type(c); }},
        {Action::kCharacter, [](App& app, AppState&, const Command& c) { app.type(c); }},
        {Action::kErase, [](App& app, AppState&, const Command& c) { app.type(c); }},
        {Action::kPaste, [](App& app, AppState&, const Command& c) { app.paste(c.text); }},
        {Action::kMenu, [](App& app, AppState&, const Command& c) { app.open_menu(c); }},
        {Action::kEscape, [](App& app, AppState&, const Command&) { app.escape(); }},
        {Action::kUp, [](App& app, AppState&, const Command&) { app.move_in_menu(-1); }},
        {Action::kDown, [](App& app, AppState&, const Command&) { app.move_in_menu(1); }},
        {Action::kActivate, [](App& app, AppState&, const Command&) { app.activate(); }},
        {Action::kFocus, [](App&, AppState& s, const Command& c) { s.focus = static_cast<int>(c.value); }},
        {Action::kDismiss,
         [](App&, AppState& s, const Command& c) {
             if (c.value >= 0 && c.value < static_cast<double>(s.messages.size()))
                 s.messages.erase(s.messages.begin() + static_cast<std::ptrdiff_t>(c.value));
         }},
        {Action::kQuit, [](App& app, AppState&, const Command&) { app.quit(); }}};
    for (const auto& [action, does] : kLooks)
        if (action == command.action) return does(*this, state_, command), true;
    return false;
}

}  // namespace warptree::state
