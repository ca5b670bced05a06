// The subject: derives, once, all that the views read from a trace.
#include "app/study/subject.hpp"

#include <algorithm>
#include <utility>

#include "app/study/flows.hpp"

namespace warptree::study {
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

/// The wanted block; the last one, or the first whose rows are there, where that cannot be.
std::uint32_t shown_block(const trace::Trace& trace, std::uint32_t wanted) {
    const std::uint32_t block = std::min(wanted, trace.launch.grid - 1);
    return trace.holds(block) ? block : trace.block_held(0);
}

}  // namespace

Subject::Subject(trace::Trace trace_in, std::uint32_t block_index, const Subject* known)
    : trace(std::move(trace_in)),
      kernel(row_of(trace.launch.kernel)),
      summary(known != nullptr ? known->summary : counters::count(trace)),
      verdict(known != nullptr ? known->verdict : kernels::verdict(trace)),
      block(shown_block(trace, block_index)),
      block_summary(trace.launch.grid == 1 ? summary : counters::count_block(trace, block)),
      memory(trace, block),
      tree(replay::tree(trace, block)),
      hazards(replay::hazards(trace, block)),
      lanes(all_lanes(trace, block)),
      flows(std::make_shared<const Flows>(*this)) {}

std::shared_ptr<const Subject> make_subject(trace::Trace trace, std::uint32_t block, const Subject* known) {
    return std::make_shared<const Subject>(std::move(trace), block, known);
}

}  // namespace warptree::study
