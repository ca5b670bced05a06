// What has to hold in a trace so that every layer above may index without checking.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/refusal.hpp"
#include "instrumentation/trace/run.hpp"

namespace warptree::trace {

inline constexpr std::uint32_t kMostThreadsPerBlock = 1024;
inline constexpr std::uint64_t kMostThreads = std::uint64_t{1} << 30;         // of a launch
inline constexpr std::uint32_t kMostSharedElements = std::uint32_t{1} << 16;  // of one array
inline constexpr std::size_t kMostRows = 0x7fffffff;                          // of a run
inline constexpr std::size_t kMostSteps = 65536;                              // of a run: step is a 16-bit column
inline constexpr std::size_t kMostSites = 65536;                              // likewise
inline constexpr std::size_t kMostArrays = Site::kNoArray;  // of a run, of shared ones those of each launch
inline constexpr std::size_t kMostLaunches = 128;
inline constexpr std::size_t kMostListings = 64;
inline constexpr std::size_t kLargestListing = std::size_t{1} << 20;  // bytes

constexpr bool touches_memory(Kind kind) {
    return kind == Kind::kRead || stores(kind);
}

/// Whether a launch's index of rows, an entry for each block and step, stays in proportion to its rows: most launches
/// leave rows in most of them.
constexpr bool can_index(std::uint64_t blocks, std::uint64_t steps, std::uint64_t rows) {
    return blocks * steps <= (std::uint64_t{1} << 22) + 16 * rows;
}

// Checks throw a Refusal: the first problem, as a clause that begins with where it is.

/// Launch, arrays, sites and steps: limits, order, and references among them.
/// rows  that the trace has, or will have; bounds what row_begin may take
void check_tables(const Trace&, std::size_t rows);

/// The columns, given sound tables: lengths, ranges, order of rows, operands, and that no value is made of itself.
void check_rows(const Trace&);

/// Whether contents are there for each global array, of its type and extent. when  "initial" or "final"
void check_contents(const Trace&, const std::vector<Values>& contents, std::string_view when);

/// Parts of it, given that all the rest is sound: whether rows can have happened when they say, whether strides and
/// warp synchronisations are those of the rows, and whether values follow from their operands, contents before from
/// reads, contents after from writes.
void check_moments(const Trace&);
void check_rounds(const Trace&);
void check_values(const Trace&);

/// (steps,) which round each is of: what a kernel opens with one call of step().
std::vector<std::uint32_t> rounds_of(const Trace&);
/// A part of check_rounds().
void check_reach(const Trace&, const std::vector<std::uint32_t>& rounds);

/// What both refuse; empty for every trace that a launch can leave. What it has of other launches is of the run.
std::string problem(const Trace&);

/// The same of a run: each launch, and how they go together. A row of a launch is counted from its first.
/// rows  (launches,)
void check_tables(const Run&, std::span<const std::uint64_t> rows);
void check_rows(const Run&);
std::string problem(const Run&);
/// A listing's file, which is the name of a member, and text. In check_tables() the files alone are looked at.
void check_listing(const Listing&);

/// A text that people are shown.
void check_text(std::string_view where, std::string_view text, bool needed);

}  // namespace warptree::trace
