// How each lane spends a step: active, waiting for its warp, or in a warp that does nothing.
#include <algorithm>

#include "instrumentation/counters/access.hpp"
#include "instrumentation/counters/counters.hpp"

namespace warptree::counters {

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
