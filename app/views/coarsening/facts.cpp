// The runs of the coarsening view: recorded, counted, checked to be alike in every block.
#include "app/views/coarsening/facts.hpp"

#include <algorithm>
#include <bit>
#include <functional>

#include <fmt/format.h>

#include "app/subject/words.hpp"
#include "app/views/studies.hpp"

namespace warptree::study {
namespace {

constexpr std::uint32_t kMostFactor = 64;
constexpr std::uint64_t kMostN = 65536;  // of what is recorded here, one run a factor

/// Block 0 stands for all.
CoarsenRun coarsen_run(const trace::Trace& trace) {
    CoarsenRun run{trace.launch.coarsen, trace.launch.grid, trace.launch.block, {}, {}};
    run.steps = counters::count_block(trace, 0).steps;
    std::erase_if(run.steps, [](const counters::Counters& step) { return step.operations == 0; });
    run.totals = counters::count(trace).totals;
    return run;
}

}  // namespace

std::uint64_t CoarsenRun::full_steps() const {
    return static_cast<std::uint64_t>(std::ranges::count(steps, block, &counters::Counters::active_threads));
}

std::size_t CoarsenStudy::best(std::uint32_t resident) const {
    const auto least = std::ranges::min_element(runs, {}, [&](const CoarsenRun& run) { return run.time(resident); });
    return static_cast<std::size_t>(least - runs.begin());
}

namespace {

/// Of the largest of some ascending numbers that is not above a limit; of the first where all are.
std::size_t place_up_to(const auto& all, std::uint32_t limit, auto number) {
    const auto above = std::ranges::upper_bound(all, limit, {}, number);
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, above - all.begin())) - 1;
}

}  // namespace

std::size_t CoarsenStudy::resident_of(const CoarsenChoice& choice) const {
    return place_up_to(residents, choice.resident, std::identity());
}

std::size_t CoarsenStudy::factor_of(const CoarsenChoice& choice) const {
    const std::size_t last = runs.empty() ? 0 : runs.size() - 1;
    if (choice.factor > 0) return place_up_to(runs, choice.factor, &CoarsenRun::factor);
    const bool coarsens = subject->kernel->sizes.coarsens && subject->trace.launch.coarsen > 1;
    const auto own = std::ranges::find(runs, subject->trace.launch.coarsen, &CoarsenRun::factor);
    if (coarsens && own != runs.end()) return static_cast<std::size_t>(own - runs.begin());
    return std::min<std::size_t>(1, last);
}

std::shared_ptr<const CoarsenStudy> study_coarsening(std::shared_ptr<const Subject> subject,
                                                     const kernels::Request& request, const Recorder& record) {
    auto study = std::make_shared<CoarsenStudy>();
    study->subject = subject;
    const trace::Launch& launch = subject->run().launch();
    if (launch.has_many_results()) {
        study->problem = fmt::format("This view coarsens reductions, and the run is {}.",
                                     launch.scans() ? "a scan" : "on several devices");
        return study;
    }
    if (launch.n < 4 || launch.n > kMostN) {
        study->problem = fmt::format("Coarsening is shown for N from 4 to {}, not {}; choose another N.",
                                     grouped(kMostN), grouped(launch.n));
        return study;
    }
    kernels::Request wanted = kernels::request_of(launch);
    wanted.kernel = "pmpp-coarsened";
    wanted.input = request.input;
    wanted.thread_order = kernels::ThreadOrder::kAscending;
    wanted.without_barrier_line = 0;
    wanted.block = subject->kernel->sizes.coarsens
                       ? launch.block
                       : std::clamp<std::uint32_t>(std::bit_floor(static_cast<std::uint32_t>(launch.n / 4)), 1, 128);
    for (std::uint32_t factor = 1; factor <= kMostFactor; factor *= 2) {
        wanted.coarsen = factor;
        const auto run = rerun(subject->run(), wanted, record);
        if (!run) {
            if (study->runs.empty()) study->problem = run.error().message;
            break;
        }
        study->runs.push_back(coarsen_run(run->launches.front()));
        if (run->launches.front().launch.grid == 1) break;
    }
    if (study->runs.empty()) return study;
    for (std::uint32_t resident = 1;; resident *= 2) {
        study->residents.push_back(std::min(resident, study->runs.front().grid));
        if (resident >= study->runs.front().grid) break;
    }
    return study;
}

Study coarsening_study(std::shared_ptr<const Subject> subject, const kernels::Request& request,
                       const Recorder& record) {
    return {subject, study_coarsening(subject, request, record)};
}

}  // namespace warptree::study
