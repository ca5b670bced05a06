// The subject: derives, once, all that the views read from a trace.
#include "app/scene/subject.hpp"

#include <algorithm>
#include <utility>

namespace warptree::scene {
namespace {

/// A trace of a kernel that this build does not know can still be replayed: it has no listing.
const kernels::Kernel& unknown_kernel() {
    static const kernels::Kernel kUnknown{.name = "unknown",
                                          .label = "unknown",
                                          .source = {},
                                          .file = {},
                                          .removes = {},
                                          .remains = {},
                                          .phase = trace::Phase::kTree,
                                          .sizes = {},
                                          .shared_names = {}};
    return kUnknown;
}

const kernels::Kernel* row_of(const std::string& name) {
    const kernels::Kernel* found = kernels::find(name);
    return found != nullptr ? found : &unknown_kernel();
}

std::vector<std::vector<counters::LaneState>> all_lanes(const trace::Trace& trace, std::uint32_t block) {
    std::vector<std::vector<counters::LaneState>> out;
    for (std::uint32_t step = 0; step < trace.steps.size(); ++step) {
        out.push_back(counters::lane_states(trace, block, step));
    }
    return out;
}

}  // namespace

Subject::Subject(trace::Trace trace_in, std::uint32_t block_index)
    : trace(std::move(trace_in)),
      kernel(row_of(trace.launch.kernel)),
      summary(counters::count(trace)),
      verdict(kernels::verdict(trace)),
      block(std::min(block_index, trace.launch.grid - 1)),
      block_summary(trace.launch.grid == 1 ? summary : counters::count_block(trace, block)),
      memory(trace, block),
      tree(replay::tree(trace, block)),
      hazards(replay::hazards(trace, block)),
      lanes(all_lanes(trace, block)) {}

std::shared_ptr<const Subject> make_subject(trace::Trace trace, std::uint32_t block) {
    return std::make_shared<const Subject>(std::move(trace), block);
}

}  // namespace warptree::scene
