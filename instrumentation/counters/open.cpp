// What the rows that are there cost, against what the file says that all cost.
#include "instrumentation/counters/open.hpp"

#include <fmt/format.h>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/refusal.hpp"
#include "instrumentation/trace/file.hpp"

namespace warptree::counters {
namespace {

void check(const trace::Trace& trace) {
    if (!trace.kept) return;
    std::vector<Counters> held(trace.steps.size());
    for (const std::uint32_t block : trace.kept->blocks) {
        const Summary summary = count_block(trace, block);
        for (std::size_t step = 0; step < held.size(); ++step) held[step] += summary.steps[step];
    }
    const trace::Launch& launch = trace.launch;
    const std::uint64_t others = launch.grid - trace.blocks_held();
    const std::uint64_t warps = (launch.block + launch.warp_size - 1) / launch.warp_size;
    for (std::size_t step = 0; step < held.size(); ++step) {
        const trace::StepTotals least = totals_of(held[step]), &said = trace.kept->totals[step];
        for (std::size_t i = 0; i < least.size(); ++i) {
            const std::uint64_t most = i == trace::total_of("active_warps") ? least[i] + others * warps : said[i];
            if (said[i] < least[i] || said[i] > most || (others == 0 && said[i] != least[i]))
                refuse("total_{}.npy, step {}: it is {}, but the rows of {} of {} blocks have {}",
                       trace::kTotalNames[i], step, said[i], trace.blocks_held(), launch.grid, least[i]);
        }
    }
}

}  // namespace

std::string problem(const trace::Run& run) {
    return refusal_of([&run] {
        for (std::size_t i = 0; i < run.launches.size(); ++i)
            within(run.launches.size() == 1 ? "" : fmt::format("launch {}", i), [&] { check(run.launches[i]); });
    });
}

Result<trace::Run> open(const std::filesystem::path& path) {
    auto run = trace::load(path);
    if (!run) return run;
    if (const std::string found = problem(*run); !found.empty())
        return failure(fmt::format("{} cannot be opened: {}.", path.string(), found));
    return run;
}

}  // namespace warptree::counters
