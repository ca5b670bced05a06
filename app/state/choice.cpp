// Choices of what is shown: a kernel, its launch, a file; and how to take one back.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ranges>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/results/measurements.hpp"
#include "app/state/fields.hpp"
#include "app/state/link.hpp"
#include "app/state/menus.hpp"
#include "app/state/nearest.hpp"
#include "app/state/session.hpp"
#include "app/subject/words.hpp"
#include "instrumentation/foreign/program.hpp"
#include "instrumentation/request/inputs.hpp"
#include "instrumentation/text.hpp"

namespace warptree::state {
namespace {

constexpr std::size_t kMostUndo = 64;
constexpr std::size_t kMostUndoBytes = std::size_t{1} << 30;  // of their traces

std::size_t bytes_of(const trace::Run& run) {
    constexpr std::size_t kRow = 26;  // all columns but that of values
    std::size_t bytes = 0;
    for (const trace::Trace& trace : run.launches) {
        bytes += trace.rows() * kRow + trace.value.bytes.size();
        for (const auto* contents : {&trace.initial, &trace.final})
            for (const value::Values& values : *contents) bytes += values.bytes.size();
    }
    return bytes;
}

/// Whether a file is a trace: by its name, or where that says nothing by its beginning. All others have values, or are
/// named for what they are by who reads those.
bool is_trace(const std::string& path) {
    static constexpr std::string_view kOthers[] = {".npz", ".xlsx", ".ods", ".docx", ".pt", ".pth"};  // archives, too
    const std::string ending = ending_of(path);
    if (ending == ".wtrace") return true;
    std::string begin(2, '\0');
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return ending.empty();
    std::ifstream(path, std::ios::binary).read(begin.data(), 2);
    return begin == "PK" && std::ranges::find(kOthers, ending) == std::end(kOthers);
}

/// Takes back what only the choice before had: its type, where kernel and operator cannot take it, its operator where
/// the kernel has one alone, the barrier that was left out, a coarsening factor, and its devices. A kernel with a
/// subject of its own brings it.
void fit_to_kernel(kernels::Request& wanted, const kernels::Request& before) {
    const kernels::Kernel* kernel = kernels::find(wanted.kernel);
    if (!kernel || (wanted.kernel == before.kernel && wanted.op == before.op)) return;
    const bool own_subject = kernel->usual != kernels::Usual{} && kernel->usual.op != wanted.op;
    if (own_subject && wanted.kernel != before.kernel) kernels::take_usual(*kernel, wanted);
    wanted.type = fitting_type(wanted);
    if (wanted.kernel == before.kernel) return;
    if (kernel->sizes.needs.compensates && wanted.op != kernel->usual.op) {
        wanted.op = kernel->usual.op;
        wanted.type = fitting_type(wanted);
    }
    wanted.exclusive = wanted.exclusive && kernel->scans();
    if (!value::is_collective(kernel->problem)) wanted.devices = 0;
    wanted.coarsen = kernel->sizes.coarsens ? std::max(kernels::usual_coarsen(*kernel), wanted.coarsen) : 1;
    wanted.without_barrier_line = 0;
}

auto undone_rows() {
    return field_rows() | std::views::filter([](const FieldRow& row) { return (row.uses & FieldRow::kUndone) != 0; });
}

}  // namespace

Choice::Choice(const AppState& s) : Chosen(s), goal(s.goal), camera(s.camera), view(s.view), choices(s) {
    for (const FieldRow& row : undone_rows()) fields.push_back(value_of(row, s));
}

void remember(Session& app) {
    auto& [undo, redo] = app.choices;
    redo.clear();
    if (!app.state.subject) return;
    undo.emplace_back(app.state);
    if (undo.size() > kMostUndo) undo.erase(undo.begin());
    std::set<const trace::Run*> runs;
    std::size_t bytes = 0, kept = 0;
    for (auto choice = undo.rbegin(); choice != undo.rend(); ++choice, ++kept) {
        const trace::Run& run = choice->subject->run();
        if (runs.insert(&run).second) bytes += bytes_of(run);
        if (kept > 0 && bytes > kMostUndoBytes) break;
    }
    undo.erase(undo.begin(), undo.end() - static_cast<std::ptrdiff_t>(kept));
}

/// Puts a run on show: in its own view, where the one before was in its.
void take(Session& app, SubjectPointer subject) {
    AppState& s = app.state;
    const scene::View home = s.home();
    const auto level = s.level_of(s.view);
    s.subject = std::move(subject);
    if (s.view == home || s.view == scene::View::kNetwork) s.view = s.home();
    if (s.level_of(s.view) != level) s.depth = s.resting_depth();
}

void show(Session& app, SubjectPointer subject) {
    AppState& s = app.state;
    take(app, std::move(subject));
    std::erase_if(s.messages, [](const Message& m) { return !m.sticky; });
    s.transport.playing = false;
    s.camera = {};
    if (s.open_folds != study::kAllOpen) s.open_folds = 0;  // the bits were of another run
    if (s.goal > 0) s.goal = s.row_of(s.goal - 1).end;
    step_to(app, s.goal, false);
}

namespace {

/// The request with another input: its values are read, and what a file holds brings its type.
Result<kernels::Request> with_input(Session& app, kernels::Request request, const Command& command) {
    request.input = command.text;
    request.format = {};
    request.numbers = nullptr;
    return with_values(app, request).and_then([&](kernels::Request read) {
        kernels::take_own_type(read);
        return chosen(read, command);
    });
}

/// Of a run too large to keep each access of: what is there, and what is not. Of values that the type does not hold:
/// how many they are.
void say_what_is_kept(Session& app) {
    const trace::Trace& trace = app.state.subject->trace;
    const trace::Launch& launch = trace.launch;
    std::string text = study::rounded_text(launch.rounded, launch.n, launch.type);
    if (trace.kept)
        text = fmt::format(
            "Counters are exact over all {} blocks. Their accesses are too many to keep{}.{}{}",
            study::grouped(launch.grid),
            kernels::find(launch.kernel) != nullptr ? ": a block is run again, alone, when you show it" : "",
            text.empty() ? "" : " ", text);
    if (!text.empty()) say(app, std::move(text), false);
}

}  // namespace

void request(Session& app, const kernels::Request& asked) {
    auto read = with_values(app, asked);
    if (!read) return say(app, read.error().message, true);
    kernels::Request& wanted = *read;
    if (app.state.comparing() && app.state.column > 0) return request_column(app, app.state.column - 1, wanted);
    auto subject = subject_of(app, wanted);
    if (!subject) return say(app, subject.error().message, true);
    auto others = following(app, wanted);
    if (!others) return say(app, others.error().message, true);
    remember(app);
    const std::string remark(wanted.numbers == app.state.request.numbers ? "" : wanted.numbers.remark());
    app.state.others = std::move(*others);
    app.state.request = wanted;
    app.state.file.clear();
    app.state.version = 0;
    show(app, std::move(*subject));
    if (!remark.empty()) say(app, remark, false);
    say_what_is_kept(app);
}

void open(Session& app, const std::string& path) {
    if (foreign::is_program(path)) return open_program(app, path);
    auto subject = subject_of(app, {.file = path});
    if (!subject) return say(app, subject.error().message, true);
    remember(app);
    app.state.request = kernels::request_of((*subject)->run());
    app.state.file = path;
    app.state.version = 0;
    keep_recent(app.state, path);
    if (app.state.subject) app.state.goal = 0;  // at the start it is where the last window stood
    show(app, std::move(*subject));
    say_what_is_kept(app);
    if (const std::string why = not_here(app.state.request.kernel); !why.empty()) say(app, why, false);
}

void open_results(Session& app, const std::string& path) {
    const auto opened = state::open_results(app.state, path);
    if (!opened) return say(app, opened.error().message, true);
    keep_recent(app.state, path);
    if (app.state.view != *opened)
        apply(app, {.action = Action::kView, .text = std::string(scene::view_row(*opened).name)});
    std::error_code none;
    const auto at = std::ranges::find(*app.state.results, std::filesystem::absolute(path, none).string(),
                                      &study::Measurements::path);
    say(app,
        at->runs.empty()
            ? fmt::format("{} opened: {} and {} of repeated runs.", at->name(),
                          study::counted(at->accuracy.size(), "error"), study::counted(at->repeats.size(), "row"))
            : fmt::format("{} opened: {}.", at->name(), study::counted(at->runs.size(), "time")),
        false);
}

/// What was tried, or told, stays so.
void keep_tries(const LessonPlace& now, LessonPlace& then) {
    if (now.source != then.source || now.answers.size() != then.answers.size()) return;
    for (std::size_t i = 0; i < now.answers.size(); ++i) {
        if (now.answers[i].revealed)
            then.answers[i] = now.answers[i];
        else if (!then.answers[i].revealed)
            then.answers[i].first = now.answers[i].first, then.answers[i].found = now.answers[i].found;
    }
}

/// Undo and redo: the choice on show changes places with the last of some.
void turn_back(Session& app, std::vector<Choice>& from, std::vector<Choice>& to, const char* none) {
    if (from.empty()) return say(app, none, false);
    Choice last = std::move(from.back());
    from.pop_back();
    to.emplace_back(app.state);
    to.back().of_view = last.of_view;
    keep_tries(app.state.lesson, last.lesson);
    take(app, last.subject);
    if (last.of_view || last.lesson.lesson || app.state.lesson.lesson)
        app.state.view = last.view, static_cast<scene::ViewChoices&>(app.state) = last.choices;
    static_cast<Chosen&>(app.state) = last;
    std::size_t field = 0;
    for (const FieldRow& row : undone_rows()) set_field(app.state, row, last.fields[field++], row.name);
    app.state.transport.playing = false;
    std::erase_if(app.state.messages, [](const Message& m) { return !m.sticky; });
    update_comparison(app);  // of which the goal is a moment
    step_to(app, last.goal, false);
    if (app.state.comparing()) app.state.goal = last.goal;  // it may lie past the end of the one that is still on show
    app.state.camera = last.camera;
}

/// Of another launch: the playhead goes to its first step.
void show_launch(Session& app, std::size_t launch, double number) {
    AppState& s = app.state;
    const auto& launches = s.subject->run().launches;
    if (launch >= launches.size()) return;
    const auto block = static_cast<std::uint32_t>(std::clamp(number, 0.0, launches[launch].launch.grid - 1.0));
    auto shown = subject_of(app, {.of = s.subject, .launch = launch, .block = block});
    if (!shown) return say(app, shown.error().message, true);
    s.subject = std::move(*shown);
    s.camera = {};
    s.transport.playing = false;
    step_to(app, s.subject->first_step + 1, false);
}

void show_block(Session& app, const Command& command) {
    const bool other = app.state.comparing() && app.state.column > 0;
    auto& subject = other ? app.state.others[app.state.column - 1].subject : app.state.subject;
    if (!subject) return;
    if (!other && command.launch >= 0 && static_cast<std::size_t>(command.launch) != subject->launch)
        return show_launch(app, static_cast<std::size_t>(command.launch), command.value);
    const std::uint32_t grid = subject->trace.launch.grid, at = subject->block;
    if (grid <= 1)
        return say(app,
                   subject->run().launches.size() == 1 ? "This run has one block only, and it is on show."
                                                       : "This launch has one block only, and it is on show.",
                   false);
    std::uint32_t block = (at + (command.action == Action::kNextBlock ? 1 : grid - 1)) % grid;
    if (command.action == Action::kShowBlock) {
        const auto wanted = static_cast<std::uint64_t>(std::clamp(command.value, 0.0, 1e15));
        if (wanted >= grid) return say(app, no_such_block(wanted, grid), true);
        block = static_cast<std::uint32_t>(wanted);
    }
    if (block == at) return;
    auto shown = subject_of(app, {.of = subject, .launch = subject->launch, .block = block});
    if (!shown) return say(app, shown.error().message, true);
    subject = std::move(*shown);
}

namespace {

/// The request of the column that choices change, for another choice: with the usual block for that.
kernels::Request to_change(const AppState& state) {
    kernels::Request wanted = of_column(state).request;
    wanted.block = 0;
    return wanted;
}

}  // namespace

namespace {

/// Of a lesson's question that a run answers: what it lets be changed is, and nothing else. The end stays the end.
void choose_answer(Session& app, kernels::Request wanted) {
    AppState& s = app.state;
    if (wanted.block == 0) wanted.block = s.request.block;  // another N would bring the usual one
    const kernels::Request run = s.lesson.within(wanted);
    if (run == s.request && wanted != run)
        return say(app,
                   fmt::format("What this question lets you change is {}; all else stays, until Esc leaves the lesson.",
                               fmt::join(s.lesson.on_show()->question->change, " and ")),
                   false);
    if (run == s.request) return;
    const bool at_end = s.goal == s.steps();
    request(app, run);
    if (at_end && s.request == run) step_to(app, s.steps(), false);
}

}  // namespace

/// Shows what is wanted, or the nearest to it that the kernel takes.
void choose(Session& app, kernels::Request wanted) {
    const AppState now = of_column(app.state);
    if (const std::string why = not_here(wanted.kernel); !why.empty() && wanted.kernel == now.request.kernel)
        return say(app, why, false);
    fit_to_kernel(wanted, now.request);
    if (app.state.lesson.of_run() && app.state.column == 0) return choose_answer(app, wanted);
    const auto near = kernels::check(wanted) ? std::nullopt : nearest(wanted);
    if (near) wanted = near->request;
    const bool same = wanted == now.request && now.file.empty() && now.subject;
    if (!same) request(app, wanted);
    if (!near || of_column(app.state).request != wanted) return;
    say(app,
        fmt::format("{} cannot take {}; it {} {}{}.", wanted.kernel, near->asked, same ? "keeps" : "has", near->gets,
                    same ? "" : " now. Ctrl Z takes that back"),
        false);
}

void choose_kernel(Session& app, std::string_view name) {
    kernels::Request wanted = to_change(app.state);
    wanted.kernel = name;
    choose(app, std::move(wanted));
}

void choose_row(Session& app, double row) {
    const auto rows = kernels::catalog();
    if (row < 0 || row >= static_cast<double>(rows.size()))
        return say(app, fmt::format("There is no kernel {}; there are {}.", row + 1, rows.size()), true);
    choose(app, with_kernel(of_column(app.state).request, rows[static_cast<std::size_t>(row)]));
}

void choose_size(Session& app) {
    const kernels::Request now = of_column(app.state).request;
    kernels::Request wanted = to_change(app.state);
    const kernels::Kernel* kernel = kernels::find(wanted.kernel);
    if (kernel != nullptr &&
        is_on_a_slide(now)) {  // several blocks of a kernel that coarsens, else some would be padding
        wanted.n = kernel->sizes.coarsens ? 1024 : 256;
        wanted.warp_size = 32;
    } else if (kernel != nullptr) {
        wanted = on_a_slide(*kernel, now);
    }
    choose(app, std::move(wanted));
}

void choose_option(Session& app, const Command& command) {
    const AppState now = of_column(app.state);
    if (command.action == Action::kExclusive && !menu_applies(Menu::kScan, now))
        return say(app, "A reduction is neither inclusive nor exclusive; choose a scan.", false);
    auto with = command.action == Action::kInput ? with_input(app, now.request, command) : chosen(now.request, command);
    if (!with) return say(app, with.error().message, true);
    choose(app, std::move(*with));
}

void open_any(Session& app, const std::string& path) {
    if (is_link(path)) return open_link(app, path);
    std::error_code none;
    if (std::ranges::find(app.state.recent, path) != app.state.recent.end() && !std::filesystem::exists(path, none)) {
        std::erase(app.state.recent, path);
        return say(app, fmt::format("{} is no longer there, and no longer among the recent files.", path), true);
    }
    if (ending_of(path) == ".toml") return open_lesson(app, {.text = path});
    if (study::holds_results(path)) return open_results(app, path);
    if (is_trace(path) || foreign::is_program(path)) return open(app, path);
    choose_option(app, {.action = Action::kInput, .text = path});
    if (of_column(app.state).request.input == path && kernels::is_file_of_values(path)) keep_recent(app.state, path);
}

}  // namespace warptree::state
