// Words are rows of a table; comparisons are read anew for each run, with the facts of that run.
#include "app/exercise/condition.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/lesson/facts.hpp"
#include "instrumentation/judge/reference.hpp"
#include "instrumentation/trace/trace.hpp"

namespace warptree::exercise {
namespace {

// ---- Words ----

/// Notes of the run, by their kind. "no fault": of any.
constexpr std::string_view kKinds[] = {"fault",           "race",         "undefined",    "uninitialised",
                                       "out-of-bounds",   "null-pointer", "host-pointer", "use-after-free",
                                       "too-much-shared", "launch",       "not-copied",   "no-dynamic-shared"};
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
    if (!judged.unjudged.empty()) return judged.unjudged;
    if (!run.verdict.correct)
        return fmt::format("the result is {}, right is {}{}{}", run.verdict.result, run.verdict.expected,
                           judged.remark.empty() ? "" : ": ", judged.remark);
    if (word == kCorrect && judged.by_value) return judged.remark;
    if (!exercise.problem.empty() && judged.problem != exercise.problem)
        return fmt::format("it is {}, and has to be {}", with_article(judged.problem), with_article(exercise.problem));
    if (!exercise.op.empty() && launch.op != exercise.op)
        return fmt::format("its operator is {}, and has to be {}", launch.op, exercise.op);
    if (launch.n != test.n) return fmt::format("its kernels took {} elements of {}", launch.n, test.n);
    return end;
}

// ---- Facts ----

bool is_total(std::string_view name) {
    return std::ranges::find(trace::kTotalNames, name) != trace::kTotalNames.end();
}
double total(const counters::Counters& c, std::string_view name) {
    const auto at = std::ranges::find(trace::kTotalNames, name) - trace::kTotalNames.begin();
    return static_cast<double>(counters::totals_of(c)[static_cast<std::size_t>(at)]);
}
/// Of what steps have, the whole run's.
std::string of_all_steps(std::string_view name) {
    return fmt::format("{}_so_far", name);
}
constexpr std::string_view kN = "n", kSeed = "seed", kError = "error_ulps";

/// errors  there is none of that name, and which there are
Result<void> check_name(std::string_view name) {
    if (is_total(name) || name == kN || name == kSeed || name == kError || lesson::check_fact(of_all_steps(name)))
        return {};
    return lesson::check_fact(name).map_error([&](Error error) {
        error.message += fmt::format("; and {}, {}, {}", kSeed, kError, fmt::join(trace::kTotalNames, ", "));
        return error;
    });
}

/// errors  the run has no such step
Result<double> fact(std::string_view name, const Test& test, const study::RunFacts& run) {
    if (name == kN) return static_cast<double>(test.n);
    if (name == kSeed) return static_cast<double>(test.seed);
    if (name == kError) {
        const auto accuracy = judge::accuracy(run.run);
        if (!accuracy) return usage_error("error_ulps is of results that are floats, and this one is not");
        return std::abs(accuracy->ulps);
    }
    if (is_total(name)) return total(run.totals, name);
    const std::string all = of_all_steps(name);
    return lesson::fact(lesson::check_fact(all) ? all : std::string(name), run, run.run.steps())
        .map([](const lesson::Fact& one) { return one.number; });
}

/// Of a fact that steps have: the line most of it is of, and how much. Line 0: it has none.
std::pair<int, double> most_of(std::string_view name, const study::RunFacts& run) {
    std::map<int, double> lines;
    if (!is_total(name) && !lesson::check_fact(of_all_steps(name))) return {};
    for (std::size_t step = 0; step < run.run.steps(); ++step) {
        const auto value = is_total(name) ? Result<double>(total(run.cost(step), name))
                                          : lesson::fact(name, run, step + 1).map(&lesson::Fact::number);
        const auto [launch, within] = run.run.place(step);
        if (value) lines[run.run.launches[launch].steps[within].line] += *value;
    }
    const auto most = std::ranges::max_element(lines, {}, [](const auto& one) { return one.second; });
    return most == lines.end() ? std::pair(0, 0.0) : std::pair(most->first, most->second);
}

// ---- Comparisons ----

constexpr std::array<std::pair<std::string_view, bool (*)(double, double)>, 6> kSigns = {{
    {"<=", [](double a, double b) { return a <= b; }},
    {">=", [](double a, double b) { return a >= b; }},
    {"==", [](double a, double b) { return a == b; }},
    {"!=", [](double a, double b) { return a != b; }},
    {"<", [](double a, double b) { return a < b; }},
    {">", [](double a, double b) { return a > b; }},
}};
constexpr std::array<std::pair<std::string_view, double (*)(double)>, 3> kFunctions = {{
    {"log2", [](double x) { return std::log2(x); }},
    {"ceil", [](double x) { return std::ceil(x); }},
    {"floor", [](double x) { return std::floor(x); }},
}};

struct Side {
    std::string_view text, first_fact;
    double value = 0;
};
struct Comparison {
    Side left, right;
    std::string_view sign;
    bool holds = false;
};

class Parser {
public:
    using Look = std::function<Result<double>(std::string_view name)>;
    Parser(std::string_view text, Look look) : text_(text), look_(std::move(look)) {}

