// Words are rows of a table; all else is a comparison.
#include "app/exercise/condition.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/lesson/comparison.hpp"
#include "instrumentation/trace/trace.hpp"

namespace warptree::exercise {
namespace {

/// Notes of the run, by their kind. "no fault": of any.
constexpr std::string_view kKinds[] = {
    "fault",        "race",         "undefined",        "uninitialised", "out-of-bounds",
    "null-pointer", "host-pointer", "use-after-free",   "double-free",   "too-much-shared",
    "launch",       "not-copied",   "no-dynamic-shared"};
constexpr std::string_view kNo = "no ", kCorrect = "correct", kRightValue = "right value", kEnds = "ends with 0";
bool is_of_result(std::string_view text) {
    return text == kCorrect || text == kRightValue || text == kEnds;
}

/// errors  none is found
const foreign::Note* first_note(const foreign::Outcome& outcome, std::string_view kind) {
    const auto found = std::ranges::find_if(
        outcome.notes, [&](const foreign::Note& one) { return kind == kKinds[0] || one.kind == kind; });
    return found == outcome.notes.end() ? nullptr : &*found;
}

/// The last line that it printed: ", and said 'the sum is 3'".
std::string last_line(std::string_view output) {
    constexpr std::size_t kMost = 120;
    const std::size_t end = output.find_last_not_of(" \n\r\t");
    if (end == output.npos) return {};
    output = output.substr(0, end + 1);
    output = output.substr(output.rfind('\n') + 1).substr(0, kMost);  // npos + 1 is 0
    return fmt::format(", and said '{}'", output.substr(0, utf8_size(output)));
}

/// "a reduction", "an inclusive scan"
std::string with_article(const std::string& problem) {
    return (problem.find_first_of("aeiou") == 0 ? "an " : "a ") + problem;
}

/// Why a result is not what a word asks for; "": it is. kRightValue: nobody has to see how it was made
std::string what_is_wrong(const Exercise& exercise, const Test& test, const foreign::Outcome& outcome,
                          const study::RunFacts& run, std::string_view word) {
    const std::string end =
        outcome.exit == 0 ? "" : fmt::format("main() ended with {}{}", outcome.exit, last_line(outcome.output));
    if (word == kEnds) return end;
    const foreign::Judgement& judged = outcome.judgement;
    const trace::Launch& launch = run.run.launch();
    const std::string took =
        launch.n == test.n ? "" : fmt::format("its kernels took {} elements of {}", launch.n, test.n);
    if (!judged.unjudged.empty()) return judged.unread.empty() || took.empty() ? judged.unjudged : took;
    if (!run.verdict.correct)
        return fmt::format("the result is {}, right is {}{}{}", run.verdict.result, run.verdict.expected,
                           judged.remark.empty() ? "" : ": ", judged.remark);
    if (word == kCorrect && judged.by_value) return judged.remark;
    if (!exercise.problem.empty() && judged.problem != exercise.problem)
        return fmt::format("it is {}, and has to be {}", with_article(judged.problem), with_article(exercise.problem));
    if (!exercise.op.empty() && launch.op != exercise.op)
        return fmt::format("its operator is {}, and has to be {}", launch.op, exercise.op);
    return took.empty() ? end : took;
}

using Given = std::array<std::pair<std::string_view, double>, 2>;
Given given_by(const Test& test) {
    return {{{"n", static_cast<double>(test.n)}, {"seed", static_cast<double>(test.seed)}}};
}

}  // namespace

Result<void> check_condition(std::string_view text) {
    if (is_of_result(text)) return {};
    if (text.starts_with(kNo)) {
        if (std::ranges::find(kKinds, text.substr(kNo.size())) != std::end(kKinds)) return {};
        return usage_error(fmt::format("there is no fault '{}'; what may not be is {}", text.substr(kNo.size()),
                                       fmt::join(kKinds, ", ")));
    }
    return lesson::check_comparison(text, given_by({}));
}

Holding judge_condition(std::string_view text, const Exercise& exercise, const Test& test,
                        const foreign::Outcome& outcome, const study::RunFacts& run) {
    if (is_of_result(text)) {
        const std::string why = what_is_wrong(exercise, test, outcome, run, text);
        return {why.empty(), 0, why};
    }
    if (text.starts_with(kNo)) {
        const foreign::Note* note = first_note(outcome, text.substr(kNo.size()));
        if (note == nullptr) return {};
        return {false, note->line, fmt::format("{}: {}", note->kind, note->text)};
    }
    lesson::Compared found = lesson::compare(text, run, given_by(test));
    if (found.holds) return {};
    return {false, found.line, std::move(found.found)};
}

}  // namespace warptree::exercise
