// Races within blocks, found in a run's rows.
#pragma once

#include <vector>

#include "instrumentation/foreign/program.hpp"

namespace warptree::foreign {

/// Adds those whose line nobody told a race of.
/// atomics  lines of compare-and-swap and exchange, which a run has as writes
void add_races(const trace::Run&, const std::vector<int>& atomics, std::vector<Note>&);

}  // namespace warptree::foreign
