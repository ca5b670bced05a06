// Counting a launch where its events lie, without rows: the same code on the CPU, a block at a time, and on a GPU, many
// blocks at once.
//
//   survey (threads, marks) -> table of steps (chunks.hpp) -> find_steps (threads) -> count_barriers (blocks),
//   count_warp (warps)
//
// Which step an event belongs to is record/steps.hpp's to say, and what it costs counters/cost.hpp's.
#pragma once

#include "instrumentation/counters/cost.hpp"
#include "instrumentation/counters/merge.hpp"
#include "instrumentation/record/steps.hpp"
#include "instrumentation/run/chunks.hpp"
#include "instrumentation/simt/simt.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

inline constexpr std::uint32_t kNoStep = 0xffffffffu;  // of markers and barriers, and past a thread's last event
inline constexpr std::uint32_t kTaken = 0xffffffffu;   // in the place of an event that is counted

WARPTREE_DEVICE void raise(Cell& cell, Cell value) {
    if (value > cell) atomicMax(&cell, value);
}

/// Blocks of a launch. Slot e of thread t of block b is at (b * capacity + e) * threads + t; what is not of a thread
/// alone, barriers and markers, in lists of each warp: slot m at (b * lists + list) * marks + m. Empty slots are 0 and
/// come last.
struct Log {
    probe::EventHead* head;
    probe::EventTail* tail;
    probe::EventHead* mark_head;
    probe::EventTail* mark_tail;
    std::uint32_t threads, capacity, lists, marks;
    std::uint32_t warp_size;
    std::uint32_t sizes;    // of each array's elements, by raw id: see Counted
    std::uint32_t outputs;  // a bit for each global array that takes results
    Round* rounds;          // (kMostRounds,)
    Cell* used;             // (2,) rounds; whether there are barriers in threads' slots

    WARPTREE_DEVICE std::uint32_t element_bytes(std::uint32_t what) const {
        return 1u << (sizes >> 2 * probe::array_of(what) & 3);
    }
    WARPTREE_DEVICE std::size_t slot(std::size_t block, std::uint32_t thread, std::uint32_t event) const {
        return (block * capacity + event) * threads + thread;
    }
    WARPTREE_DEVICE bool is_end(std::size_t block, std::uint32_t thread, std::uint32_t event) const {
        return event == capacity || head[slot(block, thread, event)].what == 0;
    }
    WARPTREE_DEVICE std::size_t mark(std::size_t block, std::uint32_t i) const { return block * lists * marks + i; }
};

/// StepSums, where threads add to it.
struct StepTable {
    const std::uint32_t* first;
    Cell *totals, *lines;

    WARPTREE_DEVICE void add(std::uint32_t id, const counters::StepCount& count, std::uint32_t line) const {
        const auto* fields = reinterpret_cast<const std::uint64_t*>(&count);
        for (std::uint32_t i = 0; i < StepSums::kFields; ++i)
            if (fields[i] != 0) atomicAdd(&totals[std::size_t{id} * StepSums::kFields + i], fields[i]);
        raise(lines[id], StepSums::kNoLine - line);
    }
};

WARPTREE_DEVICE void survey_event(const Log& log, std::uint32_t what, std::uint32_t index, std::uint32_t a,
                                  std::uint32_t round) {
    raise(log.used[0], round + 1);
    if (round >= kMostRounds || probe::kind_of(what) != probe::RawKind::kMarker) return;
    const Cell word = marker_word(index, probe::line_of(what), a);
    raise(log.rounds[round].highest, word);
    raise(log.rounds[round].lowest, ~word);
}

/// Finds how many adds a thread makes in each round.
WARPTREE_DEVICE void survey_thread(const Log& log, std::size_t block, std::uint32_t thread) {
    std::uint32_t round = 0;
    Cell adds = 0;
    for (std::uint32_t event = 0; !log.is_end(block, thread, event); ++event) {
        const std::size_t at = log.slot(block, thread, event);
        const probe::EventHead& head = log.head[at];
        const std::uint32_t now = probe::marker_of(log.tail[at].clock);
        if (now != round) {
            if (round < kMostRounds) raise(log.rounds[round].most_adds, adds);
            adds = 0;
            round = now;
            survey_event(log, head.what, head.index, head.a, round);
        }
        adds += probe::is_add(head.what);
        if (probe::is_barrier(probe::kind_of(head.what))) raise(log.used[1], 1);
    }
    if (round < kMostRounds) raise(log.rounds[round].most_adds, adds);
}

/// Notes what a slot of a block's lists says.
WARPTREE_DEVICE void survey_mark(const Log& log, std::size_t block, std::uint32_t i) {
    const std::size_t at = log.mark(block, i);
    const probe::EventHead& head = log.mark_head[at];
    if (head.what == 0) return;
    survey_event(log, head.what, head.index, head.a, probe::marker_of(log.mark_tail[at].clock));
}

