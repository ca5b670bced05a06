// Comparisons are read anew for each run, with the facts of that run.
#include "app/lesson/comparison.hpp"

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
#include "instrumentation/text.hpp"
#include "instrumentation/trace/trace.hpp"

namespace warptree::lesson {
namespace {

using Given = GivenNames;

// ---- Facts ----

std::optional<double> given_of(std::string_view name, Given given) {
    const auto at = std::ranges::find(given, name, &std::pair<std::string_view, double>::first);
    return at == given.end() ? std::nullopt : std::optional(at->second);
}
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
constexpr std::string_view kError = "error_ulps";

/// errors  there is none of that name, and which there are
Result<double> check_name(std::string_view name, Given given) {
    if (is_total(name) || name == kError || given_of(name, given) || check_fact(of_all_steps(name))) return 1;
    return check_fact(name).map([] { return 1.0; }).map_error([&](Error error) {
        for (const auto& [other, value] : given)
            if (!check_fact(other)) error.message += fmt::format("; and {}", other);
        error.message += fmt::format("; and {}, {}", kError, fmt::join(trace::kTotalNames, ", "));
        return error;
    });
}

/// errors  the run has no such step
Result<double> value_in(std::string_view name, const study::RunFacts& run, Given given) {
    if (const auto own = given_of(name, given)) return *own;
    if (name == kError) {
        const auto accuracy = judge::accuracy(run.run);
        if (!accuracy) return usage_error("error_ulps is of results that are floats, and this one is not");
        return std::abs(accuracy->ulps);
    }
    if (is_total(name)) return total(run.totals, name);
    const std::string all = of_all_steps(name);
    return fact(check_fact(all) ? all : std::string(name), run, run.run.steps()).map(&Fact::number);
}

/// Of a fact that steps have: the line most of it is of, and how much. Line 0: it has none.
std::pair<int, double> most_of(std::string_view name, const study::RunFacts& run) {
    std::map<int, double> lines;
    if (!is_total(name) && !check_fact(of_all_steps(name))) return {};
    for (std::size_t step = 0; step < run.run.steps(); ++step) {
        const auto value =
            is_total(name) ? Result<double>(total(run.cost(step), name)) : fact(name, run, step + 1).map(&Fact::number);
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

Result<void> check_comparison(std::string_view text, Given given) {
    return Parser(text, [&](std::string_view name) { return check_name(name, given); })
        .comparison()
        .map([](const Comparison&) {})
        .map_error([&](Error error) {
            error.message = fmt::format("'{}': {}", text, error.message);
            return error;
        });
}

Compared compare(std::string_view text, const study::RunFacts& run, Given given) {
    const auto compared = Parser(text, [&](std::string_view name) { return value_in(name, run, given); }).comparison();
    if (!compared) return {false, 0, compared.error().message};
    Compared out{compared->holds, 0, value_of(compared->left)};
    if (const std::string right = value_of(compared->right); !right.empty())
        out.found += fmt::format("{}{}", out.found.empty() ? "" : ", ", right);
    if (out.holds || compared->left.value <= compared->right.value) return out;  // what is missing has no line
    const auto [line, most] = most_of(compared->left.first_fact, run);
    out.line = line;
    if (line > 0 && most < compared->left.value && compared->left.text == compared->left.first_fact)
        out.found += fmt::format(", {} on line {}", number(most), line);
    return out;
}

}  // namespace warptree::lesson
