#include "app/lesson/run_question.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "app/lesson/comparison.hpp"
#include "app/lesson/facts.hpp"
#include "instrumentation/request/options.hpp"

namespace warptree::lesson {
namespace {

constexpr std::string_view kKernel = "kernel", kBetween = ", ";

const kernels::LaunchOption* option_called(std::string_view name) {
    static constexpr std::string_view kOfInput[] = {"input", "column", "decimal"};
    if (std::ranges::find(kOfInput, name) != std::end(kOfInput)) return nullptr;
    const auto all = kernels::launch_options();
    const auto at = std::ranges::find(all, name, &kernels::LaunchOption::name);
    return at == all.end() || !at->remembered ? nullptr : &*at;
}

std::string value_of(std::string_view name, const kernels::Request& run) {
    const kernels::LaunchOption* option = option_called(name);
    return option == nullptr ? run.kernel : option->text(run);
}

}  // namespace

std::vector<std::string_view> changeable() {
    std::vector<std::string_view> names = {kKernel};
    for (const kernels::LaunchOption& option : kernels::launch_options())
        if (option_called(option.name) != nullptr) names.push_back(option.name);
    return names;
}

Result<kernels::Request> with_options(kernels::Request run, std::string_view options) {
    while (!options.empty()) {
        const std::string_view one = options.substr(0, options.find(kBetween));
        options.remove_prefix(std::min(options.size(), one.size() + kBetween.size()));
        const std::size_t blank = std::min(one.find(' '), one.size());
        const std::string_view name = one.substr(0, blank), value = one.substr(std::min(blank + 1, one.size()));
        const kernels::LaunchOption* option = option_called(name);
        if (option == nullptr && name != kKernel)
            return usage_error(fmt::format("There is no option '{}' that could be changed.", name));
        if (option == nullptr)
            run.kernel = value;
        else if (const auto taken = option->take(*option, value, run); !taken)
            return tl::unexpected(taken.error());
    }
    return run;
}

std::string changed_options(const Question& question, const kernels::Request& scene, const kernels::Request& run) {
    std::string text;
    for (const std::string& name : question.change)
        if (const std::string value = value_of(name, run); value != value_of(name, scene))
            text += fmt::format("{}{} {}", text.empty() ? "" : kBetween, name, value);
    return text;
}

Held held(const Question& question, const study::RunFacts& run) {
    if (!run.verdict.correct)
        return {false, "", fmt::format("✗ the result is {}, right is {}", run.verdict.result, run.verdict.expected)};
    Held all;
    for (const std::string& text : question.holds) {
        const Compared one = compare(text, run);
        all.all = all.all && one.holds;
        const std::string between = all.found.empty() ? "" : "; ", figures = in_words(one.found);
        all.figures += between + figures;
        all.found += fmt::format("{}{} {} ({})", between, one.holds ? "✓" : "✗", in_words(text), figures);
    }
    return all;
}

}  // namespace warptree::lesson
