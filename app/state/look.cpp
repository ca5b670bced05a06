// How the app looks, and what handling it does: menus, overlays, focus.
#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/state/fields.hpp"
#include "app/state/key_file.hpp"
#include "app/state/link.hpp"
#include "app/state/menus.hpp"
#include "app/state/session.hpp"
#include "app/views/ladder/facts.hpp"
#include "instrumentation/request/options.hpp"

namespace warptree::state {
namespace {

constexpr std::size_t kMostCharacters = 400;

void set(Session& app, Field field, const std::function<Result<void>(AppState&, const FieldRow&)>& change) {
    const FieldRow& row = field_row(field);
    AppState next = app.state;
    if (const auto done = change(next, row); !done) return say(app, done.error().message, true);
    const bool changed = value_of(row, next) != value_of(row, app.state);
    if (changed && (row.uses & FieldRow::kUndone) != 0) remember(app);
    app.state = std::move(next);
    if (field == Field::kErrors && app.state.errors) app.state.view = scene::View::kTree;
    if (field == Field::kAnimate && !app.state.animate) step_to(app, app.state.goal, false);
    if (field == Field::kHelp) app.state.menu = Menu::kNone;
}

/// On one monitor the lecture leaves it room.
void open_speaker(Session& app, bool open) {
    AppState& s = app.state;
    s.speaking = open;
    if (s.lecture) s.full_screen = !open || s.monitors > 1;
}

void show_view(Session& app, scene::View view) {
    AppState& s = app.state;
    if (s.view == view) return;
    if (const std::string why = nothing_of(s, view); !why.empty()) return say(app, why, true);
    if (s.lesson.gated() && !lesson::can_ask(view))
        return say(app,
                   fmt::format("{} would give the answer away; Page Down goes on to it.", scene::view_row(view).title),
                   false);
    const bool zooms = s.animate && s.level_of(s.view) && s.level_of(view);
    s.travel.reset();
    s.view = view;
    if (!zooms) s.depth = s.resting_depth();
    s.camera = {};
    s.follow = true;
}

}  // namespace

void next_picture(Session& app) {
    AppState& s = app.state;
    if (s.view == scene::View::kAccuracy) return apply_field(app, scene::turn(Field::kAccuracy));
    if (s.view == scene::View::kWarps) return apply_field(app, scene::turn(Field::kAllSteps));
    if (s.view == scene::View::kLadder)
        return apply_field(app, scene::set(Field::kLadderPicture,
                                           s.ladder.picture == study::LadderPicture::kTime ? "bandwidth" : "time"));
    if (s.comparing()) return apply_field(app, scene::turn(Field::kByTime));
    say(app, "This is for the comparison (C).", false);
}

void apply_field(Session& app, const Command& command) {
    set(app, command.field, [&](AppState& s, const FieldRow& row) {
        if (command.action == Action::kSet)
            return set_field(s, row, json_of(row, s, command.text, command.value), row.name);
        return turn_field(s, row, command.value), Result<void>();
    });
}

void switch_lecture(Session& app) {
    AppState& s = app.state;
    s.lecture = !s.lecture;
    s.minutes = 0;
    if (CoursePlace& place = s.lesson.course; place.course)
        place.ahead = place.course->planned(place.part, s.lesson.scene);
    open_speaker(app, s.lecture && s.wants_speaker());
    s.full_screen = s.full_screen && s.lecture;
    std::swap(static_cast<OwnLook&>(s), s.other);
    s.help = s.laser = false;
    s.menu = Menu::kNone;
    s.focus = -1;
    s.pointing = 0;
}

/// A projector may be plugged in during a lecture, and taken away.
void set_monitors(Session& app, std::size_t count) {
    if (count == app.state.monitors) return;
    app.state.monitors = count;
    if (app.state.lecture) open_speaker(app, app.state.wants_speaker());
}

void speaker(Session& app, const Command& command) {
    AppState& s = app.state;
    if (command.value >= 0) s.speaker = s.lecture ? !s.speaking : !s.wants_speaker();
    if (s.lecture) open_speaker(app, command.value >= 0 && s.wants_speaker());
}

void choose_view(Session& app, const std::string& name) {
    const scene::ViewRow* row = scene::find_view(name);
    if (!row) return say(app, fmt::format("There is no view called '{}'.", name), true);
    const scene::View home = app.state.home() == row->view ? scene::View::kTree : app.state.home();
    show_view(app, app.state.view == row->view ? home : row->view);  // its key again: back
}

void turn_view(Session& app, std::size_t by) {
    const auto rows = scene::view_rows();
    const auto at = static_cast<std::size_t>(&scene::view_row(app.state.view) - rows.data());
    show_view(app, rows[(at + by) % rows.size()].view);
}

/// The ladder is of no run: where steps are taken elsewhere, it goes from N to N, and from rung to rung.
bool ladder_mode(Session& app, const Command& command) {
    AppState& s = app.state;
    if (s.view != scene::View::kLadder) return false;
    const study::Ladder now = study::ladder_of(*s.results, s.ladder, s.request.kernel);
    const auto size_by = [&](std::ptrdiff_t by) {
        const auto at = std::ranges::find(now.sizes, now.choice.n) - now.sizes.begin() + by;
        s.ladder.n = now.sizes[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, std::ssize(now.sizes) - 1))];
        return true;
    };
    const auto rung_by = [&](std::ptrdiff_t by) {
        const auto kernels = std::ranges::count(now.rungs, false, &study::Rung::reference);
        const auto at = chosen_rung(now, s.request.kernel) - now.rungs.data() + by;
        if (at >= 0 && at < kernels) choose_kernel(app, now.rungs[static_cast<std::size_t>(at)].name);
        return true;
    };
    switch (command.action) {
        case Action::kForward:
        case Action::kForwardPhase:
            return size_by(1);
        case Action::kBack:
        case Action::kBackPhase:
            return size_by(-1);
        case Action::kFirst:
            return size_by(-std::ssize(now.sizes));
        case Action::kLast:
            return size_by(std::ssize(now.sizes));
        case Action::kNextBlock:
            return rung_by(1);
        case Action::kPreviousBlock:
            return rung_by(-1);
        case Action::kPlayPause:
        case Action::kFold:
            return true;  // nothing is replayed
        default:
            return false;
    }
}

