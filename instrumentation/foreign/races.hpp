// Races within blocks, found in a run's rows.
#pragma once

#include <vector>

#include "instrumentation/foreign/program.hpp"

namespace warptree::foreign {

/// Adds those whose line nobody told a race of.
/// volatiles  lines on which the lanes of a warp were in step
/// returns    whether lanes of a warp that were not in step have one
bool add_races(const trace::Run&, const std::vector<int>& volatiles, std::vector<Note>&);

}  // namespace warptree::foreign
