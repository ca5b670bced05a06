#include "app/state/menus.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/subject/words.hpp"
#include "app/views/ladder/facts.hpp"

namespace warptree::state {
namespace {

constexpr int kLeastPower = 10, kMostPower = 30;  // of two, that N can be chosen from

study::Ladder ladder_of(const AppState& s, const study::LadderChoice& choice) {
    return study::ladder_of(*s.results, choice, s.request.kernel);
}

}  // namespace

std::vector<MenuItem> rung_items(const AppState& s) {
    const study::Ladder ladder = ladder_of(s, s.ladder);
    std::vector<MenuItem> items;
    const auto add = [&](std::string_view label, const std::vector<std::string>& hidden, bool shown, bool group) {
        items.push_back({.label = std::string(label),
                         .command = set(Field::kHidden, fmt::format("{}", fmt::join(hidden, ","))),
                         .chosen = shown,
                         .group = group});
    };
    const auto kernels = std::ranges::count(ladder.rungs, false, &study::Rung::reference);
    for (const std::string_view name : ladder.names) {
        const bool reference = kernels::find(name) == nullptr;
        const bool shown = std::ranges::find(ladder.rungs, name, &study::Rung::name) != ladder.rungs.end();
        const bool first = reference && !items.empty() && kernels::find(items.back().label) != nullptr;
        add(name, study::toggled(ladder.choice.hidden, name), shown, first);
        if (shown && !reference && kernels == 1) items.back().usable = false, items.back().remark = "One has to stay.";
    }
    std::vector<std::string> others(ladder.names.begin(), ladder.names.end());
    std::erase(others, study::chosen_rung(ladder, s.request.kernel)->name);
    add("all of them", {}, ladder.rungs.size() == ladder.names.size(), true);
    if (kernels > 1) add("the chosen one alone", others, false, false);
    return items;
}

std::vector<MenuItem> size_items(const AppState& s) {
    study::LadderChoice every = s.ladder;
    every.least = every.most = 0;
    const study::Ladder ladder = ladder_of(s, every);
    std::vector<MenuItem> items;
    const auto add = [&](std::string label, std::uint64_t least, std::uint64_t most, bool chosen, bool group) {
        items.push_back({.label = std::move(label),
                         .command = set(Field::kSizes, fmt::format("{},{}", least, most)),
                         .chosen = chosen,
                         .group = group});
    };
    for (const bool from : {true, false})
        for (int power = kLeastPower; power <= kMostPower; ++power) {
            const std::uint64_t n = std::uint64_t{1} << power;
            std::uint64_t least = s.ladder.least, most = s.ladder.most;
            std::uint64_t& end = from ? least : most;
            const bool chosen = end == n;
            end = chosen ? 0 : n;
            if (most > 0 && least > most) least = most = n;
            add(fmt::format("{} {}", from ? "from" : "to", study::size_name(n)), least, most, chosen,
                power == kLeastPower && !from);
            if (!std::ranges::binary_search(ladder.sizes, n)) items.back().remark = "not measured";
        }
    add("every N that was measured", 0, 0, s.ladder.least == 0 && s.ladder.most == 0, true);
    return items;
}

std::vector<MenuItem> measure_items(const AppState& s) {
    if (s.measuring) return {{"Stop", "what was measured stays", {.action = Action::kCancel}}};
    std::vector<MenuItem> items;
    for (const kernels::Backend backend : {kernels::Backend::kCpu, kernels::Backend::kCuda}) {
        const study::MeasurePlan plan = plan_of(s, backend);
        MenuItem item{.label = kernels::device_of(backend),
                      .command = {.action = Action::kMeasure, .text = std::string(kernels::name(backend))}};
        if (item.label.empty()) item.label = "CUDA";
        std::string refused =
            backend == kernels::Backend::kCuda && !kernels::cuda_status().usable ? kernels::cuda_status().reason : "";
        if (refused.empty() && plan.sizes.empty())
            refused = fmt::format("The executor runs threads one after another; it takes N to {}.",
                                  study::size_name(kMostMeasured));
        if (const auto checked = study::check(plan); refused.empty() && !checked) refused = checked.error().message;
        item.usable = refused.empty();
        item.remark = item.usable
                          ? fmt::format("{}, N = {}{}", study::counted(plan.kernels.size(), "kernel"),
                                        study::size_name(plan.sizes.front()),
                                        plan.sizes.size() > 1 ? " to " + study::size_name(plan.sizes.back()) : "")
                          : refused;
        items.push_back(std::move(item));
    }
    return items;
}

study::MeasurePlan plan_of(const AppState& s, kernels::Backend backend) {
    const study::Ladder ladder = ladder_of(s, s.ladder);
    study::MeasurePlan plan{
        .backend = backend, .devices = ladder.devices > 1 ? ladder.devices : 0, .types = {ladder.choice.type}};
    for (const study::Rung& rung : ladder.rungs)
        if (!rung.reference) plan.kernels.emplace_back(rung.name);
    plan.references = plan.usual_references();
    const std::uint64_t least = s.ladder.least > 0 ? s.ladder.least : ladder.sizes.front();
    const std::uint64_t most = s.ladder.most > 0 ? s.ladder.most : ladder.sizes.back();
    for (std::uint64_t n = std::bit_ceil(least); n <= std::max(most, std::bit_ceil(least)); n *= 2)
        if (backend == kernels::Backend::kCuda || n <= kMostMeasured) plan.sizes.push_back(n);
    return plan;
}

}  // namespace warptree::state
