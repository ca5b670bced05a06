// Records the factors and lays their blocks out in time.
#include "app/scene/schedule.hpp"

#include <algorithm>
#include <bit>

namespace warptree::scene {
namespace {

constexpr std::uint32_t kMostFactor = 32, kMostBlock = 256;

CoarsenedRun run_of(const trace::Trace& trace) {
    CoarsenedRun run;
    run.factor = trace.launch.coarsen;
    run.threads = trace.launch.block;
    for (std::uint32_t block = 0; block < trace.launch.grid; ++block) {
        const counters::Summary summary = counters::count_block(trace, block);
        std::vector<std::uint32_t> steps;
        for (const counters::Counters& step : summary.steps)
            if (step.operations > 0) steps.push_back(static_cast<std::uint32_t>(step.active_threads));
        run.blocks.push_back(std::move(steps));
        run.barriers += summary.totals.barriers;
        run.shared += summary.totals.shared_ld.requests + summary.totals.shared_st.requests;
    }
    return run;
}

/// The block's threads: the subject's own where it coarsens, else as many as leave two blocks.
std::uint32_t threads_of(const trace::Launch& launch, const kernels::Kernel& kernel) {
    if (kernel.sizes.coarsens) return launch.block;
    const std::uint64_t quarter = std::bit_floor(std::max<std::uint64_t>(1, launch.n / 4));
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(kMostBlock, quarter));
}

}  // namespace

Schedule schedule(const CoarsenedRun& run, std::uint32_t resident) {
    Schedule out;
    std::vector<std::uint32_t> free(std::max(1u, resident), 0);  // (slots,) when each is free again
    for (std::uint32_t block = 0; block < run.blocks.size(); ++block) {
        const auto slot = std::ranges::min_element(free);
        out.placed.push_back({block, static_cast<std::uint32_t>(slot - free.begin()), *slot});
        *slot += static_cast<std::uint32_t>(run.blocks[block].size());
        out.steps = std::max(out.steps, *slot);
    }
    std::vector<bool> full(out.steps, true);
    for (const Schedule::Placed& placed : out.placed) {
        const std::vector<std::uint32_t>& steps = run.blocks[placed.block];
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (steps[i] < run.threads) full[placed.start + i] = false;
    }
    out.full = static_cast<std::uint32_t>(std::ranges::count(full, true));
    return out;
}

std::size_t Coarsening::best(std::uint32_t resident) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < runs.size(); ++i)
        if (schedule(runs[i], resident).steps < schedule(runs[best], resident).steps) best = i;
    return best;
}

std::shared_ptr<const Coarsening> make_coarsening(std::shared_ptr<const Subject> subject,
                                                  const kernels::Request& request) {
    auto out = std::make_shared<Coarsening>();
    const trace::Launch& launch = subject->trace.launch;
    kernels::Request wanted = request;
    wanted.kernel = "pmpp-coarsened";
    wanted.n = launch.n;
    wanted.op = launch.op;
    wanted.type = launch.type;
    wanted.block = threads_of(launch, *subject->kernel);
    wanted.warp_size = launch.warp_size;
    wanted.backend = kernels::Backend::kCpu;
    wanted.without_barrier_line = 0;
    for (std::uint32_t factor = 1; factor <= kMostFactor; factor *= 2) {
        wanted.coarsen = factor;
        const auto trace = kernels::record(wanted);
        if (!trace) {
            if (out->runs.empty()) out->problem = trace.error().message;
            break;
        }
        if (subject->kernel->sizes.coarsens && launch.coarsen == factor)
            out->chosen = static_cast<std::uint32_t>(out->runs.size());
        out->runs.push_back(run_of(*trace));
        const std::size_t runs = out->runs.size();
        if (runs > 1 && out->runs[runs - 2].blocks.size() == 1) break;  // one past a single block: it only gets longer
    }
    out->subject = std::move(subject);
    return out;
}

}  // namespace warptree::scene