    /// errors  what is wrong with the text; a fact that the run has not
    Result<Comparison> comparison() {
        Comparison out;
        out.left = side();
        const auto sign = std::ranges::find_if(kSigns, [&](const auto& one) { return take(one.first); });
        if (sign == kSigns.end())
            wrong(at_ == text_.size() ? "it compares nothing; write for example divergent_warps <= 5, or correct"
                                      : fmt::format("'{}' is none of <=, >=, ==, !=, <, >, +, -, *, /", rest()));
        else
            out.sign = sign->first;
        out.right = side();
        if (at_ < text_.size()) wrong(fmt::format("'{}' is too much; a condition compares once", rest()));
        if (!problem_.empty()) return usage_error(problem_);
        out.holds = sign->second(out.left.value, out.right.value);
        return out;
    }

private:
    Side side() {
        first_ = {};
        skip();
        const std::size_t begin = at_;
        const double value = sum();
        std::string_view text = text_.substr(begin, at_ - begin);
        while (text.ends_with(' ')) text.remove_suffix(1);
        return {text, first_, value};
    }
    double sum() {
        double value = product();
        for (;;)
            if (take("+"))
                value += product();
            else if (take("-"))
                value -= product();
            else
                return value;
    }
    double product() {
        double value = factor();
        for (;;)
            if (take("*"))
                value *= factor();
            else if (take("/"))
                value /= factor();
            else
                return value;
    }
    double factor() {
        if (!problem_.empty()) return 0;
        if (take("-")) return -factor();
        if (take("(")) return closed();
        const std::size_t begin = at_;
        const auto word = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '@' || c == '.';
        };
        while (at_ < text_.size() && word(text_[at_])) ++at_;
        const std::string_view name = text_.substr(begin, at_ - begin);
        skip();
        if (const auto number = number_in<double>(name)) return *number;
        for (const auto& [function, of] : kFunctions)
            if (name == function && take("(")) return of(closed());
        if (name.empty())
            return wrong(rest().empty() ? "it ends where a number or a fact belongs"
                                        : fmt::format("'{}' is no number and no fact", rest()));
        if (first_.empty()) first_ = name;
        const auto value = look_(name);
        return value ? *value : wrong(value.error().message);
    }
    double closed() {
        const double value = sum();
        if (!take(")")) wrong("a ( has no )");
        return value;
    }
    /// Of several the first is said.
    double wrong(std::string what) {
        if (problem_.empty()) problem_ = std::move(what);
        at_ = text_.size();
        return 0;
    }
    void skip() { at_ = std::min(text_.find_first_not_of(' ', at_), text_.size()); }
    bool take(std::string_view token) {
        skip();
        if (!text_.substr(at_).starts_with(token)) return false;
        at_ += token.size();
        skip();
        return true;
    }
    std::string_view rest() const { return text_.substr(at_); }

    std::string_view text_, first_;
    Look look_;
    std::size_t at_ = 0;
    std::string problem_;
};

std::string number(double value) {
    return value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                                : fmt::format("{:.4g}", value);
}
/// "divergent_warps is 27"; of what has its value as its text "".
std::string value_of(const Side& side) {
    const std::string value = number(side.value);
    return side.text == value ? "" : fmt::format("{} is {}", side.text, value);
}

}  // namespace

Result<void> check_condition(std::string_view text) {
    if (is_of_result(text)) return {};
    if (text.starts_with(kNo)) {
        if (std::ranges::find(kKinds, text.substr(kNo.size())) != std::end(kKinds)) return {};
        return usage_error(fmt::format("there is no fault '{}'; what may not be is {}", text.substr(kNo.size()),
                                       fmt::join(kKinds, ", ")));
    }
    const auto known = [](std::string_view name) { return check_name(name).map([] { return 1.0; }); };
    return Parser(text, known).comparison().map([](const Comparison&) {}).map_error([&](Error error) {
        error.message = fmt::format("'{}': {}", text, error.message);
        return error;
    });
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
    const auto compared = Parser(text, [&](std::string_view name) { return fact(name, test, run); }).comparison();
    if (!compared) return {false, 0, compared.error().message};
    if (compared->holds) return {};
    Holding out{false, 0, value_of(compared->left)};
    if (const std::string right = value_of(compared->right); !right.empty())
        out.why += fmt::format("{}{}", out.why.empty() ? "" : ", ", right);
    if (compared->left.value <= compared->right.value) return out;  // what is missing has no line
    const auto [line, most] = most_of(compared->left.first_fact, run);
    out.line = line;
    if (line > 0 && most < compared->left.value && compared->left.text == compared->left.first_fact)
        out.why += fmt::format(", {} on line {}", number(most), line);
    return out;
}

}  // namespace warptree::exercise
