// Coarsening, PMPP Fig. 10.16: one recorded run for each coarsening factor on the same input,
// its blocks scheduled on a chosen number of resident blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/subject/rerun.hpp"
#include "app/subject/subject.hpp"

namespace warptree::study {

/// One run, of which all blocks do the same steps: past N they add identities.
struct CoarsenRun {
    std::uint32_t factor = 1, grid = 1, block = 1;
    std::vector<counters::Counters> steps;  // of one block, those in which it combines
    counters::Counters totals;              // of the whole grid
    std::uint64_t full_steps() const;       // of one block: all its threads work
    /// Blocks run in waves of as many as are resident: steps from the launch to its end.
    std::uint64_t waves(std::uint32_t resident) const { return (grid + resident - 1) / resident; }
    std::uint64_t time(std::uint32_t resident) const { return waves(resident) * steps.size(); }
};

/// What the sliders say; where a run has not as much, its most.
struct CoarsenChoice {
    std::uint32_t factor = 0;    // 0: that of the run on show, or 2 if it has none
    std::uint32_t resident = 1;  // blocks that run at once
    bool operator==(const CoarsenChoice&) const = default;
};

struct CoarsenStudy {
    std::shared_ptr<const Subject> subject;
    std::vector<CoarsenRun> runs;          // factors 1, 2, 4, ... down to one block
    std::vector<std::uint32_t> residents;  // 1, 2, 4, ... up to the blocks of factor 1
    std::string problem;                   // why there are none
    /// Place in runs of the fewest steps; of equal ones the smallest factor.
    std::size_t best(std::uint32_t resident) const;
    /// Places in runs and in residents of what was chosen.
    std::size_t factor_of(const CoarsenChoice&) const;
    std::size_t resident_of(const CoarsenChoice&) const;
};
/// Records pmpp-coarsened with each factor over the subject's input. Block: the subject's where its kernel coarsens,
/// else the largest that leaves two plain blocks. request  as the subject was made by
std::shared_ptr<const CoarsenStudy> study_coarsening(std::shared_ptr<const Subject>, const kernels::Request& request,
                                                     const Recorder& record = {});

}  // namespace warptree::study
