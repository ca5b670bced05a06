// Counting a launch where its events lie, on the CPU.
#include "instrumentation/run/chunks.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "instrumentation/run/count_log.cuh"

namespace warptree::kernels {

using probe::RawEvent;

bool StepSums::holds(std::span<const Round> rounds) const {
    if (rounds.size() >= first.size()) return false;
    for (std::size_t round = 0; round < rounds.size(); ++round)
        if (std::max<Cell>(rounds[round].most_adds, 1) >= first[round + 1] - first[round]) return false;
    return true;
}

void StepSums::make_room(std::span<const Round> rounds) {
    first = {0};
    for (const Round& round : rounds)
        first.push_back(first.back() + static_cast<std::uint32_t>(std::max<Cell>(round.most_adds, 1)) + 1);
    totals.assign(std::size_t{first.back()} * kFields, 0);
    lines.assign(first.back(), 0);
}

void StepSums::add_to(counters::Merger& all, std::span<const Round> rounds) const {
    for (std::uint32_t round = 0; round + 1 < first.size(); ++round) {
        const auto said = static_cast<Cell>(~rounds[round].lowest);
        const record::Marker marker{static_cast<std::uint32_t>(said >> 32), phase_of(rounds[round]), 0,
                                    rounds[round].lowest != 0};
        for (std::uint32_t id = first[round]; id < first[round + 1]; ++id) {
            if (lines[id] == 0) continue;
            const bool is_output = id + 1 == first[round + 1];
            const std::uint64_t key = record::step_key(round, is_output ? record::kOutputSub : id - first[round]);
            trace::Step step = record::step_of(key, marker);
            const auto line = static_cast<std::uint32_t>(kNoLine - lines[id]);
            step.line = static_cast<std::uint16_t>(line);
            counters::StepCount count;
            std::memcpy(static_cast<void*>(&count), &totals[std::size_t{id} * kFields], sizeof count);
            all.add(key, step, line == step.line, count);
        }
    }
}

Result<void> check_rounds(std::span<const Round> rounds) {
    for (std::size_t round = 0; round < rounds.size(); ++round) {
        const Cell most = rounds[round].highest, least = ~rounds[round].lowest;
        if (most == 0 || most >> 32 == least >> 32) continue;
        return failure(fmt::format(
            "Threads disagree about round {}: one says stride {} (line {}), another stride {} (line {}). Every thread "
            "of the launch has to call step() for the same rounds.",
            round, least >> 32, least >> 8 & 0xffffff, most >> 32, most >> 8 & 0xffffff));
    }
    return {};
}

Result<void> check_most_rounds(std::uint64_t rounds) {
    if (rounds <= kMostRounds) return {};
    return failure(
        fmt::format("A thread of the launch calls step() {} times; it may do so {} times. Choose a smaller N.",
                    rounds - 1, kMostRounds - 1));
}

Counted::Counted(const trace::Trace& header) : threads(header.launch.block), warp_size(header.launch.warp_size) {
    for (std::uint32_t id = 0; id <= probe::kNoArray; ++id) {
        const bool global = id < header.arrays.size() && header.arrays[id].space == trace::Space::kGlobal;
        if (global && trace::takes_results(header.arrays[id].role)) outputs |= 1u << id;
        const value::Type usual = trace::value_type(header.launch),
                          type = global ? header.arrays[id].type.value_or(usual) : usual;
        sizes |= static_cast<std::uint32_t>(std::countr_zero(value::size_bytes(type))) << 2 * id;
    }
}

/// Chunk: events to their threads' columns, barriers and markers to a list of the block's.
/// returns  false where a thread has more than there is room for
bool BlockCounter::place(const RawEvent* events, std::uint32_t count) {
    placed_.assign(launch_.threads, 0);
    mark_head_.clear();
    mark_tail_.clear();
    for (std::uint32_t position = 0; position < count; ++position) {
        const RawEvent& event = events[position];
        const probe::RawKind kind = probe::kind_of(event.what);
        if (kind == probe::RawKind::kEmpty) continue;
        if (kind == probe::RawKind::kMarker || probe::is_barrier(kind)) {
            mark_head_.push_back({event.what, event.index, event.a, event.b});
            mark_tail_.push_back({event.clock, 0});
            continue;
        }
        std::uint32_t& placed = placed_[probe::thread_of(event.what)];
        if (placed == capacity_) return false;
        const std::uint32_t slot = placed++ * launch_.threads + probe::thread_of(event.what);
        const bool names_slot = probe::stores(kind) && event.a != probe::kNone;
        head_[slot] = {event.what, event.index, names_slot ? slot_of_[event.a] : probe::kNone, event.b};
        tail_[slot] = {event.clock, 0};
        slot_of_[position] = slot;
    }
    for (std::uint32_t thread = 0; thread < launch_.threads; ++thread)
        if (placed_[thread] < capacity_) head_[placed_[thread] * launch_.threads + thread].what = 0;
    return true;
}

void BlockCounter::lay_out(const RawEvent* events, std::uint32_t count) {
    if (slot_of_.size() < count) slot_of_.resize(count);
    for (;; capacity_ *= 2) {
        head_.resize(std::size_t{capacity_} * launch_.threads);
        tail_.resize(head_.size());
        if (place(events, count)) return;
    }
}

void BlockCounter::add_block(const RawEvent* events, std::uint32_t count) {
    if (!error_.empty()) return;
    lay_out(events, count);
    const auto round_of = [](const auto& event) { return probe::marker_of(event.clock); };
    std::uint32_t most = static_cast<std::uint32_t>(rounds_.size()) - 1;
    for (const probe::EventTail& mark : mark_tail_) most = std::max(most, round_of(mark));
    if (const auto few = check_most_rounds(most + 1); !few) {
        error_ = few.error().message;
        return;
    }
    rounds_.resize(most + 1);
    Cell used[2] = {};
    const auto marks = static_cast<std::uint32_t>(mark_head_.size());
    const Log log{.head = head_.data(),
                  .tail = tail_.data(),
                  .mark_head = mark_head_.data(),
                  .mark_tail = mark_tail_.data(),
                  .threads = launch_.threads,
                  .capacity = capacity_,
                  .lists = 1,
                  .marks = marks,
                  .warp_size = launch_.warp_size,
                  .sizes = launch_.sizes,
                  .outputs = launch_.outputs,
                  .rounds = rounds_.data(),
                  .used = used};
    for (std::uint32_t thread = 0; thread < launch_.threads; ++thread) survey_thread(log, 0, thread);
    for (std::uint32_t i = 0; i < marks; ++i) survey_mark(log, 0, i);
    if (!sums_.holds(rounds_)) {
        sums_.add_to(merged_, rounds_);
        sums_.make_room(rounds_);
    }
    const StepTable steps{sums_.first.data(), sums_.totals.data(), sums_.lines.data()};
    for (std::uint32_t thread = 0; thread < launch_.threads; ++thread) find_steps(log, steps, 0, thread);
    for (std::uint32_t i = 0; i < marks; ++i) count_barrier(log, steps, 0, i);
    for (std::uint32_t warp = 0; warp * launch_.warp_size < launch_.threads; ++warp)
        WarpCount(log, 0, warp).count(steps);
}

Result<void> BlockCounter::finish(counters::Merger& all) {
    if (!error_.empty()) return failure(error_);
    if (const auto agreed = check_rounds(rounds_); !agreed) return agreed;
    sums_.add_to(merged_, rounds_);
    all.add(merged_);
    if (!all.disagreement()) return {};
    const auto& [one, other] = *all.disagreement();
    return failure(fmt::format(
        "Blocks disagree about a round: one says stride {} (line {}), another stride {} (line {}). Every thread of "
        "the launch has to call step() for the same rounds.",
        one.stride, one.line, other.stride, other.line));
}

}  // namespace warptree::kernels
