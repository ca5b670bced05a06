// Parallelism: how many operations a run did at once, as an ideal machine with a processor for each would see it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "instrumentation/counters/counters.hpp"

namespace warptree::counters {

/// source  PMPP ch. 10.1: a reduction of N elements is N - 1 operations; as a tree they take log2 N steps, N / 2 at
///         most at once, (N - 1) / log2 N on average
struct Parallelism {
    std::vector<std::uint64_t> at_once;  // operations of each step that has any
    std::vector<std::uint32_t> step;     // which step that is, counted over the run
    std::uint64_t steps() const { return at_once.size(); }
    std::uint64_t work() const;  // operations in all
    std::uint64_t peak() const;  // most of one step; 0 where there is none
    double average() const;      // work / steps; 0 where there is none
};
Parallelism parallelism(std::span<const Summary> launches);

/// How many times as many steps the first takes: "2.67 times as fast". 0 where the second takes none.
double speed_up(const Parallelism& slow, const Parallelism& fast);

}  // namespace warptree::counters
