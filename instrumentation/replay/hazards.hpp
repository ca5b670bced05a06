// The kinds of hazards that hazards() puts together. Internal to replay.
#pragma once

#include <cstdint>
#include <vector>

#include "instrumentation/replay/replay.hpp"

namespace warptree::replay {

/// Hazards of one block's shared memory that come from other blocks of its cluster.
std::vector<Hazard> cluster_hazards(const trace::Trace&, std::uint32_t home);

}  // namespace warptree::replay
