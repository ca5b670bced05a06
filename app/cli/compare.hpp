// Comparing from the command line: which runs, and the report that holds them side by side.
#pragma once

#include <string>
#include <vector>

#include "app/cli/source.hpp"
#include "instrumentation/result.hpp"
#include "instrumentation/trace/trace.hpp"

namespace warptree::cli {

inline constexpr const char* kCompareHelp =
    "two to four runs side by side: A,B[,C[,D]]; NAME:KEY=VALUE sets a launch option of one, for example "
    "pmpp-shared,pmpp-coarsened:coarsen=4";

/// Reads a list "a,b:coarsen=4:block=64,c.wtrace": two to four kernels or trace files. Options common to all come
/// from `common`; KEY=VALUE, where KEY is a launch option without its dashes, overrides one for one run.
/// errors  usage: fewer than two, more than four, an option that does not exist or has no value; a SOURCE beside it
Result<std::vector<SourceOptions>> compared_sources(const SourceOptions& common, const std::string& list);

/// The counters of two to four runs side by side: totals with ratios to the first, and every step.
std::string text_comparison(std::vector<trace::Run> runs);
/// The same as one JSON object.
std::string json_comparison(std::vector<trace::Run> runs);

}  // namespace warptree::cli
