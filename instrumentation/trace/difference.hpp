// Where two runs differ in what they do.
#pragma once

#include <string>

#include "instrumentation/trace/run.hpp"

namespace warptree::trace {

/// Compares what was done alone: kernels, arrays and lines may be others, as between versions of a program.
/// returns  empty if equal; else one sentence naming the first difference
std::string first_difference_of_work(const Run&, const Run&);

}  // namespace warptree::trace
