// The subject: one trace and all that is derived from it once, for every view to read.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/replay/replay.hpp"
#include "instrumentation/trace/trace.hpp"
#include "kernels/catalog.hpp"
#include "kernels/order.hpp"

namespace warptree::study {

class Flows;

/// Immutable once made; views hold it by shared pointer, so a new run replaces it whole.
struct Subject {
    trace::Trace trace;
    const kernels::Kernel* kernel = nullptr;  // its row of the catalog; never null
    counters::Summary summary;
    kernels::Verdict verdict;                             // the result, and whether it is the right one
    std::uint32_t block = 0;                              // the block on show
    counters::Summary block_summary;                      // of that block alone
    replay::Memory memory;                                // of that block
    std::vector<replay::Node> tree;                       // of that block
    std::vector<replay::Hazard> hazards;                  // of that block
    std::vector<std::vector<counters::LaneState>> lanes;  // (step, thread) of that block
    std::shared_ptr<const Flows> flows;                   // of that block: see flows.hpp

    /// known  another block of the same run: what is of the whole grid is taken from it; null: derived anew
    explicit Subject(trace::Trace trace_in, std::uint32_t block_index = 0, const Subject* known = nullptr);
    Subject(const Subject&) = delete;
    Subject& operator=(const Subject&) = delete;
    std::size_t steps() const { return trace.steps.size(); }
};

std::shared_ptr<const Subject> make_subject(trace::Trace trace, std::uint32_t block = 0,
                                            const Subject* known = nullptr);

/// Where the replay stands. position 0: before the launch; position k: step k - 1 is the present step.
/// progress runs from 0 to 1 while the present step is animated; at rest it is 1.
struct Playhead {
    std::size_t position = 0;
    float progress = 1;
    bool has_step() const { return position > 0; }
    std::size_t step() const { return position - 1; }  // needs has_step()
    bool operator==(const Playhead&) const = default;
};

}  // namespace warptree::study
