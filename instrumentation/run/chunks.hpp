// Counting a launch where its events lie: no rows are made, whatever the size of the launch.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "instrumentation/counters/merge.hpp"
#include "instrumentation/log/raw.hpp"
#include "instrumentation/result.hpp"

namespace warptree::kernels {

using Cell = unsigned long long;  // what atomics of a GPU take

/// What is known of the span of one marker, of all threads.
struct Round {
    Cell most_adds = 0;            // of a thread
    Cell highest = 0, lowest = 0;  // of what markers said (marker_word()); the lowest with all bits turned, 0: nobody
};
inline constexpr std::uint32_t kMostRounds = 65536;
constexpr Cell marker_word(std::uint32_t stride, std::uint32_t line, std::uint32_t phase) {
    return Cell{stride} << 32 | line << 8 | (phase & 255);
}
constexpr std::uint32_t phase_of(const Round& round) {
    const auto phase = static_cast<std::uint32_t>(~round.lowest & 255);
    return round.lowest == 0 || phase == 255 ? probe::kNone : phase;
}

/// The steps of a launch while they are counted. Each has an id: those of round m are [first[m], first[m + 1]), one for
/// each add, and the last of them is its output step.
struct StepSums {
    static constexpr std::uint32_t kFields = sizeof(counters::StepCount) / sizeof(Cell);
    static constexpr std::uint32_t kNoLine = 1u << 17;  // more than any record::line_key()

    std::vector<std::uint32_t> first = {0};
    std::vector<Cell> totals;  // (ids, kFields) a counters::StepCount each
    std::vector<Cell> lines;   // (ids,) kNoLine less the lowest line_key(); 0: no row

    bool holds(std::span<const Round>) const;
    /// Room for steps of these rounds, nothing counted.
    void make_room(std::span<const Round>);
    /// Adds what was counted to `all`.
    void add_to(counters::Merger& all, std::span<const Round>) const;
};
static_assert(sizeof(counters::StepCount) % sizeof(Cell) == 0);

/// errors  threads that said different strides in one round
Result<void> check_rounds(std::span<const Round>);
/// errors  more rounds than can be counted
Result<void> check_most_rounds(std::uint64_t rounds);

/// What counting has to know of a launch.
struct Counted {
    explicit Counted(const trace::Trace& header);
    std::uint32_t threads, warp_size;
    std::uint32_t sizes = 0;    // two bits for each raw id: the binary logarithm of the bytes that an element has
    std::uint32_t outputs = 0;  // a bit for each global array that takes results
};

/// Counts blocks on the CPU, one after the other.
class BlockCounter {
public:
    explicit BlockCounter(const trace::Trace& header) : launch_(header) {}

    /// As record::Assembler::add_block().
    void add_block(const probe::RawEvent* events, std::uint32_t count);

    /// Adds all that was counted to `all`.
    /// errors  threads that disagreed about a step; too many steps
    Result<void> finish(counters::Merger& all);

private:
    void lay_out(const probe::RawEvent* events, std::uint32_t count);
    bool place(const probe::RawEvent* events, std::uint32_t count);

    Counted launch_;
    std::vector<Round> rounds_ = {1, Round()};
    StepSums sums_;
    counters::Merger merged_{launch_.warp_size};
    std::string error_;
    // One block's events, in columns.
    std::uint32_t capacity_ = 16;  // events a thread
    std::vector<probe::EventHead> head_, mark_head_;
    std::vector<probe::EventTail> tail_, mark_tail_;
    std::vector<std::uint32_t> slot_of_;  // (position)
    std::vector<std::uint32_t> placed_;   // (threads,)
};

}  // namespace warptree::kernels