/// The read whose value an output event stores moves to the output step with it.
WARPTREE_DEVICE void take_stored_read(const Log& log, std::size_t block, std::uint32_t thread, std::uint32_t stored,
                                      std::uint32_t round, std::uint32_t output) {
    if (stored == probe::kNone || stored % log.threads != thread) return;
    const std::size_t at = log.slot(block, 0, 0) + stored;
    if (probe::kind_of(log.head[at].what) != probe::RawKind::kRead || probe::marker_of(log.tail[at].clock) != round)
        return;
    log.tail[at].value = log.tail[at].value >> 32 << 32 | output;
}

/// Puts in the value of each event of a thread its place and its step: place << 32 | id.
WARPTREE_DEVICE void find_steps(const Log& log, const StepTable& steps, std::size_t block, std::uint32_t thread) {
    for (std::uint32_t event = 0; !log.is_end(block, thread, event);) {
        const std::uint32_t round = probe::marker_of(log.tail[log.slot(block, thread, event)].clock);
        record::SpanAdds span;
        std::uint32_t end = event;
        for (; !log.is_end(block, thread, end); ++end) {
            const std::size_t at = log.slot(block, thread, end);
            if (probe::marker_of(log.tail[at].clock) != round) break;
            span.adds += probe::is_add(log.head[at].what);
        }
        const std::uint32_t first = steps.first[round], output = steps.first[round + 1] - 1;
        for (; event < end; ++event) {
            const std::size_t at = log.slot(block, thread, event);
            const probe::EventHead head = log.head[at];
            const probe::RawKind kind = probe::kind_of(head.what);
            std::uint32_t id = kNoStep;
            if (kind != probe::RawKind::kMarker && !probe::is_barrier(kind)) {
                id = first + span.sub_of(head.what);
                const bool stores = probe::stores(kind) && (log.outputs >> probe::array_of(head.what) & 1) != 0;
                // Of a read it may be an event of another block, and of a launch before
                const bool of_add =
                    stores && head.a != probe::kNone && probe::is_add(log.head[log.slot(block, 0, 0) + head.a].what);
                if (stores && record::is_output_store(of_add, phase_of(log.rounds[round]))) {
                    id = output;
                    take_stored_read(log, block, thread, head.a, round, output);
                }
            }
            const std::uint64_t place = probe::place_of({0, 0, head.what, head.index, head.a, head.b});
            log.tail[at].value = place << 32 | id;
        }
    }
}

/// How many places of a block may hold a barrier: its lists', and where warps had diverged its threads' slots too.
WARPTREE_DEVICE std::uint32_t barrier_places(const Log& log) {
    return log.lists * log.marks + (log.used[1] != 0 ? log.capacity * log.threads : 0);
}

/// Counts a barrier, where none of a lower thread is the same one.
WARPTREE_DEVICE void count_barrier(const Log& log, const StepTable& steps, std::size_t block, std::uint32_t i) {
    const std::uint32_t listed = log.lists * log.marks;
    const auto what_of = [&](std::uint32_t at) {
        return at < listed ? log.mark_head[log.mark(block, at)].what
                           : log.head[log.slot(block, 0, 0) + at - listed].what;
    };
    const auto clock_of = [&](std::uint32_t at) {
        return at < listed ? log.mark_tail[log.mark(block, at)].clock
                           : log.tail[log.slot(block, 0, 0) + at - listed].clock;
    };
    const std::uint32_t what = what_of(i), thread = probe::thread_of(what);
    if (!probe::is_barrier(probe::kind_of(what))) return;
    const std::uint64_t clock = clock_of(i);
    const auto is_same = [&](std::uint32_t other) {
        return probe::is_barrier(probe::kind_of(what_of(other))) && probe::thread_of(what_of(other)) < thread &&
               probe::barrier_of(clock_of(other)) == probe::barrier_of(clock);
    };
    if (thread != 0 && i < listed && is_same(i % log.marks)) return;  // mostly the first warp's, at the same place
    for (std::uint32_t other = 0; thread != 0 && other < barrier_places(log); ++other)
        if (is_same(other)) return;
    record::SpanAdds span;
    const std::uint32_t round = probe::marker_of(clock);
    for (std::uint32_t event = 0; !log.is_end(block, thread, event); ++event) {
        const std::size_t of = log.slot(block, thread, event);
        if (log.tail[of].clock > clock) break;
        if (probe::marker_of(log.tail[of].clock) == round) span.done += probe::is_add(log.head[of].what);
    }
    counters::StepCount count;
    const auto kind = record::kind_in_trace(probe::kind_of(what));
    counters::add_rows(counters::effect_of(kind, false, false, false), 1, count.cost);
    steps.add(steps.first[round] + span.sub_of(what), count, record::line_key(what));
}

