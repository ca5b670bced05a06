// Opening a run's file: what the window and the command line both call.
#pragma once

#include <filesystem>
#include <string>

#include "instrumentation/result.hpp"
#include "instrumentation/trace/run.hpp"

namespace warptree::counters {

/// Where a launch holds the rows of some blocks: totals of the grid that these blocks, counted, do not fit into.
/// returns  the first, as a clause that begins with where it is; empty if there is none
std::string problem(const trace::Run&);

/// trace::load(), and problem().
/// errors  one sentence that names the member and what is wrong with it
Result<trace::Run> open(const std::filesystem::path&);

}  // namespace warptree::counters
