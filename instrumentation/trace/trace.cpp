// The index of rows. Neighbours: values.cpp, difference.cpp.
#include "instrumentation/trace/trace.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "instrumentation/value/operator.hpp"

namespace warptree::trace {
namespace {

/// A broken invariant: says so and stops.
[[noreturn]] void broken(const std::string& what) {
    fmt::print(stderr, "warptree: broken invariant: {}\n", what);
    std::abort();
}

}  // namespace

Type value_type(const Launch& launch) {
    return value::value_type(launch.type, launch.op);
}

Trace& Trace::operator=(Trace&&) noexcept = default;
Trace::~Trace() = default;

std::string_view Trace::op(std::size_t row) const {
    const Operator own = sites[site[row]].op;
    return own == Operator::kLaunch ? std::string_view(launch.op) : name(own);
}

void Trace::index_rows() {
    const std::size_t spans = blocks_held() * steps.size();
    if (rows() > std::numeric_limits<std::uint32_t>::max()) broken(fmt::format("a trace of {} rows", rows()));
    row_begin.assign(spans + 1, static_cast<std::uint32_t>(rows()));
    std::size_t next = 0;              // the first span whose beginning is not known yet
    constexpr std::size_t kMany = 32;  // rows compared at a time: most are of the step of the row before
    for (std::size_t row = 0; row < rows(); ++row) {
        if (row > 0 && row + kMany <= rows() && std::memcmp(&step[row], &step[row - 1], kMany * sizeof step[0]) == 0 &&
            std::memcmp(&block[row], &block[row - 1], kMany * sizeof block[0]) == 0) {
            row += kMany - 1;
            continue;
        }
        if (row > 0 && step[row] == step[row - 1] && block[row] == block[row - 1]) continue;
        const std::size_t span = place_of(block[row]) * steps.size() + step[row];
        if (!holds(block[row]) || step[row] >= steps.size() || span >= spans || span + 1 < next)
            broken(fmt::format("row {} (block {}, step {}) out of order in a trace of {} blocks and {} steps", row,
                               block[row], step[row], launch.grid, steps.size()));
        for (; next <= span; ++next) row_begin[next] = static_cast<std::uint32_t>(row);
    }
}

}  // namespace warptree::trace
