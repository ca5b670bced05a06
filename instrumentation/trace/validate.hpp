// What has to hold in a trace so that every layer above may index without checking.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "instrumentation/trace/trace.hpp"

namespace warptree::trace {

inline constexpr std::uint32_t kMostThreadsPerBlock = 1024;
inline constexpr std::uint64_t kMostThreads = std::uint64_t{1} << 30;         // of a launch
inline constexpr std::uint32_t kMostSharedElements = std::uint32_t{1} << 16;  // of one array
inline constexpr std::size_t kMostRows = 0x7fffffff;

constexpr bool touches_memory(Kind kind) {
    return kind == Kind::kRead || kind == Kind::kWrite || kind == Kind::kReduction;
}

/// Launch, arrays, sites and steps: limits, order, and references among them.
/// rows     that the trace has, or will have; bounds what row_begin may take
/// returns  the first problem as a clause that begins with where it is; empty if there is none
std::string table_problem(const Trace&, std::size_t rows);

/// The columns, given sound tables: lengths, ranges, order of rows, operands, and that no value is made of itself.
std::string row_problem(const Trace&);

/// Both. Empty for every trace that a launch can leave.
std::string problem(const Trace&);

}  // namespace warptree::trace
