// Exercises. The reader goes on after a problem, so that an author sees all of them at once.
#include "app/exercise/exercise.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <optional>
#include <ranges>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/exercise/condition.hpp"
#include "app/results/recognised.hpp"
#include "instrumentation/embedded.hpp"
#include "instrumentation/json/fields.hpp"
#include "instrumentation/json/toml.hpp"
#include "instrumentation/text_file.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::exercise {
namespace {

constexpr Text kWords{.least = 1};
constexpr ListOf<Text> kArguments{"texts in quotes"};
/// As the judge names them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kProblems = {
    {{"reduction", "reduction"}, {"inclusive scan", "inclusive-scan"}, {"exclusive scan", "exclusive-scan"}}};

void read_test(FieldReader& table, Test& test) {
    table("n", test.n, Range<std::uint64_t>{1, std::uint64_t{1} << 28, "how many elements, a whole number from 1"});
    table.maybe("seed", test.seed, Range<std::uint64_t>{0, std::numeric_limits<std::int32_t>::max()});
    table.maybe("arguments", test.more, kArguments);
    table.maybe("input", test.input, Text{.what = "what standard input has, in quotes", .most = 1 << 20});
}

void read_condition(FieldReader& table, Condition& condition) {
    table("holds", condition.holds, Text{.what = "a condition in quotes", .least = 1, .most = 200});
    table.maybe("hint", condition.hint, kWords);
    if (condition.holds.empty()) return;
    if (const auto known = check_condition(condition.holds); !known) table.problem("holds", known.error().message);
}

void read_exercise(FieldReader& table, Exercise& exercise) {
    table("title", exercise.title, kWords);
    table("text", exercise.text, kWords);
    table.maybe("start", exercise.start, Text{.what = "the name of a CUDA file", .least = 1});
    table.maybe("problem", exercise.problem, OneOf{kProblems});
    table.maybe("op", exercise.op, kWords);
    if (!exercise.op.empty() && !value::op_named(exercise.op))
        table.problem("op", fmt::format("there is no operator '{}'; operators are {}", exercise.op,
                                        fmt::join(value::kOpNames, ", ")));
    table.maybe("seconds", exercise.seconds, Range<double>{0.1, 600});
    table.rows("test", exercise.tests, read_test, 100, "a list of tables: a [[test]] for each test", "test");
    table.rows("condition", exercise.conditions, read_condition, 100,
               "a list of tables: a [[condition]] for each condition", "condition");
    for (const auto& [key, none] : {std::pair{"test", table.has("test") && exercise.tests.empty()},
                                    {"condition", table.has("condition") && exercise.conditions.empty()}})
        if (none) table.problem(key, fmt::format("the exercise has no {0}; it needs a [[{0}]]", key));
}

/// errors  usage: what is wrong, a line each
Result<Exercise> taken(std::string_view text, const std::string& source) {
    Reading reading = read(text);
    if (reading.problems.empty()) return std::move(reading.exercise);
    std::string all = fmt::format("The exercise {} cannot be used:", source);
    for (const TextProblem& problem : reading.problems) all += fmt::format("\n  {}.", said(problem));
    return usage_error(all);
}

std::vector<Shipped> read_shipped() {
    constexpr std::string_view kFolder = "assets/exercises/", kFile = "/exercise.toml";
    std::vector<Shipped> all;
    const auto texts = embedded(kFolder);
    for (const auto& [path, text] : texts) {
        if (!path.ends_with(kFile)) continue;
        const std::string_view folder = path.substr(0, path.size() - kFile.size());
        Exercise exercise = read(text).exercise;
        const auto start = texts.find(fmt::format("{}/{}", folder, exercise.start));
        all.push_back({std::string(folder.substr(folder.find('-') + 1)),  // of "assets/exercises/03-shared"
                       std::move(exercise), start == texts.end() ? "" : start->second});
    }
    return all;
}

}  // namespace

std::string Test::name() const {
    return fmt::format("N = {}, seed {}{}{}", n, seed, more.empty() ? "" : ", ", fmt::join(more, " "));
}

std::string Test::command() const {
    constexpr std::size_t kMost = 40;
    std::string text = input;
    while (text.ends_with('\n')) text.pop_back();
    std::ranges::replace(text, '\n', ' ');
    if (text.size() > kMost) text = text.substr(0, utf8_size(std::string_view(text).substr(0, kMost))) + "…";
    return fmt::format("{}{}{}", fmt::join(arguments(), " "), text.empty() ? "" : ", and reads ", text);
}

std::vector<std::string> Test::arguments() const {
    std::vector<std::string> all = {std::to_string(n), std::to_string(seed)};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

Reading read(std::string_view text) {
    Reading reading;
    if (const std::string other = study::recognised_binary(text); !other.empty())
        return {{}, {{{}, other + "; an exercise is TOML"}}};
    try {
        const Document file = parse_toml(text);
        FieldReader table(file, "the exercise", &reading.problems);
        read_exercise(table, reading.exercise);
        table.finish();
    } catch (const TextProblem& bad) {
        reading.problems.push_back(bad);
    }
    std::ranges::stable_sort(reading.problems, {}, [](const TextProblem& problem) { return problem.at.line; });
    return reading;
}

const std::vector<Shipped>& shipped() {
    static const std::vector<Shipped> all = read_shipped();
    return all;
}

Result<Shipped> open(const std::string& source) {
    const auto known = std::ranges::find(shipped(), source, &Shipped::name);
    if (known != shipped().end()) return *known;
    const auto text = text_of_file(source);
    if (!text) {
        std::vector<std::string_view> names;
        for (const Shipped& one : shipped()) names.push_back(one.name);
        return usage_error(
            fmt::format("There is no exercise '{}', nor can a file of that name be read. The exercises are {}.", source,
                        fmt::join(names, ", ")));
    }
    auto exercise = taken(*text, source);
    if (!exercise) return tl::unexpected<Error>(exercise.error());
    const auto start = text_of_file(std::filesystem::path(source).parent_path() / exercise->start);
    return Shipped{source, std::move(*exercise), start.value_or("")};
}

}  // namespace warptree::exercise
