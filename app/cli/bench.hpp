// Timings of what a user waits for, on this machine.
#pragma once

#include <string>

#include "instrumentation/result.hpp"

namespace warptree::cli {

/// Prints a table, or JSON as Google Benchmark writes it.
/// filter  a regular expression; empty: all timings
/// errors  usage: no timing has such a name; failed: this build has no Google Benchmark
Result<void> bench(const std::string& filter, bool json);

}  // namespace warptree::cli
