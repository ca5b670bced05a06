// The table of facts: the counters' own quantities, and what is of a launch or of the whole run.
#include "app/lesson/facts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "app/subject/words.hpp"
#include "instrumentation/counters/links.hpp"
#include "instrumentation/counters/quantities.hpp"
#include "instrumentation/text.hpp"

namespace warptree::lesson {
namespace {

using study::RunFacts;

Fact whole(std::uint64_t value) {
    return {.text = study::grouped(value), .number = static_cast<double>(value)};
}

/// Steps [first, end) of a run.
struct Steps {
    const RunFacts& run;
    std::size_t first, end;
    const trace::Launch& launch() const { return run.run.launches[run.run.place(end - 1).launch].launch; }
    counters::Links links() const { return counters::links(run.run, first, end); }
    counters::Counters cost() const {
        counters::Counters sum;
        for (std::size_t step = first; step < end; ++step) sum += run.cost(step);
        return sum;
    }
};

constexpr counters::Quantity kCounted[] = {
    counters::kActiveThreads,  counters::kActiveWarps,    counters::kDivergentWarps, counters::kConsumedSlots,
    counters::kOperations,     counters::kRequests,       counters::kSegments,       counters::kSectors,
    counters::kAtomicRequests, counters::kSharedRequests, counters::kBankConflicts,  counters::kBarriers,
    counters::kShuffles,       counters::kWarpSyncs};

/// Of any steps, and so of all so far; of one step; of the run; of the launch, on the screen before any step.
enum class Of : std::uint8_t { kSteps, kStep, kRun, kLaunch };

struct Row {
    std::string_view name, called;
    Fact (*value)(const Steps&);
    Of of = Of::kSteps;
};
constexpr Row kRows[] = {
    {"useful_operations", "useful operations",
     [](const Steps& s) { return whole(study::sum_of(s.run.useful, s.first, s.end).operations); }},
    {"efficiency", "efficiency",
     [](const Steps& s) {
         const study::Useful all = study::sum_of(s.run.useful, s.first, s.end);
         return Fact{.text = all.slots == 0 ? "–" : study::percent(all.efficiency()),
                     .number = all.efficiency(),
                     .whole = false};
     }},
    {"idle_slots", "slots paid for and idle",
     [](const Steps& s) {
         const study::Useful all = study::sum_of(s.run.useful, s.first, s.end);
         return whole(all.slots - std::min(all.slots, all.operations));
     }},
    {"idle_threads", "threads that sit out",
     [](const Steps& s) { return whole(std::uint64_t{s.launch().block} * s.launch().grid - s.cost().active_threads); },
     Of::kStep},
    {"idle_warps", "warps that sit out",
     [](const Steps& s) {
         const trace::Launch& l = s.launch();
         return whole(std::uint64_t{(l.block + l.warp_size - 1) / l.warp_size} * l.grid - s.cost().active_warps);
     },
     Of::kStep},
    {"result", "result",
     [](const Steps& s) {
         const std::string& text = s.run.verdict.result;
         char* end = nullptr;
         const double number = std::strtod(text.c_str(), &end);
         return Fact{.text = text,
                     .number = number,
                     .whole = end != text.c_str() && *end == 0 && number >= 0 && number == std::floor(number)};
     },
     Of::kRun},
    {"link_bytes", "bytes over links", [](const Steps& s) { return whole(s.links().bytes); }},
    {"link_messages", "messages over links", [](const Steps& s) { return whole(s.links().messages); }},
    {"most_received", "bytes received by the device that receives most",
     [](const Steps& s) { return whole(s.links().most_received); }},
    {"part_bytes", "bytes of an array on each device", [](const Steps& s) { return whole(s.links().part); },
     Of::kLaunch},
    {"devices", "devices", [](const Steps& s) { return whole(s.launch().devices); }, Of::kLaunch},
    {"steps", "steps", [](const Steps& s) { return whole(s.run.run.steps()); }, Of::kLaunch},
    {"launches", "launches", [](const Steps& s) { return whole(s.run.run.launches.size()); }, Of::kLaunch},
    {"blocks", "blocks", [](const Steps& s) { return whole(s.launch().grid); }, Of::kLaunch},
    {"block", "threads a block", [](const Steps& s) { return whole(s.launch().block); }, Of::kLaunch},
    {"threads", "threads", [](const Steps& s) { return whole(std::uint64_t{s.launch().block} * s.launch().grid); },
     Of::kLaunch},
    {"warp_size", "lanes a warp", [](const Steps& s) { return whole(s.launch().warp_size); }, Of::kLaunch},
    {"n", "elements", [](const Steps& s) { return whole(s.launch().n); }, Of::kLaunch}};

constexpr std::string_view kSoFar = "_so_far";

/// A name in its parts.
struct Name {
    std::string_view row;
    bool so_far = false;
    std::size_t step = 0;  // 0: none is named
};
Result<Name> parse(std::string_view name) {
    Name parts{name};
    if (const std::size_t at = name.find('@'); at != name.npos) {
        parts.step = number_in<std::size_t>(name.substr(at + 1)).value_or(0);
        if (parts.step == 0)
            return usage_error(
                fmt::format("'{}' names no step after the @; write for example {}@2", name, name.substr(0, at)));
        parts.row = name.substr(0, at);
    }
    parts.so_far = parts.row.ends_with(kSoFar);
    if (parts.so_far) parts.row.remove_suffix(kSoFar.size());
    return parts;
}

/// "bank conflicts so far"; "": there is no such fact.
std::string called(const Name& name) {
    const auto* quantity = std::ranges::find(kCounted, name.row, &counters::Quantity::key);
    const Row* row = std::ranges::find(kRows, name.row, &Row::name);
    const std::string_view known = quantity != std::end(kCounted) ? quantity->name
                                   : row != std::end(kRows)       ? row->called
                                                                  : "";
    return known.empty() ? "" : std::string(known) + (name.so_far ? " so far" : "");
}

}  // namespace

Result<void> check_fact(std::string_view name) {
    const auto parts = parse(name);
    if (!parts) return tl::unexpected(parts.error());
    const Row* row = std::ranges::find(kRows, parts->row, &Row::name);
    const bool counted = std::ranges::find(kCounted, parts->row, &counters::Quantity::key) != std::end(kCounted);
    if (counted || (row != std::end(kRows) && (row->of == Of::kSteps || !parts->so_far))) return {};
    std::string names;
    for (const counters::Quantity& quantity : kCounted) names += std::string(quantity.key) + ", ";
    for (const Row& other : kRows) names += std::string(other.name) + ", ";
    names.resize(names.size() - 2);
    return usage_error(
        fmt::format("there is no fact '{}'; facts are {}; those of a step also with _so_far, and all with "
                    "@STEP",
                    name, names));
}

Result<void> check_follows(std::string_view name) {
    if (const auto known = check_fact(name); !known) return known;
    const Name parts = *parse(name);
    const Row* row = std::ranges::find(kRows, parts.row, &Row::name);
    if (parts.step == 0 && (row == std::end(kRows) || row->of < Of::kRun)) return {};
    return usage_error(fmt::format(
        "'{}' does not change with the steps; name a fact of a step, without @, such as efficiency_so_far", name));
}

Result<Fact> fact(std::string_view name, const RunFacts& run, std::size_t step) {
    if (const auto known = check_fact(name); !known) return tl::unexpected(known.error());
    const Name parts = *parse(name);
    if (parts.step > 0) step = parts.step;
    if (step == 0 || step > run.run.steps())
        return usage_error(
            fmt::format("'{}' is of step {}, and the run has the steps 1 to {}", name, step, run.run.steps()));
    const Steps steps{run, parts.so_far ? 0 : step - 1, step};
    const auto* quantity = std::ranges::find(kCounted, parts.row, &counters::Quantity::key);
    Fact found;
    if (quantity != std::end(kCounted)) {
        found = whole((*quantity)(steps.cost()));
    } else {
        const Row& row = *std::ranges::find(kRows, parts.row, &Row::name);
        found = row.value(steps);
        found.open = row.of == Of::kLaunch;
    }
    found.called = called(parts);
    return found;
}

std::string in_words(std::string_view text) {
    constexpr std::string_view kOfNames = "abcdefghijklmnopqrstuvwxyz0123456789_@";
    std::string all;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, std::min(text.find_first_not_of(kOfNames), text.size()));
        const auto parts = parse(word);
        const std::string name = parts ? called(*parts) : "";
        const std::string step = name.empty() || parts->step == 0 ? "" : fmt::format(" in step {}", parts->step);
        all += name.empty() ? std::string(word.empty() ? text.substr(0, 1) : word) : name + step;
        text.remove_prefix(std::max<std::size_t>(1, word.size()));
    }
    return all;
}

Result<std::string> with_facts(std::string_view text,
                               const std::function<Result<std::string>(std::string_view name)>& fact_of) {
    std::string all;
    for (;;) {
        const std::size_t open = text.find('{'), close = text.find('}', open);
        all += text.substr(0, open);
        if (close == text.npos) return all.append(text.substr(std::min(open, text.size())));
        const auto said = fact_of(text.substr(open + 1, close - open - 1));
        if (!said) return tl::unexpected(said.error());
        all += *said;
        text.remove_prefix(close + 1);
    }
}

}  // namespace warptree::lesson
