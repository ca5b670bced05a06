// What a recorded schedule says: which blocks ran side by side, in how many waves, and how long the tail is.
#pragma once

#include <cstdint>
#include <vector>

#include "instrumentation/request/timing.hpp"

namespace warptree::study {

struct ScheduleFacts {
    std::uint64_t end = 0;            // nanoseconds: the last block's end
    std::uint64_t tick = 0;           // the clock's, as far as the moments show it
    std::uint32_t at_once = 0;        // most blocks that ran at one moment
    std::uint32_t waves = 0;          // of at_once blocks that all blocks make
    std::uint32_t places = 0;         // multiprocessors that had a block
    std::uint64_t tail = 0;           // from when on the first of these has no more: nanoseconds
    std::uint32_t lanes = 0;          // most blocks at a time on one multiprocessor
    std::vector<std::uint32_t> lane;  // (blocks,) which of these; blocks of one lane follow each other
    double tail_share() const { return end == 0 ? 0 : static_cast<double>(end - tail) / static_cast<double>(end); }
};
/// schedule  of a block at least
ScheduleFacts facts_of(const kernels::Schedule& schedule);

/// (bins,) how many blocks ran, on average over each of so many equal parts of the time.
std::vector<double> running(const kernels::Schedule& schedule, std::size_t bins);

}  // namespace warptree::study
