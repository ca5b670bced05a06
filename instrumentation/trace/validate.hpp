// What is checked of a run, so that every layer above may index without checking: lengths, ranges, operands, memory.
// What its rows say is believed; what follows from them is not read but found, by derive().
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <fmt/format.h>

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
inline constexpr std::uint64_t kMostTotal = std::uint64_t{1} << 48;   // sums of them stay far from the end of 64 bits

constexpr bool touches_memory(Kind kind) {
    return kind == Kind::kRead || stores(kind);
}

/// Whether a launch's index of rows, an entry for each block and step, stays in proportion to its rows: most launches
/// leave rows in most of them.
constexpr bool can_index(std::uint64_t blocks, std::uint64_t steps, std::uint64_t rows) {
    return blocks * steps <= (std::uint64_t{1} << 22) + 16 * rows;
}

/// check(launch) of each; refusals say which, and where its rows begin: they are counted from there.
template <class Check>
void each_launch(const Run& run, Check check) {
    std::size_t row = 0;
    for (std::size_t i = 0; i < run.launches.size(); ++i) {
        const std::string begin = row > 0 ? fmt::format(", from row {} on", row) : "";
        within(run.launches.size() == 1 ? "" : fmt::format("launch {}{}", i, begin), [&] { check(i); });
        row += run.launches[i].rows();
    }
}

// Checks throw a Refusal: the first problem, as a clause that begins with where it is.

/// Launches, arrays, sites and steps, given fields each of which is sound: limits, order, and references among them. Of
/// listings the files alone.
/// rows  (launches,) that each has, or will have; bounds what its index of rows may take
void check_tables(const Run&, std::span<const std::uint64_t> rows);
/// Those of one launch alone.
void check_tables(const Trace&);

/// The columns, given sound tables: lengths, ranges, order of rows, operands, and that no value is made of itself; and
/// the listings' texts.
void check_rows(const Run&);

/// What these refuse, and reading the manifest; empty for every run that can be saved. Of a trace without the latter.
std::string problem(const Run&);
std::string problem(const Trace&);
}  // namespace warptree::trace
