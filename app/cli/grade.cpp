#include "app/cli/grade.hpp"

#include <algorithm>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "app/cli/errors.hpp"
#include "app/cli/watch.hpp"
#include "app/exercise/grade.hpp"
#include "app/subject/words.hpp"
#include "instrumentation/json/json.hpp"
#include "instrumentation/text.hpp"

namespace warptree::cli {
namespace {

using exercise::Exercise;
using exercise::Graded;

std::string list_text() {
    std::string text;
    for (const exercise::Shipped& one : exercise::shipped())
        text += fmt::format("{:<18} {}\n", one.name, one.exercise.title);
    return text;
}

/// The exercise as it is set.
std::string text_of(const Exercise& exercise) {
    std::string text = fmt::format("{}\n\n{}\n\nConditions\n", exercise.title, exercise.text);
    for (const exercise::Condition& one : exercise.conditions) text += fmt::format("  {}\n", one.holds);
    text += "Tests\n";
    for (const exercise::Test& test : exercise.tests) text += fmt::format("  main() gets {}\n", test.command());
    return text;
}

/// A line a submission, and how many pass; of one alone a line a reason, with its hint.
std::string plain_text(const Exercise& exercise, const std::vector<Graded>& all, std::uint64_t passed) {
    std::string text;
    for (const Graded& one : all) {
        const auto reasons = exercise::reasons(exercise, one);
        text += fmt::format("{}: {}", one.file, one.passes() ? "passes" : all.size() == 1 ? "fails" : "fails, ");
        for (const exercise::Reason& reason : reasons)
            text += all.size() == 1
                        ? fmt::format("\n  {}{}{}", reason.text, reason.hint.empty() ? "" : "\n    ", reason.hint)
                        : fmt::format("{}{}", &reason == reasons.data() ? "" : "; ", reason.text);
        text += "\n";
    }
    return text + (all.size() == 1 ? "" : fmt::format("{} of {} pass\n", passed, all.size()));
}

std::string csv_cell(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + '"';
}

std::string csv_text(const Exercise& exercise, const std::vector<Graded>& all) {
    std::string text = "file,passes,held,conditions,reasons\n";
    for (const Graded& one : all) {
        std::vector<std::string> reasons;
        for (const exercise::Reason& reason : exercise::reasons(exercise, one)) reasons.push_back(reason.text);
        text += fmt::format("{},{},{},{},{}\n", csv_cell(one.file), one.passes() ? "yes" : "no", one.held(),
                            exercise.conditions.size(), csv_cell(fmt::format("{}", fmt::join(reasons, "; "))));
    }
    return text;
}

Json line_json(int line) {
    return line > 0 ? Json(line) : Json();
}

Json json_of(const Exercise& exercise, const Graded& graded) {
    Json json{{"file", graded.file}, {"passes", graded.passes()}, {"held", graded.held()}};
    json["refused"] = graded.refused.empty() ? Json() : Json(graded.refused);
    json["line"] = line_json(graded.line);
    json["conditions"] = Json::array();
    for (std::size_t i = 0; i < graded.verdicts.size(); ++i) {
        const exercise::Verdict& verdict = graded.verdicts[i];
        Json one{{"condition", exercise.conditions[i].holds}, {"holds", verdict.holds}};
        if (!verdict.holds) {
            one["line"] = line_json(verdict.line);
            one["why"] = verdict.why;
            one["arguments"] = exercise.tests[verdict.test].arguments();
            one["input"] = exercise.tests[verdict.test].input;
            one["failed_tests"] = verdict.fails;
        }
        json["conditions"].push_back(std::move(one));
    }
    return json;
}

std::string json_text_of(const Exercise& exercise, const std::vector<Graded>& all, std::uint64_t passed) {
    Json json{{"exercise", exercise.title}, {"passed", passed}, {"submissions", Json::array()}};
    for (const Graded& one : all) json["submissions"].push_back(json_of(exercise, one));
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

unsigned jobs_of(const std::string& text) {
    constexpr unsigned kMost = 1024;
    if (text.empty()) return std::clamp(std::thread::hardware_concurrency(), 1u, kMost);
    const unsigned jobs = number_in<unsigned>(text).value_or(0);
    if (jobs == 0 || jobs > kMost) refuse("--jobs {} is no number of jobs; it takes 1 to {}.", text, kMost);
    return jobs;
}

}  // namespace

void add_grade_options(CLI::App& command, GradeOptions& options) {
    command.add_option("EXERCISE", options.exercise, "one that comes along (see --list), or a TOML file");
    command.add_option("FILE", options.files, "CUDA files, or folders of them; none: prints the exercise");
    command.add_flag("--list", options.list, "list the exercises that come along");
    command.add_option("--jobs", options.jobs, "how many at once (default: as many as there are processors)")
        ->allow_extra_args(false);
    command.add_flag("--json", options.json, "print JSON");
    command.add_flag("--csv", options.csv, "print CSV");
}

GradeReport grade_report(const GradeOptions& options) {
    if (options.list) return {list_text()};
    if (options.exercise.empty())
        refuse("grade needs an EXERCISE, for example `warptree grade simple my.cu`; --list names them.");
    if (options.json && options.csv) refuse("--json and --csv are two ways to print; leave one of them out.");
    const unsigned jobs = jobs_of(options.jobs);
    const Exercise exercise = taken(exercise::open(options.exercise)).exercise;
    if (options.files.empty()) return {text_of(exercise)};
    const auto home = foreign::find_home("/proc/self/exe");
    if (home.empty())
        throw Error{Error::Kind::kFailed,
                    "The part of Warptree that runs CUDA files, foreign/runner, is not where it was installed."};
    const Interrupts interrupts;
    StatusLine status;
    const auto told = [&](std::size_t done) {
        status.show(fmt::format("{} of {} graded", done, options.files.size()));
    };
    const auto all = exercise::grade_all(exercise, options.files, home, {jobs, told, Interrupts::seen});
    if (Interrupts::seen()) throw Error{Error::Kind::kCancelled, "Stopped; nothing was written."};
    const auto passed = static_cast<std::uint64_t>(std::ranges::count_if(all, &Graded::passes));
    return {options.json  ? json_text_of(exercise, all, passed)
            : options.csv ? csv_text(exercise, all)
                          : plain_text(exercise, all, passed),
            passed == all.size()};
}

}  // namespace warptree::cli
