// The table of one N from a device's times, and the counted runs beside it.
#include "app/views/ladder/facts.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "app/subject/words.hpp"
#include "app/views/studies.hpp"
#include "instrumentation/counters/quantities.hpp"

namespace warptree::study {
namespace {

using kernels::Timing;

using value::Problem;

/// Each problem is a ladder of its own, but of scans.
constexpr Problem ladder_problem(Problem problem) {
    return value::is_scan(problem) ? Problem::kInclusiveScan : problem;
}
bool is_of(Problem problem, const Timing& t) {
    if (const kernels::Kernel* kernel = kernels::find(t.kernel)) return ladder_problem(kernel->problem) == problem;
    return kernels::is_for(t.kernel, problem);
}

/// Kernels and references that were measured at half as many of the N as any kernel, or more: else there would be a gap
/// where most others stand.
std::vector<std::string_view> names_of(const Ladder& ladder) {
    std::map<std::string_view, std::size_t> measured;
    for (const Timing& t : ladder.of->runs)
        if (fits(ladder, t) && std::ranges::binary_search(ladder.sizes, t.n)) ++measured[t.kernel];
    std::size_t most = 1;
    for (const kernels::Kernel& kernel : kernels::catalog()) most = std::max(most, measured[kernel.name]);
    std::vector<std::string_view> names;
    const auto add = [&](std::string_view name) {
        if (2 * measured[name] >= most) names.push_back(name);
    };
    for (const kernels::Kernel& kernel : kernels::catalog()) add(kernel.name);
    for (const std::string_view reference : kernels::references(kernels::Backend::kCuda)) add(reference);
    return names;
}

/// The largest N that as many kernels have as any; sizes ascend.
std::uint64_t usual_size(const Ladder& ladder) {
    std::uint64_t best = 0;
    std::ptrdiff_t most = 0;
    for (const std::uint64_t n : ladder.sizes) {
        const auto rungs = std::ranges::count_if(ladder.of->runs, [&](const Timing& t) {
            return fits(ladder, t) && t.n == n && !is_reference(t) &&
                   std::ranges::find(ladder.names, t.kernel) != ladder.names.end();
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
    const auto any = [&](auto&& has) {
        return std::ranges::any_of(
            runs, [&](const Timing& t) { return !is_reference(t) && is_of(ladder.problem, t) && has(t); });
    };
    for (const value::Type type : {value::Type::kFloat32, value::Type::kInt32})
        if (any([&](const Timing& t) { return t.type == type; })) ladder.types.push_back(type);
    if (std::ranges::find(ladder.types, c.type) == ladder.types.end()) c.type = ladder.types.front();
    for (const bool cold : {false, true})
        if (any([&](const Timing& t) { return t.type == c.type && t.cold == cold; })) ladder.caches.push_back(cold);
    if (std::ranges::find(ladder.caches, c.cold) == ladder.caches.end()) c.cold = ladder.caches.front();
    for (const Timing& t : runs)
        if (fits(ladder, t) && !is_reference(t)) ladder.sizes.push_back(t.n);
    std::ranges::sort(ladder.sizes);
    ladder.sizes.erase(std::unique(ladder.sizes.begin(), ladder.sizes.end()), ladder.sizes.end());
    const auto outside = [&c](std::uint64_t n) { return n < c.least || (c.most > 0 && n > c.most); };
    if (!std::ranges::all_of(ladder.sizes, outside)) std::erase_if(ladder.sizes, outside);
    ladder.names = names_of(ladder);
    if (c.n == 0) c.n = usual_size(ladder);
    const auto above = std::ranges::lower_bound(ladder.sizes, c.n);
    c.n = above == ladder.sizes.end() ? ladder.sizes.back() : *above;
}

void add_rung(Ladder& ladder, std::string_view name) {
    const bool reference = kernels::find(name) == nullptr;
    Rung rung{.name = name, .called = std::string(name), .reference = reference};
    for (const Timing& t : ladder.of->runs)
        if (t.kernel == name && fits(ladder, t) && t.n == ladder.choice.n) rung.timing = &t;
    if (rung.timing != nullptr) {
        if (ladder.limit() > 0) rung.share = ladder.of->share(*rung.timing);
        rung.called = kernels::factored_name(name, rung.timing->coarsen);
    }
    const auto faster_than = [&](const Rung& other) -> std::optional<double> {
        if (reference || !rung.right() || !other.right()) return std::nullopt;
        return other.timing->ms_median / rung.timing->ms_median;
    };
    if (!ladder.rungs.empty()) {
        rung.step = faster_than(ladder.rungs.back());
        rung.cumulative = faster_than(ladder.rungs.front());
    }
    ladder.rungs.push_back(rung);
}

/// Those that atomics make as well; of float32, whose elements take four bytes.
std::uint64_t operations(const counters::Counters& c) {
    return c.operations + c.global_red.bytes / 4;
}

}  // namespace

std::vector<std::string> toggled(std::vector<std::string> hidden, std::string_view rung) {
    if (std::erase(hidden, rung) == 0) hidden.emplace_back(rung);
    return hidden;
}

bool fits(const Ladder& ladder, const Timing& t) {
    return t.type == ladder.choice.type && t.cold == ladder.choice.cold && t.devices == ladder.devices &&
           is_of(ladder.problem, t);
}

bool has_rungs(const Measurements& m, Problem problem) {
    return std::ranges::any_of(m.runs, [&](const Timing& t) { return !is_reference(t) && is_of(problem, t); });
}

Ladder ladder_of(std::span<const Measurements> all, const LadderChoice& choice, std::string_view kernel) {
    Ladder ladder;
    if (const kernels::Kernel* known = kernels::find(kernel)) ladder.problem = ladder_problem(known->problem);
    ladder.choice = choice;
    const auto has = [&](const Measurements& m) { return has_rungs(m, ladder.problem); };
    ladder.choice.device = std::min(choice.device, all.size() - 1);
    const Measurements& asked = all[ladder.choice.device];
    for (const Problem other :
         {Problem::kReduction, Problem::kInclusiveScan, Problem::kAllReduce, Problem::kReduceToRoot}) {
        const bool opened = !asked.file.empty() && !has(asked) && has_rungs(asked, other);
        if (opened || std::ranges::none_of(all, has)) ladder.problem = other;
    }
    if (!has(all[ladder.choice.device]))
        ladder.choice.device = static_cast<std::size_t>(std::ranges::find_if(all, has) - all.begin());
    ladder.of = &all[ladder.choice.device];
    std::set<std::uint32_t> devices;
    for (const Timing& t : ladder.of->runs)
        if (is_of(ladder.problem, t)) devices.insert(t.devices);
    ladder.of_devices.assign(devices.begin(), devices.end());
    ladder.devices = ladder.choice.devices = devices.contains(choice.devices) ? choice.devices : *devices.begin();
    settle(ladder);
    const auto shows = [&](std::string_view name) {
        return std::ranges::find(ladder.choice.hidden, name) == ladder.choice.hidden.end();
    };
    const bool some = std::ranges::any_of(
        ladder.names, [&](std::string_view name) { return kernels::find(name) != nullptr && shows(name); });
    for (const std::string_view name : ladder.names)
        if (!some || shows(name)) add_rung(ladder, name);
    return ladder;
}

const Rung* chosen_rung(const Ladder& ladder, std::string_view kernel) {
    const auto found = std::ranges::find(ladder.rungs, kernel, &Rung::name);
    if (found != ladder.rungs.end()) return &*found;
    return ladder.rungs.size() > 1 && !ladder.rungs[1].reference ? &ladder.rungs[1] : &ladder.rungs.front();
}

const Rung* rung_before(const Ladder& ladder, const Rung& rung) {
    return rung.reference || &rung == ladder.rungs.data() ? nullptr : &rung - 1;
}

double least_ms(const Ladder& ladder, std::uint64_t n) {
    if (ladder.limit() == 0) return 0;
    return kernels::bytes_moved(ladder.rungs.front().name, ladder.choice.type, n, 1) / ladder.limit() / 1e6;
}

std::string ladder_cpu_text(const Ladder& ladder) {
    const Rung *cpu = nullptr, *ours = nullptr;  // the fastest
    for (const Rung& rung : ladder.rungs) {
        if (!rung.right() || rung.reference != rung.name.starts_with("cpu-")) continue;
        const Rung*& best = rung.reference ? cpu : ours;
        if (best == nullptr || rung.timing->ms_median < best->timing->ms_median) best = &rung;
    }
    if (cpu == nullptr || ours == nullptr) return {};
    const double ratio = cpu->timing->ms_median / ours->timing->ms_median;
    return ratio < 1
               ? fmt::format("the CPU alone is faster: {} takes {} of {}'s time", cpu->name, percent(ratio),
                             ours->called)
               : fmt::format("the CPU alone, {}, takes {:.3g} times as long as {}", cpu->name, ratio, ours->called);
}

const kernels::NcclChoice* nccl_choice(const Ladder& ladder, std::uint64_t n) {
    const std::string_view work = ladder.problem == Problem::kAllReduce ? "nccl-all-reduce" : "nccl-reduce";
    const std::uint64_t bytes = n / ladder.devices * value::size_bytes(ladder.choice.type);
    const auto& all = ladder.of->nccl_choices;
    const auto found = std::ranges::find_if(all, [&](const kernels::NcclChoice& one) {
        return one.kernel == work && one.devices == ladder.devices && one.bytes == bytes;
    });
    return found == all.end() ? nullptr : &*found;
}

const CountedRun* LadderStudy::of(std::string_view kernel, std::uint32_t devices) const {
    const auto found = std::ranges::find_if(
        runs, [&](const CountedRun& run) { return run.kernel == kernel && run.devices == devices; });
    return found == runs.end() ? nullptr : &*found;
}

std::shared_ptr<const LadderStudy> study_ladder(const Recorder& record) {
    auto study = std::make_shared<LadderStudy>();
    std::map<std::pair<std::string_view, std::uint32_t>, const Timing*> measured;
    for (const Measurements& device : shipped_measurements())
        for (const Timing& t : device.runs) measured.try_emplace({t.kernel, t.devices}, &t);
    for (const auto& [which, timing] : measured) {
        const kernels::Kernel* const kernel = kernels::find(timing->kernel);
        if (kernel == nullptr) continue;  // a reference
        CountedRun counted{.kernel = timing->kernel, .n = LadderStudy::kN, .devices = timing->devices};
        const kernels::Request wanted{.kernel = timing->kernel,
                                      .n = LadderStudy::kN,
                                      .block = timing->block,
                                      .coarsen = timing->coarsen,
                                      .devices = kernel->sizes.devices ? timing->devices : 0,
                                      .input = "random"};
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
    const auto fits = [](const CountedRun* run, const Rung& rung) {
        return run != nullptr && (rung.timing == nullptr || run->coarsen == rung.timing->coarsen);
    };
    if (fits(pair.before, before) && fits(pair.after, after)) return pair;
    return here == nullptr
               ? CountedPair()
               : CountedPair{here->of(before.name, ladder.devices), here->of(after.name, ladder.devices), false};
}

std::vector<Cause> causes(const CountedRun& a, const CountedRun& b) {
    std::vector<Cause> all{{"operations, atomic too", operations(a.totals), operations(b.totals)}};
    for (const counters::Quantity& of :
         {counters::kDivergentWarps, counters::kConsumedSlots, counters::kRequests, counters::kSegments,
          counters::kAtomicRequests, counters::kBankConflicts, counters::kBarriers})
        all.push_back({of.name, of(a.totals), of(b.totals)});
    all.push_back({"launches", a.launches, b.launches});
    return all;
}

Study ladder_study(std::shared_ptr<const Subject>, const kernels::Request&, const Recorder& record) {
    return {nullptr, study_ladder(record)};
}

}  // namespace warptree::study
