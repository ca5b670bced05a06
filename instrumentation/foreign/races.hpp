// Races within blocks, found in a run's rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/foreign/program.hpp"

namespace warptree::foreign {

/// Adds those whose line nobody told a race of.
/// atomics  lines of compare-and-swap and exchange, which a run has as writes
/// shown    whether the run is the one that is shown
void add_races(const trace::Run&, const std::vector<int>& atomics, bool shown, std::vector<Note>&);
/// How a note of a launch begins that is not shown.
std::string in_another(std::string_view function);

}  // namespace warptree::foreign
