// Schedules: the blocks of a run on as many as can be resident at once, one after another where there are more, and
// what coarsening changes about that. Each factor is a run of its own, recorded; a block's steps are those of its
// trace. Source: PMPP 4e, Fig. 10.16.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/scene/draw.hpp"
#include "app/scene/subject.hpp"

namespace warptree::scene {

/// One factor's run, a block at a time.
struct CoarsenedRun {
    std::uint32_t factor = 1;
    std::uint32_t threads = 1;                       // of a block
    std::vector<std::vector<std::uint32_t>> blocks;  // threads that combine in each of a block's steps that combine
    std::uint64_t barriers = 0;
    std::uint64_t shared = 0;  // requests to shared memory, loads and stores
};

/// Where and when each block runs: the next one starts where a resident one has ended.
struct Schedule {
    struct Placed {
        std::uint32_t block = 0, slot = 0, start = 0;  // start: steps before it
    };
    std::vector<Placed> placed;
    std::uint32_t steps = 0;  // until the last block has ended
    std::uint32_t full = 0;   // of these: all threads of all blocks that run are active
    std::uint32_t part() const { return steps - full; }
};
/// resident  blocks at once, from 1
Schedule schedule(const CoarsenedRun&, std::uint32_t resident);

/// The runs of all factors over one input.
struct Coarsening {
    std::shared_ptr<const Subject> subject;
    std::uint32_t chosen = 0;        // place in `runs` of the factor on show
    std::vector<CoarsenedRun> runs;  // ascending factors
    std::string problem;             // why there is none
    /// The place of the factor with the fewest steps, the smallest of equals; 0 where there is none.
    std::size_t best(std::uint32_t resident) const;
};

/// Records pmpp-coarsened with factors 1, 2, 4, ... over a subject's N, operator, type and input, up to one past that
/// with which a single block does it all.
std::shared_ptr<const Coarsening> make_coarsening(std::shared_ptr<const Subject>, const kernels::Request&);

}  // namespace warptree::scene
