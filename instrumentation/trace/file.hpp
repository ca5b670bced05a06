// The run's file, NAME.wtrace: a ZIP archive of stored members, one .npy array a column and manifest.json, so that
// numpy.load() opens it. The members are listed in README.md.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

#include "instrumentation/result.hpp"
#include "instrumentation/trace/run.hpp"

namespace warptree::trace {

/// Writes a run. At any moment, a crash included, the path names the old file or the whole new one. Equal runs give
/// equal bytes, but for backend, device, driver, build and the last block.
/// errors  the path cannot be written (and why), the disk is full, the run is not sound
Result<void> save(const Run&, const std::filesystem::path&);
/// Into an empty file that is open for reading and writing.
Result<void> save(const Run&, int descriptor);
/// A run of one launch.
Result<void> save(const Trace&, const std::filesystem::path&);

/// Reads a run and trusts nothing in it: what comes back can be indexed without checks. A file of an older program
/// holds one launch.
/// errors  one sentence that names the member and what is wrong with it
Result<Run> load(const std::filesystem::path&);

/// The same, from memory.
/// name  what errors call it
Result<Run> load(std::span<const std::byte> file, std::string_view name);

}  // namespace warptree::trace