void set_keys(Session& app, const Command& command) {
    AppState& s = app.state;
    const auto read = read_key_file(command.text);
    s.keys = read ? std::make_shared<const std::vector<Binding>>(read->keys) : nullptr;
    std::erase_if(s.messages, [](const Message& m) { return m.text.starts_with(kKeyFile); });
    if (read && !read->problems.empty())
        say(app, fmt::format("{}", fmt::join(read->problems, "\n")), true, true);
    else if (command.value > 0)
        say(app,
            fmt::format("{}{}", kKeyFile, read ? ": its keys hold from now on." : " is gone; the usual keys hold."),
            false);
}

// Handling

void escape(Session& app) {
    AppState& s = app.state;
    if (s.saving) {
        s.saving.reset();
    } else if (s.menu != Menu::kNone) {
        s.menu = Menu::kNone;
    } else if (s.help) {
        s.help = false;
    } else if (s.doing() != nullptr && s.doing()->stops) {
        cancel(app);
    } else if (s.blank) {
        s.blank = false;
    } else if (s.lesson.asking) {
        s.lesson.asking = false;
    } else if (s.lecture) {
        switch_lecture(app);
    } else if (!s.messages.empty()) {
        s.messages.pop_back();
    } else if (s.lesson.lesson && s.focus < 0) {
        carry_out(app, {.action = Action::kLesson});
    } else {
        s.focus = -1;
    }
}

void move_in_menu(Session& app, int by) {
    const auto items = menu_items(app.state.menu, app.state);
    const int count = static_cast<int>(items.size());
    int row = app.state.menu_row;
    for (int tries = 0; tries < count; ++tries) {
        row = row < 0 ? (by > 0 ? 0 : count - 1) : (row + by + count) % count;
        if (items[static_cast<std::size_t>(row)].usable) break;
    }
    app.state.menu_row = row;
}

/// Digits in a menu of numbers; the one that they make is its first row.
void type(Session& app, const Command& command) {
    AppState& s = app.state;
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

void open_menu(Session& app, const Command& command) {
    AppState& s = app.state;
    const auto column = static_cast<std::size_t>(std::max(0.0, command.value));
    const bool other = column > 0 && column - 1 != s.column && column <= s.others.size() + 1;
    if (other) s.column = column - 1;
    s.menu = s.menu == command.menu && !other ? Menu::kNone : command.menu;
    s.typed.clear();
    const auto items = menu_items(s.menu, s);
    const auto chosen = std::ranges::find_if(items, &MenuItem::chosen);
    s.menu_row = chosen == items.end() ? -1 : static_cast<int>(chosen - items.begin());
}

void activate(Session& app, const Command& command) {
    AppState& s = app.state;
    if (command.value > 0) s.menu_row = static_cast<int>(command.value) - 1;
    const auto items = menu_items(s.menu, s);
    if (s.menu_row < 0 || s.menu_row >= static_cast<int>(items.size())) return;
    const MenuItem& item = items[static_cast<std::size_t>(s.menu_row)];
    if (!item.usable) return say(app, item.remark, true);
    if (!stays_open(s.menu)) s.menu = Menu::kNone;
    apply(app, item.command);
}

}  // namespace warptree::state
