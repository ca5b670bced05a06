// CUDA files on the command line.
#include "app/cli/program.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <ranges>
#include <span>
#include <sstream>

#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "app/cli/errors.hpp"
#include "app/cli/judged.hpp"
#include "app/cli/report.hpp"
#include "app/exercise/condition.hpp"
#include "app/subject/subject.hpp"
#include "instrumentation/embedded.hpp"
#include "instrumentation/json/json.hpp"
#include "instrumentation/text.hpp"
#include "instrumentation/trace/durable_file.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::cli {
namespace {

constexpr std::string_view kExercise = "exercise";  // the kind of notes of conditions that do not hold

/// What a program did, and the exercise's conditions, a line each behind a first one.
struct Ran {
    foreign::Outcome outcome;
    std::vector<std::string> conditions = {};  // none: it was run for no exercise, or cannot be judged
    bool solved = false, smaller = false;      // smaller: it was to run with a smaller number
};

/// Adds what holds, and notes of the conditions that do not.
void hold_against(const exercise::Exercise& exercise, const exercise::Test& test, Ran& ran) {
    foreign::Outcome& outcome = ran.outcome;
    if (!outcome.run) return;
    const study::RunFacts facts(*outcome.run);
    std::vector<foreign::Note> missed;
    std::string hold;
    for (const exercise::Condition& one : exercise.conditions) {
        const auto found = exercise::judge_condition(one.holds, exercise, test, outcome, facts);
        if (found.holds) {
            hold += fmt::format("{}✓ {}", hold.empty() ? "" : "   ", one.holds);
            continue;
        }
        missed.push_back({.line = found.line, .kind = std::string(kExercise), .text = one.holds + ": " + found.why});
        std::string why = missed.back().text.substr(0, missed.back().text.find(". "));  // all of it is at its line
        if (!why.ends_with('.')) why += '.';
        ran.conditions.push_back(fmt::format("✗ {}{}{}{}", found.line > 0 ? fmt::format("line {}, ", found.line) : "",
                                             why, one.hint.empty() ? "" : " ", one.hint));
    }
    if (!hold.empty()) ran.conditions.insert(ran.conditions.begin(), hold);
    ran.solved = missed.empty();
    const std::size_t all = exercise.conditions.size();
    ran.conditions.insert(ran.conditions.begin(),
                          fmt::format("{}, {}: {} hold.", exercise.title, test.name(),
                                      ran.solved ? fmt::format("all {} conditions", all)
                                                 : fmt::format("{} of {} conditions", all - missed.size(), all)));
    outcome.notes.insert(outcome.notes.end(), missed.begin(), missed.end());
}

/// files  where the names of all that was compiled go
Ran run(const SourceOptions& source, std::vector<std::filesystem::path>* files = nullptr) {
    for (const auto& [option, text] : source.launch)
        if (!text.empty() && option != "op")
            refuse("{} is a program: what it launches, it says itself. Leave --{} out.", source.source, option);
    if (!source.keep.empty() || !source.keep_limit.empty() || !source.open_block.empty())
        refuse("{} is a program: all of what it does is kept. Leave --keep and --open-block out.", source.source);
    const ProgramOptions& options = source.program;
    for (const std::string& word : options.words)
        if (!foreign::is_program(word))
            refuse(
                "{} is no CUDA or C++ file, and no folder of them; what main() gets follows --, as in `warptree run {} "
                "-- {}`.",
                word, source.source, word);
    foreign::Start start{.arguments = options.arguments,
                         .reads = isatty(STDIN_FILENO) == 0,
                         .smaller = options.smaller ? foreign::Smaller::kTaken : foreign::Smaller::kProposed,
                         .told = {options.problem, {}}};
    if (const auto op = source.launch.find("op"); op != source.launch.end()) start.told.op = op->second;
    const auto ops = std::span(value::kOpNames).first(7);  // those on numbers
    if (!start.told.op.empty() && std::ranges::find(ops, start.told.op) == ops.end())
        refuse("--op {} is none of a program's operators; it takes {}.", start.told.op, fmt::join(ops, ", "));
    if (!options.problem.empty() && std::ranges::find(foreign::kProblems, options.problem) == foreign::kProblems.end())
        refuse("--problem {} is not known; it takes {}.", options.problem, fmt::join(foreign::kProblems, ", "));
    start.data.assign(options.data.begin(), options.data.end());
    exercise::Exercise exercise;
    exercise::Test test;
    if (!options.exercise.empty()) {
        exercise = taken(exercise::open(options.exercise)).exercise;
        test = exercise.tests.front();
        if (start.arguments.empty())
            start.arguments = test.arguments(), start.input = test.input, start.reads &= test.input.empty();
        else if (const auto n = number_in<std::uint64_t>(start.arguments.front()))
            test = {.n = *n};
        else
            refuse("The exercise's main() gets N first, as in `-- {}`.", fmt::join(test.arguments(), " "));
        start.seconds = exercise.seconds;
    }
    if (!options.seconds.empty()) {
        constexpr double kMost = 600;
        start.seconds = number_in<double>(options.seconds).value_or(0);
        if (!(start.seconds >= 0.1) || start.seconds > kMost)
            refuse("--seconds {} is not a time to wait; it takes 0.1 to {:.0f}.", options.seconds, kMost);
    }
    if (!options.result.empty()) {
        start.result = number_in<std::size_t>(options.result).value_or(0);
        if (start.result == 0)
            refuse("--result {} is not known; the first result that main() takes is 1.", options.result);
    }
    foreign::Sources sources{.files = {source.source}, .folders = options.folders, .defines = options.defines};
    sources.files.insert(sources.files.end(), options.words.begin(), options.words.end());
    const auto compiled = taken(foreign::compile(sources, foreign::find_home("/proc/self/exe")));
    if (files != nullptr) *files = compiled.files;
    Ran ran{.outcome = taken(foreign::run(compiled, start)), .smaller = options.smaller};
    if (!options.exercise.empty()) hold_against(exercise, test, ran);
    return ran;
}

/// "sum.cu"; of a folder "homework".
std::string name_of(const std::string& source) {
    const std::filesystem::path path = std::filesystem::path(source).lexically_normal();
    return (path.has_filename() ? path : path.parent_path()).filename().string();
}

Json place(std::int64_t number) {
    return number < 0 ? Json() : Json(number);
}

Json notes_json(const std::vector<foreign::Note>& notes) {
    Json all = Json::array();
    for (const foreign::Note& one : notes)
        all.push_back({{"line", one.line <= 0 ? Json() : Json(one.line)},
                       {"launch", place(one.launch)},
                       {"block", place(one.block)},
                       {"thread", place(one.thread)},
                       {"file", one.file.empty() ? Json() : Json(one.file)},
                       {"kind", one.kind},
                       {"text", one.text}});
    return all;
}

/// What a program is that left no rows.
Json empty_object() {
    return {{"kernel", Json()},
            {"problem", Json()},
            {"op", Json()},
            {"type", Json()},
            {"n", Json()},
            {"result", Json()},
            {"expected", Json()},
            {"correct", Json()},
            {"launches", Json::array()},
            {"steps", Json::array()},
            {"totals", Json::object()}};
}

std::string note_line(const foreign::Note& one) {
    const std::string of = one.file.empty() ? "" : " of " + one.file;
    return fmt::format("  {}{}: {}\n", one.line > 0 ? fmt::format("line {}{}, ", one.line, of) : "", one.kind,
                       one.text);
}

std::string json_text_of(const foreign::Outcome& outcome, const std::optional<study::RunFacts>& facts,
                         const std::string& source) {
    Json json = facts ? report_object(*facts) : empty_object();
    if (facts) {
        json["kernel"] = facts->run.launch().function;
        if (!outcome.judgement.problem.empty())
            json["problem"] = outcome.judgement.problem;
        else
            json["problem"] = Json();
        if (facts->run.input() == nullptr) json["n"] = Json();
        json["remark"] = outcome.judgement.remark;
    }
    json["untraced"] = outcome.untraced;
    json["useful_operations"] = facts ? json["totals"]["useful_operations"] : Json();
    json["program"] = {
        {"file", source}, {"exit", outcome.exit}, {"output", outcome.output}, {"seconds", outcome.seconds}};
    json["program"]["smaller"] = outcome.smaller;
    json["program"]["changed"] = outcome.changed;
    json["results"] = outcome.results;
    json["shown"] = outcome.results.empty() ? Json() : Json(outcome.shown);
    json["notes"] = notes_json(outcome.notes);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Of a program that was to run with a smaller number: with which; "": it was not to.
/// run  null: there is no trace
std::string change_text(const Ran& ran, const trace::Run* run) {
    if (!ran.smaller) return {};
    if (!ran.outcome.changed.empty()) return fmt::format("It ran with a change: {}.", ran.outcome.changed);
    return run != nullptr && run->complete()
               ? "It ran as it is: all that it does is shown."
               : "It ran as it is: no smaller number is known with which all of it is shown.";
}

/// Which of several results is shown; "": it has one.
std::string results_text(const foreign::Outcome& outcome) {
    if (outcome.results.size() < 2) return {};
    std::string others;
    for (std::size_t i = 1; i <= outcome.results.size(); ++i)
        if (i != outcome.shown) others += fmt::format("{}{} {}", others.empty() ? "" : ", ", i, outcome.results[i - 1]);
    return fmt::format("Shown is result {} of {}, of {}; --result shows another: {}.\n", outcome.shown,
                       outcome.results.size(), outcome.results[outcome.shown - 1], others);
}

/// What it printed; of more lines than a screen holds the first and the last.
std::string printed_text(const std::string& output) {
    constexpr std::size_t kFirst = 20, kLast = 10;
    std::vector<std::string> lines;
    std::istringstream all(output);
    for (std::string line; std::getline(all, line);) lines.push_back("  " + line);
    if (lines.empty()) return {};
    if (lines.size() > kFirst + kLast + 1) {
        const auto first = lines.begin() + kFirst, last = lines.end() - kLast;
        *first = fmt::format("  ... {} lines more (--json has them all)", last - first);
        lines.erase(first + 1, last);
    }
    return fmt::format("It printed\n{}\n", fmt::join(lines, "\n"));
}

std::string text_of(const Ran& ran, const std::optional<study::RunFacts>& facts, const std::string& source,
                    bool brief) {
    const foreign::Outcome& outcome = ran.outcome;
    std::string text = fmt::format("{} ended with {} after {:.2f} s, {}\n", source, outcome.exit, outcome.seconds,
                                   study::counted(outcome.launches, "launch", "launches"));
    if (const std::string change = change_text(ran, facts ? &facts->run : nullptr); !change.empty())
        text += change + "\n";
    text += printed_text(outcome.output);
    auto others = outcome.notes | std::views::filter([](const auto& one) { return one.kind != kExercise; });
    if (!others.empty()) text += "Found\n";
    for (const foreign::Note& one : others) text += note_line(one);
    for (const std::string& line : ran.conditions) text += (&line == ran.conditions.data() ? "" : "  ") + line + "\n";
    text += results_text(outcome);
    if (!outcome.judgement.remark.empty()) text += outcome.judgement.remark + "\n";
    if (outcome.changed.empty() && !outcome.smaller.empty()) text += "--smaller runs it so, the file stays as it is.\n";
    if (!facts) return text + fmt::format("What its kernels did cannot be shown: {}.\n", outcome.untraced);
    return text + (brief ? verdict_text(*facts) : "\n" + text_report(facts->run));
}

}  // namespace

void add_program_options(CLI::App& command, ProgramOptions& options, bool sources) {
    const auto add = [&](const char* name, auto& to, const char* help) {
        return command.add_option(name, to, help)->group("Of a CUDA file");
    };
    if (sources)
        command.add_option(
            "MORE", options.words,
            "of a CUDA file: further sources, or a folder of them; -- and what its main() gets may follow");
    add("-I", options.folders, "a folder in which its headers are looked for")->allow_extra_args(false);
    add("-D", options.defines, "a macro that it is compiled with, NAME or NAME=VALUE")->allow_extra_args(false);
    add("--data", options.data, "a file that it reads: it runs in an empty folder, and this one lies there")
        ->allow_extra_args(false);
    add("--problem", options.problem, "what it computes: reduction, inclusive-scan, exclusive-scan, dot, segmented")
        ->allow_extra_args(false);
    command
        .add_flag("--smaller", options.smaller,
                  "where it does too much to be shown: with the smaller number that its report names")
        ->group("Of a CUDA file");
    add("--result", options.result,
        "which of its results is shown: 1 is the first that main() takes (default: the last)")
        ->allow_extra_args(false);
    add("--exercise", options.exercise,
        "an exercise (see 'warptree grade --list'): main() gets its first test's arguments, and which of its "
        "conditions do not hold is told at the line")
        ->allow_extra_args(false);
    add("--seconds", options.seconds, "after which it is stopped (default 30)")->allow_extra_args(false);
}

trace::Run run_of_program(const SourceOptions& source, std::vector<std::filesystem::path>* files) {
    foreign::Outcome outcome = run(source, files).outcome;
    if (outcome.run) return std::move(*outcome.run);
    std::string why = fmt::format("What {} did cannot be shown: {}.", source.source, outcome.untraced);
    for (const foreign::Note& one : outcome.notes) why += "\n" + note_line(one);
    if (!outcome.output.empty()) why += "\nIt printed: " + outcome.output.substr(0, 300);
    throw Error{Error::Kind::kFailed, why};
}

state::Services::Program program_of(const SourceOptions& source) {
    state::Services::Program program;
    Ran ran = run(source, &program.files);
    foreign::Outcome& outcome = ran.outcome;
    const std::string file = name_of(source.source);
    std::vector<std::string> sentences;
    if (outcome.exit != 0) sentences.push_back(fmt::format("{} ended with {}.", file, outcome.exit));
    for (const foreign::Note& one : outcome.notes)
        program.found.faults.push_back({one.line, one.launch, one.block, one.kind, one.text});
    program.found.results = outcome.results, program.found.shown = outcome.shown;
    const auto& faults = program.found.faults;
    if (const study::Fault& first = faults.empty() ? study::Fault() : faults.front();
        !first.text.empty() && ran.conditions.empty()) {
        sentences.push_back(fmt::format("{}{}: {}{}", first.line > 0 ? fmt::format("Line {}, ", first.line) : "",
                                        first.kind, first.text, first.text.ends_with('.') ? "" : "."));
    }
    if (const auto others = outcome.notes.size() - std::ranges::count(outcome.notes, kExercise, &foreign::Note::kind);
        others > 1)
        sentences.push_back(fmt::format("`warptree report {}` prints {} more.", file, others - 1));
    program.solved = ran.solved && sentences.empty();
    if (std::string change = change_text(ran, outcome.run ? &*outcome.run : nullptr); !change.empty())
        sentences.push_back(std::move(change));
    const std::string offer = outcome.changed.empty() && !outcome.smaller.empty() ? " Shift N runs it so." : "";
    if (!sentences.empty()) ran.conditions.push_back(fmt::format("{}", fmt::join(sentences, " ")));
    program.remark = fmt::format("{}{}", fmt::join(ran.conditions, "\n"), outcome.run ? offer : "");
    if (!outcome.run)
        throw Error{Error::Kind::kFailed, fmt::format("What {} did cannot be shown: {}.{} {}", file, outcome.untraced,
                                                      offer, program.remark)};
    program.run = std::move(*outcome.run);
    return program;
}

Result<state::Services::Program> run_for_window(const SourceOptions& given, const std::string& path,
                                                const state::ProgramChoice& chosen) {
    SourceOptions source;
    source.source = path;
    source.program = given.program;
    std::error_code none;
    if (!std::filesystem::equivalent(path, given.source, none)) {
        source.program.words = source.program.arguments = {};
        source.program.exercise = source.program.result = {};
    }
    if (chosen.result > 0) source.program.result = std::to_string(chosen.result);
    source.program.smaller |= chosen.smaller;
    try {
        return program_of(source);
    } catch (const Error& error) {
        return tl::unexpected(error);
    }
}

std::string new_program(const std::string& path, const std::string& kind, const std::string& exercise) {
    if (!foreign::is_program(path))
        refuse("new writes a CUDA file; give it a name that ends in .cu, for example sum.cu.");
    const std::string wanted = kind.empty() ? std::string(kPrograms[0]) : kind;
    if (std::ranges::find(kPrograms, wanted) == std::end(kPrograms))
        refuse("--kind {} is not known; it takes {}.", wanted, fmt::join(kPrograms, ", "));
    if (std::filesystem::exists(path)) refuse("{} is there already, and is left as it is; choose another name.", path);
    if (!kind.empty() && !exercise.empty())
        refuse("--kind and --exercise both say what to start from; leave one of them out.");
    const std::string text = exercise.empty() ? embedded("assets/programs/" + wanted + ".cu").begin()->second
                                              : taken(exercise::open(exercise)).start;
    if (text.empty()) refuse("The exercise {} has no file to start from.", exercise);
    taken(trace::write_durably(path, std::as_bytes(std::span(text))));
    if (!exercise.empty())
        return fmt::format(
            "{0} is written. `warptree grade {1}` says what to do, `warptree grade {1} {0}` what holds.\n", path,
            exercise);
    return fmt::format("{0} is written. `warptree {0}` shows what it does, and follows each change that is saved.\n",
                       path);
}

ProgramReport report_program(const SourceOptions& source, bool json, bool brief) {
    Ran ran = run(source);
    foreign::Outcome& outcome = ran.outcome;
    std::optional<study::RunFacts> facts;
    if (outcome.run) facts.emplace(std::move(*outcome.run));
    const bool good = facts && facts->verdict.correct && outcome.exit == 0 && outcome.notes.empty();
    return {json ? json_text_of(outcome, facts, source.source) : text_of(ran, facts, source.source, brief), good};
}

}  // namespace warptree::cli
