// The table of one N from a device's times, and the counted runs beside it.
#include "app/study/ladder.hpp"

#include <algorithm>
#include <map>

#include "instrumentation/counters/quantities.hpp"

namespace warptree::study {
namespace {

using kernels::Timing;

bool fits(const LadderChoice& choice, const Timing& t) {
    return t.type == choice.type && t.cold == choice.cold;
}

/// Whether a kernel or reference was measured at half of all N or more: else there would be a gap where most others
/// stand.
bool is_rung(const Ladder& ladder, std::string_view name) {
    const auto measured = static_cast<std::size_t>(std::ranges::count_if(
        ladder.of->runs, [&](const Timing& t) { return t.kernel == name && fits(ladder.choice, t); }));
    return measured > 0 && 2 * measured >= ladder.sizes.size();
}

/// The largest N that as many kernels have as any; sizes ascend.
std::uint64_t usual_size(const Ladder& ladder) {
    std::uint64_t best = 0;
    std::ptrdiff_t most = 0;
    for (const std::uint64_t n : ladder.sizes) {
        const auto rungs = std::ranges::count_if(ladder.of->runs, [&](const Timing& t) {
            return fits(ladder.choice, t) && t.n == n && !is_reference(t) && is_rung(ladder, t.kernel);
        });
        if (rungs < most) continue;
        most = rungs;
        best = n;
    }
    return best;
}

/// Takes a choice to what there is.
void settle(Ladder& ladder) {
    LadderChoice& c = ladder.choice;
    const std::vector<Timing>& runs = ladder.of->runs;
    const auto any = [&](auto&& has) { return std::ranges::any_of(runs, has); };
    for (const value::Type type : {value::Type::kFloat32, value::Type::kInt32})
        if (any([&](const Timing& t) { return t.type == type; })) ladder.types.push_back(type);
    if (std::ranges::find(ladder.types, c.type) == ladder.types.end()) c.type = ladder.types.front();
    for (const bool cold : {false, true})
        if (any([&](const Timing& t) { return t.type == c.type && t.cold == cold; })) ladder.caches.push_back(cold);
    if (std::ranges::find(ladder.caches, c.cold) == ladder.caches.end()) c.cold = ladder.caches.front();
    for (const Timing& t : runs)
        if (fits(c, t)) ladder.sizes.push_back(t.n);
    std::ranges::sort(ladder.sizes);
    ladder.sizes.erase(std::unique(ladder.sizes.begin(), ladder.sizes.end()), ladder.sizes.end());
    if (c.n == 0) c.n = usual_size(ladder);
    const auto above = std::ranges::lower_bound(ladder.sizes, c.n);
    c.n = above == ladder.sizes.end() ? ladder.sizes.back() : *above;
}

bool scans(const Rung& rung) {
    const kernels::Kernel* kernel = kernels::find(rung.name);
    return kernel != nullptr && kernel->problem != kernels::Problem::kReduction;
}

void add_rung(Ladder& ladder, std::string_view name, bool reference) {
    Rung rung{.name = name, .reference = reference};
    if (!is_rung(ladder, name)) return;
    for (const Timing& t : ladder.of->runs)
        if (t.kernel == name && fits(ladder.choice, t) && t.n == ladder.choice.n) rung.timing = &t;
    if (rung.timing != nullptr) rung.share = rung.timing->gb_per_s / ladder.of->limit_gb_per_s;
    const auto faster_than = [&](const Rung& other) -> std::optional<double> {
        if (reference || !rung.right() || !other.right()) return std::nullopt;
        return other.timing->ms_median / rung.timing->ms_median;
    };
    // Scans are a ladder of their own
    const auto first = std::ranges::find(ladder.rungs, scans(rung), scans);
    if (first != ladder.rungs.end()) {
        rung.step = faster_than(ladder.rungs.back());
        rung.cumulative = faster_than(*first);
    }
    ladder.rungs.push_back(rung);
}

}  // namespace

Ladder ladder_of(std::span<const Measurements> all, const LadderChoice& choice) {
    Ladder ladder;
    ladder.choice = choice;
    ladder.choice.device = std::min(choice.device, all.size() - 1);
    if (all[ladder.choice.device].runs.empty())
        ladder.choice.device = static_cast<std::size_t>(
            std::ranges::find_if(all, [](const Measurements& m) { return !m.runs.empty(); }) - all.begin());
    ladder.of = &all[ladder.choice.device];
    settle(ladder);
    for (const kernels::Kernel& kernel : kernels::catalog()) add_rung(ladder, kernel.name, false);
    for (const std::string_view name : kernels::references(kernels::Backend::kCuda)) add_rung(ladder, name, true);
    return ladder;
}

const Rung* chosen_rung(const Ladder& ladder, std::string_view kernel) {
    const auto found = std::ranges::find(ladder.rungs, kernel, &Rung::name);
    if (found != ladder.rungs.end()) return &*found;
    return ladder.rungs.size() > 1 ? &ladder.rungs[1] : &ladder.rungs.front();
}

const Rung* rung_before(const Ladder& ladder, const Rung& rung) {
    const bool first = &rung == ladder.rungs.data() || scans((&rung)[-1]) != scans(rung);
    return rung.reference || first ? nullptr : &rung - 1;
}

const CountedRun* LadderStudy::of(std::string_view kernel) const {
    const auto found = std::ranges::find(runs, kernel, &CountedRun::kernel);
    return found == runs.end() ? nullptr : &*found;
}

std::shared_ptr<const LadderStudy> study_ladder(const Recorder& record) {
    auto study = std::make_shared<LadderStudy>();
    std::map<std::string_view, std::uint32_t> blocks;  // of what was measured
    for (const Measurements& device : shipped_measurements())
        for (const Timing& t : device.runs) blocks.try_emplace(t.kernel, t.block);
    for (const kernels::Kernel& kernel : kernels::catalog()) {
        const auto block = blocks.find(kernel.name);
        if (block == blocks.end()) continue;
        CountedRun counted{.kernel = std::string(kernel.name), .n = LadderStudy::kN};
        const kernels::Request wanted{
            .kernel = std::string(kernel.name), .n = LadderStudy::kN, .block = block->second, .input = "random"};
        if (const auto run = record ? record(wanted) : kernels::record(wanted)) {
            add_run(counted, *run);
        } else {
            counted.problem = run.error().message;
        }
        study->runs.push_back(std::move(counted));
    }
    return study;
}

CountedPair counted_pair(const Ladder& ladder, const LadderStudy* here, const Rung& before, const Rung& after) {
    const std::uint64_t n = ladder.choice.n;
    const CountedPair pair{ladder.of->counted_of(before.name, n), ladder.of->counted_of(after.name, n), true};
    if (pair.before != nullptr && pair.after != nullptr) return pair;
    return here == nullptr ? CountedPair() : CountedPair{here->of(before.name), here->of(after.name), false};
}

std::vector<Cause> causes(const CountedRun& a, const CountedRun& b) {
    std::vector<Cause> all;
    for (const counters::Quantity& of :
         {counters::kDivergentWarps, counters::kConsumedSlots, counters::kRequests, counters::kSegments,
          counters::kAtomicRequests, counters::kBankConflicts, counters::kBarriers})
        all.push_back({of.name, of(a.totals), of(b.totals)});
    all.push_back({"launches", a.launches, b.launches});
    return all;
}

}  // namespace warptree::study
