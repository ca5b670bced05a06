// Grouping: which rows of a step one warp executed together; and how each lane spends a step.
#include "instrumentation/counters/access.hpp"

#include <algorithm>

#include "instrumentation/counters/counters.hpp"

namespace warptree::counters {

std::vector<Effect> effects(const trace::Trace& trace) {
    std::vector<Effect> out;
    out.reserve(trace.sites.size());
    for (const trace::Site& site : trace.sites) {
        const bool shared = site.array < trace.arrays.size() && trace.arrays[site.array].space == trace::Space::kShared;
        out.push_back(effect_of(site.kind, shared, site.remote, site.adds()));
    }
    return out;
}

bool combines(const trace::Trace& trace, std::uint32_t step) {
    if (trace.kept) return counters_of(trace.kept->totals[step]).operations > 0;
    for (std::uint32_t block = 0; block < trace.launch.grid; ++block) {
        const auto [begin, end] = trace.range(block, step);
        for (std::uint32_t row = begin; row < end; ++row) {
            if (trace.sites[trace.site[row]].adds()) return true;
        }
    }
    return false;
}

std::uint32_t lanes_of(const trace::Launch& launch, std::uint32_t warp) {
    return std::min(launch.warp_size, launch.block - warp * launch.warp_size);
}

Gather::Place Gather::open(std::uint16_t site) {
    if (used_ == groups_.size()) groups_.emplace_back();
    Group& group = groups_[used_];
    group.site = site;
    group.count = 0;
    group.last_thread = kNoThread;
    return {stamp_, static_cast<std::uint32_t>(used_++)};
}

std::vector<Access> accesses(const trace::Trace& trace, std::uint32_t block, std::uint32_t step) {
    const std::vector<Effect> effect = effects(trace);
    const auto [begin, end] = trace.range(block, step);
    Gather gather(trace.sites.size());
    std::vector<Access> out;
    for (std::uint32_t row = begin; row < end;) {
        const std::uint32_t warp = trace.warp(row);
        gather.begin_warp();
        for (; row < end && trace.warp(row) == warp; ++row) {
            if (moves_data(effect[trace.site[row]]) && begins_access(trace, row))
                gather.add(trace.site[row], trace.thread[row], row);
        }
        const std::size_t first = out.size();
        for (const Gather::Group& group : gather.groups()) {
            out.push_back({group.site, warp, {group.rows.begin(), group.rows.begin() + group.count}});
        }
        std::stable_sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                         [](const Access& x, const Access& y) { return x.site < y.site; });
    }
    return out;
}

std::vector<LaneState> lane_states(const trace::Trace& trace, std::uint32_t block, std::uint32_t step) {
    std::vector<LaneState> out(trace.launch.block, LaneState::kIdleWarp);
    const auto [begin, end] = trace.range(block, step);
    if (begin == end) return out;  // most blocks, in the steps of a last one: to ask what others do would take long
    const std::vector<Effect> effect = effects(trace);
    const bool combining = combines(trace, step);

    // Active threads
    for (std::uint32_t row = begin; row < end; ++row) {
        const Effect what = effect[trace.site[row]];
        if (combining ? combines(what) : moves_data(what)) out[trace.thread[row]] = LaneState::kActive;
    }

    // Lanes that wait for them
    for (std::size_t first = 0; first < out.size(); first += trace.launch.warp_size) {
        const auto warp_begin = out.begin() + static_cast<std::ptrdiff_t>(first);
        const auto lanes = std::min<std::size_t>(trace.launch.warp_size, out.size() - first);
        const auto warp_end = warp_begin + static_cast<std::ptrdiff_t>(lanes);
        if (std::find(warp_begin, warp_end, LaneState::kActive) == warp_end) continue;
        std::replace(warp_begin, warp_end, LaneState::kIdleWarp, LaneState::kDiverged);
    }
    return out;
}

}  // namespace warptree::counters