/// Puts a thread's events in order of steps: mostly they are.
WARPTREE_DEVICE void sort_events(const Log& log, std::size_t block, std::uint32_t thread) {
    const auto step = [&](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
    for (std::uint32_t event = 1; !log.is_end(block, thread, event); ++event) {
        const std::size_t from = log.slot(block, thread, event);
        const std::uint64_t value = log.tail[from].value;
        const std::uint32_t index = log.head[from].index;
        std::size_t at = from;
        for (; at >= log.slot(block, thread, 1) && step(log.tail[at - log.threads].value) > step(value);
             at -= log.threads) {
            log.tail[at].value = log.tail[at - log.threads].value;
            log.head[at].index = log.head[at - log.threads].index;
        }
        log.tail[at].value = value;
        log.head[at].index = index;
    }
}

/// One warp's events, step by step.
class WarpCount {
public:
    WARPTREE_DEVICE WarpCount(const Log& log, std::size_t block, std::uint32_t warp)
        : log_(log), block_(block), first_(warp * log.warp_size), lanes_(log.threads - first_) {
        if (lanes_ > log.warp_size) lanes_ = log.warp_size;
        for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
            sort_events(log_, block_, first_ + lane);
            next_[lane] = 0;
        }
    }
    WARPTREE_DEVICE void count(const StepTable& steps) {
        for (;;) {
            step_ = kNoStep;
            for (std::uint32_t lane = 0; lane < lanes_; ++lane) step_ = std::min(step_, step_at(lane, next_[lane]));
            if (step_ == kNoStep) return;
            sum_ = {};
            line_ = StepSums::kNoLine;
            moving_ = combining_ = 0;
            for (std::uint32_t lane = 0; lane < lanes_; ++lane)
                while (step_at(lane, next_[lane]) == step_) take_place(lane);
            sum_.combining.add_warp(static_cast<std::uint32_t>(std::popcount(combining_)), lanes_);
            sum_.moving.add_warp(static_cast<std::uint32_t>(std::popcount(moving_)), lanes_);
            steps.add(step_, sum_, line_);
        }
    }

private:
    WARPTREE_DEVICE std::size_t slot(std::uint32_t lane, std::uint32_t event) const {
        return log_.slot(block_, first_ + lane, event);
    }
    WARPTREE_DEVICE std::uint32_t step_at(std::uint32_t lane, std::uint32_t event) const {
        if (log_.is_end(block_, first_ + lane, event)) return kNoStep;
        return static_cast<std::uint32_t>(log_.tail[slot(lane, event)].value);
    }
    WARPTREE_DEVICE std::uint32_t place_at(std::uint32_t lane, std::uint32_t event) const {
        return static_cast<std::uint32_t>(log_.tail[slot(lane, event)].value >> 32);
    }
    /// Of accesses of several elements the first alone begins one.
    WARPTREE_DEVICE bool begins(std::uint32_t lane, std::uint32_t event, std::uint32_t width) const {
        return width == 1 || log_.head[slot(lane, event)].index % width == 0;
    }
    WARPTREE_DEVICE void take(std::uint32_t lane, std::uint32_t event) {
        log_.tail[slot(lane, event)].value = std::uint64_t{kTaken} << 32 | step_;
        while (step_at(lane, next_[lane]) == step_ && place_at(lane, next_[lane]) == kTaken) ++next_[lane];
    }
    /// Counts the next event of a lane and, of each lane above it, the next at the same place.
    WARPTREE_DEVICE void take_place(std::uint32_t leader) {
        const std::uint32_t place = place_at(leader, next_[leader]), what = probe::what_at(place);
        const probe::RawKind kind = probe::kind_of(what);
        const counters::Effect effect = counters::effect_of(
            record::kind_in_trace(kind), probe::array_of(what) >= probe::kFirstShared,
            kind == probe::RawKind::kReadRemote, probe::operator_at(place) == probe::kLaunchOperator);
        const std::uint32_t size = log_.element_bytes(what), width = probe::is_wide_at(place) ? 16 / size : 1;
        std::uint32_t elements[32], taken = 0, low = 0, lanes = 0;
        for (std::uint32_t lane = leader; lane < lanes_; ++lane)
            for (std::uint32_t event = next_[lane]; step_at(lane, event) == step_; ++event) {
                if (place_at(lane, event) != place) continue;
                const bool begun = begins(lane, event, width);
                if (!begun && lane != leader) continue;
                lanes |= 1u << lane;
                if (begun) elements[taken++] = log_.head[slot(lane, event)].index;
                if (lane < counters::kHalfWarp) low = taken;
                take(lane, event);
                if (!begun) lane = lanes_;  // the rest of an access that is counted
                break;
            }
        line_ = std::min(line_, record::line_key(what));
        if (counters::moves_data(effect)) moving_ |= lanes;
        if (counters::combines(effect)) combining_ |= lanes;
        if (!counters::is_access(effect)) {
            counters::add_rows(effect, taken, sum_.cost);
        } else if (taken != 0) {
            counters::add_access(effect, {{elements, taken}, low, size, width}, sum_.cost);
        }
    }

    const Log& log_;
    std::size_t block_;
    std::uint32_t first_, lanes_;  // threads
    std::uint32_t next_[32];       // (lanes,) the next event of each
    std::uint32_t step_ = kNoStep, line_ = StepSums::kNoLine;
    std::uint32_t moving_ = 0, combining_ = 0;  // a bit a lane
    counters::StepCount sum_;
};

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
