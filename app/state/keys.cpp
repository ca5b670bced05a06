// The table of keys. A presenter's remote sends PageUp, PageDown, '.', F5 and Escape: each of them is here.
#include "app/state/keys.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/paint/utf8.hpp"
#include "app/state/key_file.hpp"
#include "app/state/keyboard.hpp"
#include "app/state/menus.hpp"

namespace warptree::state {
namespace {

KeyPress named(Named key, bool control = false, bool shift = false) {
    return {key, 0, control, shift};
}
KeyPress character(char32_t c, bool control = false, bool shift = false) {
    return {Named::kNone, c, control, shift};
}
Command act(Action action, double value = 0) {
    return {.action = action, .value = value};
}
Command view(const char* name) {
    return {.action = Action::kView, .text = name};
}
Command menu(Menu which) {
    return {.action = Action::kMenu, .menu = which};
}

std::vector<Binding> make_bindings() {
    std::vector<Binding> all = {
        {named(Named::kRight), act(Action::kForward), "forward", "→  Space", "one step forward"},
        {character(U' '), act(Action::kForward), "forward", "", ""},
        {named(Named::kLeft), act(Action::kBack), "back", "←", "one step back"},
        {character(U' ', false, true), act(Action::kBack), "back", "", ""},
        {named(Named::kPageDown), act(Action::kNext), "next", "PageDown  PageUp",
         "the same, and on to the next kernel"},
        {named(Named::kPageUp), act(Action::kPrevious), "previous", "", ""},
        {named(Named::kRight, false, true), act(Action::kForwardPhase), "forward-phase", "Shift →  Shift ←",
         "a whole phase"},
        {named(Named::kLeft, false, true), act(Action::kBackPhase), "back-phase", "", ""},
        {named(Named::kPageDown, false, true), act(Action::kForwardPhase), "forward-phase", "", ""},
        {named(Named::kPageUp, false, true), act(Action::kBackPhase), "back-phase", "", ""},
        {named(Named::kPageDown, true), act(Action::kScene, 1), "next-scene", "Ctrl PageDown",
         "in a lesson: the next scene; in a course, past those that can go"},
        {named(Named::kPageUp, true), act(Action::kScene, -1), "previous-scene", "", ""},
        {character(U'r'), act(Action::kFold, -1), "repetitions", "R", "steps that repeat: one row, or one by one"},
        {named(Named::kHome), act(Action::kFirst), "first", "Home  End", "before the first step, after the last"},
        {named(Named::kEnd), act(Action::kLast), "last", "", ""},
        {character(U'p'), act(Action::kPlayPause), "play", "P", "play or pause"},
        {character(U']'), turn(Field::kSpeed), "faster", "]  [", "faster, slower"},
        {character(U'['), turn(Field::kSpeed, -1), "slower", "", ""},
        {character(U'a'), turn(Field::kAnimate), "animation", "A", "animation on or off"},
    };
    for (int i = 0; i < 9; ++i) {
        all.push_back({character(U'1' + static_cast<char32_t>(i)), act(Action::kKernelNumber, i),
                       fmt::format("kernel-{}", i + 1), i == 0 ? "1 … 9" : "", i == 0 ? "choose a kernel" : ""});
    }
    const std::vector<Binding> rest = {
        {named(Named::kDown), act(Action::kNextBlock), "next-block", "↓  ↑", "another block of the grid"},
        {named(Named::kUp), act(Action::kPreviousBlock), "previous-block", "", ""},
        {named(Named::kEnter), act(Action::kActivate), "into", "Enter  Backspace",
         "into a block and its warp; out, to the grid"},
        {named(Named::kBackspace), act(Action::kOut), "out", "", ""},
        {character(U't'), act(Action::kTeachingSize), "size", "T",
         "a size for slides with warps of 4, or one for warps of 32"},
        {character(U'n'), menu(Menu::kN), "n", "N", "choose N, or type one"},
        {character(U'i'), menu(Menu::kInput), "input", "I", "choose the input, or type values"},
        {character(U'l', false, true), menu(Menu::kLessons), "lessons", "Shift L", "choose a lesson (Esc leaves it)"},
        {character(U'o', true), menu(Menu::kRecent), "recent-files", "Ctrl O",
         "open a file again, one of the last ten"},
        {character(U'v', true), act(Action::kPaste), "paste", "Ctrl V",
         "paste values: 3, 1, 7, 0; a link; or a CUDA program"},
        {character(U'c', true), act(Action::kCopyLink), "copy-link", "Ctrl C",
         "copy a link to what is on show; Ctrl V leads there"},
        {character(U'r', true), act(Action::kRunAgain), "run-again", "Ctrl R",
         "run a CUDA file of your own again, beside the version before (C), or read a lesson of your own again"},
        {character(U'r', false, true), menu(Menu::kResults), "results", "Shift R",
         "of a CUDA file of your own that has several results: which is shown"},
        {character(U'n', false, true), act(Action::kSmaller), "smaller-n", "Shift N",
         "run one that does too much with the smaller number that is proposed"},
        {character(U'p', true), menu(Menu::kFind), "find", "Ctrl P",
         "find anything by its name: a key, a view, a kernel, a lesson"},
        {character(U'z', true), act(Action::kUndo), "undo", "Ctrl Z  Ctrl Y",
         "take back the last choice; make it again"},
        {character(U'y', true), act(Action::kRedo), "redo", "", ""},
        {character(U'z', true, true), act(Action::kRedo), "redo", "", ""},
        {character(U'c', false, true), turn(Field::kTheme), "theme", "Shift C", "next theme"},
        {character(U'+', true), turn(Field::kScale), "larger", "Ctrl +  Ctrl −  Ctrl 0",
         "everything larger, smaller, as usual"},
        {character(U'=', true), turn(Field::kScale), "larger", "", ""},
        {character(U'+', true, true), turn(Field::kScale), "larger", "", ""},
        {character(U'=', true, true), turn(Field::kScale), "larger", "", ""},
        {character(U'-', true), turn(Field::kScale, -1), "smaller", "", ""},
        {character(U'0', true), turn(Field::kScale, 0), "usual-size", "", ""},
        {character(U'0'), act(Action::kCameraReset), "whole-tree", "0",
         "the whole tree again (wheel zooms, dragging moves)"},
        {character(U'f'), turn(Field::kFullScreen), "full-screen", "F  F11", "full screen"},
        {named(Named::kF11), turn(Field::kFullScreen), "full-screen", "", ""},
        {named(Named::kF5), act(Action::kLecture), "lecture", "F5", "the lecture: picture and caption alone, or back"},
        {character(U'l'), act(Action::kLaser), "spot", "L",
         "in the lecture: a spot of light; a click leaves a number, dragging a line", true},
        {character(U'l', true), act(Action::kWipe), "wipe", "Ctrl L", "wipe off the marks of this step and view"},
        {character(U's', false, true), turn(Field::kCodeLines), "code-lines", "Shift S",
         "in the lecture: the running lines and one number", true},
        {character(U'y'), turn(Field::kText), "text-size", "Y", "text for a desk, a lecture, a hall"},
        {character(U'v'), act(Action::kNextView), "next-view", "V  Shift V", "next view, the one before"},
        {character(U'v', false, true), act(Action::kPreviousView), "previous-view", "", ""},
        {character(U'l'), view("grid"), "view-grid", "L", "all launches and blocks: the grid; again: the tree"},
        {character(U's'), view("network"), "view-network", "S", "the network of a scan, or back"},
        {character(U'e', false, true), act(Action::kExclusive, -1), "exclusive", "Shift E",
         "a scan inclusive or exclusive"},
        {character(U'h'), view("hazards"), "view-hazards", "H", "hazards: what each barrier is for; again: the tree"},
        {character(U'g'), view("coarsening"), "view-coarsening", "G", "coarsening (grain), or back"},
        {character(U'k'), view("tournament"), "view-tournament", "K", "a tournament (knock-out), or back"},
        {character(U'c'), view("compare"), "view-compare", "C", "compare kernels side by side, or back"},
        {character(U'w'), view("warps"), "view-warps", "W", "what each step's warps cost, or back"},
        {character(U'm'), view("memory"), "view-memory", "M", "what a warp asks of memory, or back"},
        {character(U'u'), view("ladder"), "view-ladder", "U", "up the ladder: what was measured, or back"},
        {character(U'x'), act(Action::kSwap), "swap", "X", "swap two columns; of Warps: one step, all steps"},
        {character(U'o'), view("order"), "view-order", "O", "order and parentheses, or back"},
        {character(U'+'), act(Action::kAddColumn), "add-column", "+  −", "one more column, or one less"},
        {character(U'='), act(Action::kAddColumn), "add-column", "", ""},  // where + takes Shift
        {character(U'-'), act(Action::kRemoveColumn, -1), "remove-column", "", ""},
        {character(U't', false, true), act(Action::kNextPicture), "next-picture", "Shift T",
         "columns in step, or by time; of Ladder and Accuracy, another picture"},
        {character(U'd'), view("accuracy"), "view-accuracy", "D", "accuracy: the digits that additions lose, or back"},
        {character(U'd', false, true), turn(Field::kErrors), "digits-lost", "Shift D",
         "digits lost: how far each sum of the tree is off"},
        {character(U'.'), turn(Field::kBlank), "blank", ".  B", "blank screen"},
        {character(U'b'), turn(Field::kBlank), "blank", "", ""},
        {named(Named::kTab), act(Action::kFocusNext), "next-control", "Tab  Enter", "go to the next control, use it"},
        {named(Named::kTab, false, true), act(Action::kFocusPrevious), "previous-control", "", ""},
        {character(U's', true), act(Action::kSave), "save", "Ctrl S",
         "save this run, of the ladder its results; or a picture, NAME.png, .svg, .pdf"},
        {character(U'e', true),
         {.action = Action::kSave, .text = kExportName},
         "export",
         "Ctrl E",
         "export all steps, or the lesson: slides, pictures, a film, a page for browsers"},
        {character(U'e'), turn(Field::kEdition), "edition", "E",
         "the book's formulas: of both editions, the 4th, the 5th"},
        {character(U'?'), turn(Field::kHelp), "help", "?  F1", "all keys"},
        {named(Named::kF1), turn(Field::kHelp), "help", "", ""},
        {named(Named::kEscape), act(Action::kEscape), "escape", "Esc",
         "close what is open, cancel a run (never quits)"},
        {character(U'q', true), act(Action::kQuit), "quit", "Ctrl Q", "quit"},
    };
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
}

}  // namespace

std::span<const Binding> bindings() {
    static const std::vector<Binding> all = make_bindings();
    return all;
}

std::span<const Binding> bindings(const AppState& state) {
    return state.keys ? std::span<const Binding>(*state.keys) : bindings();
}

std::string key_of(const Command& command, const AppState& state) {
    const auto keys = bindings(state);
    const auto key = std::ranges::find(keys, command, &Binding::command);
    return key == keys.end() ? "" : shown_name(key->press);
}

std::vector<KeyGroup> key_groups(std::span<const Binding> keys) {
    using enum Action;
    struct Group {
        std::string_view title;
        std::vector<Action> actions;
        std::vector<Field> fields;
    };
    static const Group kGroups[] = {
        {"Step by step",
         {kForward, kBack, kNext, kPrevious, kForwardPhase, kBackPhase, kFold, kFirst, kLast, kPlayPause},
         {Field::kSpeed, Field::kAnimate}},
        {"What runs",
         {kKernelNumber, kN, kMenu, kTeachingSize, kExclusive, kPaste, kCopyLink, kRunAgain, kSmaller, kUndo, kRedo,
          kSave},
         {}},
        {"Views",
         {kView, kNextView, kPreviousView, kNextBlock, kPreviousBlock, kActivate, kOut, kCameraReset, kSwap, kAddColumn,
          kRemoveColumn, kNextPicture},
         {Field::kErrors, Field::kEdition}},
        {"Lecture",
         {kLecture, kLaser, kWipe, kScene},
         {Field::kCodeLines, Field::kBlank, Field::kFullScreen, Field::kText}}};
    std::vector<KeyGroup> groups;
    for (const auto& group : kGroups) groups.push_back({group.title, {}});
    groups.push_back({"The window", {}});  // all else
    for (const Binding& binding : keys) {
        if (binding.keys.empty()) continue;
        const Command& c = binding.command;
        const auto at = std::ranges::find_if(kGroups, [&](const Group& group) {
            return c.field != Field::kNone ? std::ranges::find(group.fields, c.field) != group.fields.end()
                                           : std::ranges::find(group.actions, c.action) != group.actions.end();
        });
        groups[static_cast<std::size_t>(at - kGroups)].rows.push_back(&binding);
    }
    return groups;
}

namespace {

/// What a key means to the question on show: a choice, a digit, and Enter for the answer.
std::optional<Command> answer_for(const KeyPress& press, const AppState& state) {
    const LessonPlace& place = state.lesson;
    if (state.menu != Menu::kNone || state.blank || press.control || press.shift) return {};
    const std::size_t digit = press.character - U'0';
    if (place.over && place.lesson->exercises && (digit == 1 || digit == 2))
        return act(Action::kAnswer, static_cast<double>(digit - 1));
    if (!place.asking) return {};
    if (place.of_run() && press.named != Named::kEnter) return {};
    const std::size_t choices = place.posed->choices.size();
    if (press.character >= U'0' && press.character <= U'9') {
        if (choices == 0) return act(Action::kDigit, static_cast<double>(digit));
        if (digit > 0 && digit <= choices) return act(Action::kAnswer, static_cast<double>(digit - 1));
        return act(Action::kNone);
    }
    if (press.named == Named::kBackspace) return act(Action::kErase);
    if (press.named == Named::kEnter && state.focus < 0) return act(Action::kNext);
    return {};
}

}  // namespace

namespace {

Command text_typed(char32_t c) {
    std::string text;
    paint::append_character(text, c);
    return {.action = Action::kCharacter, .text = std::move(text)};
}

/// What a key means where a file's name is asked for: everything is text there.
Command name_for(const KeyPress& press, const AppState& state) {
    static constexpr std::pair<Named, Action> kKeys[] = {
        {Named::kEnter, Action::kActivate}, {Named::kEscape, Action::kEscape}, {Named::kBackspace, Action::kErase},
        {Named::kLeft, Action::kBack},      {Named::kRight, Action::kForward}, {Named::kHome, Action::kFirst},
        {Named::kEnd, Action::kLast}};
    for (const auto& [key, action] : kKeys)
        if (press.named == key) return act(action);
    if (press.control || press.text() == 0)  // others are text
        for (const Binding& binding : bindings(state))
            if (binding.press == press &&
                (binding.command.action == Action::kPaste || binding.command.action == Action::kQuit))
                return binding.command;
    return press.text() >= U' ' ? text_typed(press.text()) : Command{};
}

/// In a menu of numbers: digits, and ^ for powers; a dead ^ makes small raised digits.
std::optional<Command> number_for(const KeyPress& press) {
    static constexpr std::u32string_view kRaised = U"⁰¹²³⁴⁵⁶⁷⁸⁹";
    const char32_t c = press.text();
    if (c == U'^') return text_typed(c);
    if (const auto raised = kRaised.find(c); c != 0 && raised != kRaised.npos)
        return Command{.action = Action::kCharacter, .text = "^" + std::to_string(raised)};
    if (!press.shift && press.character >= U'0' && press.character <= U'9')
        return act(Action::kDigit, press.character - U'0');
    if (press.named == Named::kBackspace) return act(Action::kErase);
    return {};
}

/// Of what there is to begin with: by its number, by arrows and Enter; all else leads past it.
Command start_for(const KeyPress& press, const AppState& state) {
    const std::size_t digit = press.character - U'0';
    if (digit > 0 && digit <= menu_items(Menu::kStart, state).size())
        return act(Action::kActivate, static_cast<double>(digit));
    if (press.named == Named::kUp || press.named == Named::kDown)
        return act(press.named == Named::kUp ? Action::kUp : Action::kDown);
    if (press.named == Named::kEnter && state.menu_row >= 0) return act(Action::kActivate);
    for (const Binding& binding : bindings(state))
        if (binding.press == press && binding.command.action == Action::kQuit) return binding.command;
    return menu(Menu::kStart);
}

}  // namespace

std::optional<Command> command_for(const KeyPress& press, const AppState& state) {
    if (state.saving) return name_for(press, state);
    if (const auto answer = answer_for(press, state)) return answer;
    // The key that opened a menu closes it, until something is typed there.
    const bool closes = state.menu != Menu::kNone && state.typed.empty() &&
                        std::ranges::any_of(bindings(state), [&](const Binding& binding) {
                            return binding.press == press && binding.command.menu == state.menu;
                        });
    if (takes_values(state.menu) && !press.control && !closes) {
        const int digit = digit_of(press.text());
        if (digit >= 0) return text_typed(U'0' + static_cast<char32_t>(digit));
        if (press.text() > U' ' || (press.text() == U' ' && !state.typed.empty())) return text_typed(press.text());
        if (press.named == Named::kBackspace) return act(Action::kErase);
    }
    if (state.menu == Menu::kStart) return start_for(press, state);
    if (state.menu != Menu::kNone && !press.control) {
        if (press.named == Named::kUp) return act(Action::kUp);
        if (press.named == Named::kDown) return act(Action::kDown);
        if (press.named == Named::kEnter || press.character == U' ') return act(Action::kActivate);
    }
    if (takes_digits(state.menu) && !press.control)
        if (const auto number = number_for(press)) return number;
    if (state.menu != Menu::kNone && press.character != 0 && !press.control && !closes) return std::nullopt;
    // A blank screen comes back with whichever key moves on, and that key does no more than that.
    for (const Binding& binding : bindings(state)) {
        if (binding.press != press || (binding.lecture && !state.lecture)) continue;
        static constexpr Action kMoves[] = {Action::kForward, Action::kBack, Action::kNext, Action::kPrevious};
        if (state.blank && std::ranges::find(kMoves, binding.command.action) != std::end(kMoves))
            return turn(Field::kBlank);
        return binding.command;
    }
    return std::nullopt;
}

}  // namespace warptree::state
