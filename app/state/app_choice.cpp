// Choices of what is shown: a kernel, its launch, a file; and how to take one back.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ranges>
#include <set>

#include <fmt/format.h>

#include "app/results/measurements.hpp"
#include "app/state/app.hpp"
#include "app/state/fields.hpp"
#include "app/state/menus.hpp"
#include "app/state/nearest.hpp"
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
/// the kernel has one alone, the barrier that was left out, and a coarsening factor. A kernel with a subject of its own
/// brings it.
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
    wanted.exclusive = wanted.exclusive && kernel->problem != kernels::Problem::kReduction;
    wanted.coarsen = kernel->sizes.coarsens ? std::max(kernels::usual_coarsen(*kernel), wanted.coarsen) : 1;
    wanted.without_barrier_line = 0;
}

auto undone_rows() {
    return field_rows() | std::views::filter([](const FieldRow& row) { return (row.uses & FieldRow::kUndone) != 0; });
}

}  // namespace

App::Choice::Choice(const AppState& s) : Chosen(s), goal(s.goal), camera(s.camera), view(s.view) {
    for (const FieldRow& row : undone_rows()) fields.push_back(value_of(row, s));
}

void App::remember() {
    auto& [undo, redo] = choices_;
    redo.clear();
    if (!state_.subject) return;
    undo.emplace_back(state_);
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
void App::take(SubjectPointer subject) {
    AppState& s = state_;
    const scene::View home = s.home();
    s.subject = std::move(subject);
    if (s.view == home || s.view == scene::View::kNetwork) s.view = s.home();
}

void App::show(SubjectPointer subject) {
    AppState& s = state_;
    take(std::move(subject));
    std::erase_if(s.messages, [](const Message& m) { return !m.sticky; });
    s.transport.playing = false;
    s.camera = {};
    if (s.open_folds != study::kAllOpen) s.open_folds = 0;  // the bits were of another run
    if (s.goal > 0) s.goal = s.row_of(s.goal - 1).end;
    step_to(s.goal, false);
}

void App::request(const kernels::Request& asked) {
    const auto read = with_values(asked);
    if (!read) return say(read.error().message, true);
    const kernels::Request& wanted = *read;
    if (state_.comparing() && state_.column > 0) return request_column(state_.column - 1, wanted);
    auto subject = subject_of({.request = wanted});
    if (!subject) return say(subject.error().message, true);
    auto others = following(wanted);
    if (!others) return say(others.error().message, true);
    remember();
    const std::string remark(wanted.numbers == state_.request.numbers ? "" : wanted.numbers.remark());
    state_.others = std::move(*others);
    state_.request = wanted;
    state_.file.clear();
    state_.version = 0;
    show(std::move(*subject));
    if (!remark.empty()) say(remark, false);
    say_what_is_kept();
}

/// The request with another input: its values are read, and what a file holds brings its type.
Result<kernels::Request> App::with_input(kernels::Request request, const Command& command) {
    request.input = command.text;
    request.format = {};
    request.numbers = nullptr;
    return with_values(request).and_then([&](kernels::Request read) {
        kernels::take_own_type(read);
        return chosen(read, command);
    });
}

/// Of a run too large to keep each access of: what is there, and what is not. Of values that the type does not hold:
/// how many they are.
void App::say_what_is_kept() {
    const trace::Trace& trace = state_.subject->trace;
    const trace::Launch& launch = trace.launch;
    std::string text = study::rounded_text(launch.rounded, launch.n, launch.type);
    if (trace.kept)
        text = fmt::format(
            "Counters are exact over all {} blocks. Their accesses are too many to keep{}.{}{}",
            study::grouped(launch.grid),
            kernels::find(launch.kernel) != nullptr ? ": a block is run again, alone, when you show it" : "",
            text.empty() ? "" : " ", text);
    if (!text.empty()) say(std::move(text), false);
}

void App::open(const std::string& path) {
    if (foreign::is_program(path)) return open_program(path);
    auto subject = subject_of({.file = path});
    if (!subject) return say(subject.error().message, true);
    remember();
    state_.request = kernels::request_of((*subject)->run());
    state_.file = path;
    state_.version = 0;
    if (state_.subject) state_.goal = 0;  // at the start it is where the last window stood
    show(std::move(*subject));
    say_what_is_kept();
    if (const std::string why = not_here(state_.request.kernel); !why.empty()) say(why, false);
}

void App::open_results(const std::string& path) {
    const auto opened = state::open_results(state_, path);
    if (!opened) return say(opened.error().message, true);
    if (state_.view != *opened) apply({.action = Action::kView, .text = std::string(scene::view_row(*opened).name)});
    std::error_code none;
    const auto at =
        std::ranges::find(*state_.results, std::filesystem::absolute(path, none).string(), &study::Measurements::path);
    say(at->runs.empty()
            ? fmt::format("{} opened: {} and {} of repeated runs.", at->name(),
                          study::counted(at->accuracy.size(), "error"), study::counted(at->repeats.size(), "row"))
            : fmt::format("{} opened: {}.", at->name(), study::counted(at->runs.size(), "time")),
        false);
}

/// Undo and redo: the choice on show changes places with the last of some.
void App::turn_back(std::vector<Choice>& from, std::vector<Choice>& to, const char* none) {
    if (from.empty()) return say(none, false);
    Choice last = std::move(from.back());
    from.pop_back();
    to.emplace_back(state_);
    take(last.subject);
    if (last.lesson.lesson || state_.lesson.lesson) state_.view = last.view;
    static_cast<Chosen&>(state_) = last;
    std::size_t field = 0;
    for (const FieldRow& row : undone_rows()) set_field(state_, row, last.fields[field++], row.name);
    state_.transport.playing = false;
    std::erase_if(state_.messages, [](const Message& m) { return !m.sticky; });
    update_comparison();  // of which the goal is a moment
    step_to(last.goal, false);
    if (state_.comparing()) state_.goal = last.goal;  // it may lie past the end of the one that is still on show
    state_.camera = last.camera;
}

/// Of another launch: the playhead goes to its first step.
void App::show_launch(std::size_t launch, double number) {
    AppState& s = state_;
    const auto& launches = s.subject->run().launches;
    if (launch >= launches.size()) return;
    const auto block = static_cast<std::uint32_t>(std::clamp(number, 0.0, launches[launch].launch.grid - 1.0));
    auto shown = subject_of({.of = s.subject, .launch = launch, .block = block});
    if (!shown) return say(shown.error().message, true);
    s.subject = std::move(*shown);
    s.camera = {};
    s.transport.playing = false;
    step_to(s.subject->first_step + 1, false);
}

void App::show_block(const Command& command) {
    const bool other = state_.comparing() && state_.column > 0;
    auto& subject = other ? state_.others[state_.column - 1].subject : state_.subject;
    if (!subject) return;
    if (!other && command.launch >= 0 && static_cast<std::size_t>(command.launch) != subject->launch)
        return show_launch(static_cast<std::size_t>(command.launch), command.value);
    const std::uint32_t grid = subject->trace.launch.grid, at = subject->block;
    if (grid <= 1)
        return say(subject->run().launches.size() == 1 ? "This run has one block only, and it is on show."
                                                       : "This launch has one block only, and it is on show.",
                   false);
    std::uint32_t block = (at + (command.action == Action::kNextBlock ? 1 : grid - 1)) % grid;
    if (command.action == Action::kShowBlock) {
        const auto wanted = static_cast<std::uint64_t>(std::clamp(command.value, 0.0, 1e15));
        if (wanted >= grid) return say(no_such_block(wanted, grid), true);
        block = static_cast<std::uint32_t>(wanted);
    }
    if (block == at) return;
    auto shown = subject_of({.of = subject, .launch = subject->launch, .block = block});
    if (!shown) return say(shown.error().message, true);
    subject = std::move(*shown);
}

bool App::apply_choice(const Command& command) {
    const AppState now = of_column(state_);
    kernels::Request wanted = now.request;
    wanted.block = 0;  // the usual one for what is chosen now
    switch (command.action) {
        case Action::kKernel:
            wanted.kernel = command.text;
            break;
        case Action::kKernelNumber: {
            const auto rows = kernels::catalog();
            if (command.value < 0 || command.value >= static_cast<double>(rows.size())) {
                say(fmt::format("There is no kernel {}; there are {}.", command.value + 1, rows.size()), true);
                return true;
            }
            wanted = with_kernel(now.request, rows[static_cast<std::size_t>(command.value)]);
            break;
        }
        case Action::kTeachingSize: {
            const kernels::Kernel* kernel = kernels::find(wanted.kernel);
            if (kernel == nullptr) break;
            if (is_on_a_slide(now.request)) {  // several blocks of a kernel that coarsens, else some would be padding
                wanted.n = kernel->sizes.coarsens ? 1024 : 256;
                wanted.warp_size = 32;
            } else {
                wanted = on_a_slide(*kernel, now.request);
            }
            break;
        }
        case Action::kNextBlock:
        case Action::kPreviousBlock:
        case Action::kShowBlock:
            show_block(command);
            return true;
        case Action::kOpen:
            if (ending_of(command.text) == ".toml") return open_lesson(command.text), true;
            if (study::holds_results(command.text)) return open_results(command.text), true;
            if (is_trace(command.text) || foreign::is_program(command.text)) return open(command.text), true;
            return apply_choice({.action = Action::kInput, .text = command.text});
        case Action::kRunAgain:
            run_again();
            return true;
        case Action::kUndo:
            turn_back(choices_.undo, choices_.redo, "There is no earlier choice to go back to.");
            return true;
        case Action::kRedo:
            turn_back(choices_.redo, choices_.undo, "No choice was taken back that could be made again.");
            return true;
        default:
            if (!is_option(command.action)) return false;
            if (command.action == Action::kExclusive && !state::menu_applies(Menu::kScan, now))
                return say("A reduction is neither inclusive nor exclusive; choose a scan.", false), true;
            auto with =
                command.action == Action::kInput ? with_input(now.request, command) : chosen(now.request, command);
            if (!with) return say(with.error().message, true), true;
            wanted = std::move(*with);
    }
    if (const std::string why = not_here(wanted.kernel); !why.empty() && wanted.kernel == now.request.kernel)
        return say(why, false), true;
    fit_to_kernel(wanted, now.request);
    const auto near = kernels::check(wanted) ? std::nullopt : nearest(wanted);
    if (near) wanted = near->request;
    const bool same = wanted == now.request && now.file.empty() && now.subject;
    if (!same) request(wanted);
    if (!near || of_column(state_).request != wanted) return true;
    say(fmt::format("{} cannot take {}; it {} {}{}.", wanted.kernel, near->asked, same ? "keeps" : "has", near->gets,
                    same ? "" : " now. Ctrl Z takes that back"),
        false);
    return true;
}

}  // namespace warptree::state
