// Threads that touch a cell with nothing to say who comes first: readers of what is written later, and blocks of one
// launch. What threads of one block do with barriers between is found in the rows (../races.cpp).
#include <algorithm>

#include <fmt/format.h>

#include "instrumentation/foreign/runner/state.hpp"

namespace warptree::foreign {
namespace {

/// A cell that was read before anybody wrote it.
struct Unknown {
    Touch touch;
    std::uint32_t block = 0, thread = 0, barrier = 0;
    Note note = {};
};
std::vector<Unknown> unknown;  // of each line the first

/// A plain read of what the reader's own block has added to.
struct SumRead {
    Touch touch;
    std::uint32_t block = 0, thread = 0;  // block: as me()
};
std::vector<SumRead> sums;  // of each line the first

std::uint32_t barrier() {
    return probe::barrier_of(simt::current_lane->clock);
}
std::uint32_t me() {
    return simt::current_lane->block->run_block + 1;
}
std::string cell_text(const Touch& touch) {
    return fmt::format("{}[{}]", touch.name->empty() ? "an array" : *touch.name, touch.index);
}
/// Of an earlier block of this launch, whose number counts all launches: its number in the launch; none: it is this
/// one, or of an earlier launch.
std::optional<std::uint32_t> other_block(std::uint32_t number) {
    const std::uint32_t earlier = state().now->earlier;
    return number <= earlier || number == me() ? std::nullopt : std::optional(number - earlier - 1);
}

std::uint32_t met = 0;       // the last block whose atomic found another one's, as me(); 0: it found none
std::uint32_t follower = 0;  // the last one that took what it found there, by which it may wait

/// Why nothing orders two blocks, of which the later one runs.
const char* why_none() {
    return follower == me() ? "only a __threadfence() before the atomic that the later one waits for would order them, "
                              "after a __syncthreads() where other threads write, too"
                            : "blocks run in any order";
}

void tell_race(const Touch& touch, const char* does, std::uint32_t block, const char* other_does) {
    note("race", line_of_address(touch.caller),
         fmt::format("{} {} {}, which block {} {} in the same launch: {}", who(), does, cell_text(touch), block,
                     other_does, why_none()));
}

/// Whether a write, now, is of a cell that another thread has read with nothing between.
bool is_race(const Unknown& one, const Touch& write) {
    if (one.touch.cell != write.cell) return false;
    const simt::Lane& lane = *simt::current_lane;
    if (lane.block->run_block != one.block) return write.global;
    return lane.thread() != one.thread && barrier() == one.barrier;
}

}  // namespace

void note_unknown(const Touch& touch, const char* does) {
    const simt::Lane& lane = *simt::current_lane;
    Note note = note_here("uninitialised", line_of_address(touch.caller),
                          fmt::format("{} {} {}, which {} has written", who(), does, cell_text(touch),
                                      touch.global ? "nobody" : "no thread of the block"));
    if (std::ranges::any_of(unknown, [&](const Unknown& one) { return one.note.line == note.line; })) return;
    unknown.push_back({touch, lane.block->run_block, lane.thread(), barrier(), std::move(note)});
}

void tell_unknown(bool global) {
    std::erase_if(unknown, [&](Unknown& one) {
        const bool told = global || !one.touch.global;
        if (told) add(std::move(one.note));
        return told;
    });
}

void look_at_read(const Touch& touch, bool marks) {
    Origin& cell = *touch.cell;
    if (const auto block = other_block(cell.owner); block && !cell.is_atomic() && !state().fenced)
        tell_race(touch, "reads", *block, "writes");
    if (marks) cell.note_reader(me(), state().now->earlier);
    if (!touch.global || !cell.is_atomic() || cell.owner != me() || state().fenced) return;
    std::erase_if(sums, [](const SumRead& one) { return one.block <= state().now->earlier; });
    if (std::ranges::none_of(sums, [&](const SumRead& one) { return one.touch.caller == touch.caller; }))
        sums.push_back({touch, me(), simt::current_lane->thread()});
}

void look_at_use() {
    if (met == me()) follower = met;
}

void look_at_write(const Touch& touch, bool changes) {
    for (Unknown& one : unknown)
        if (one.note.kind != "race" && is_race(one, touch)) {
            one.note.kind = "race";
            one.note.text = fmt::format("thread {} of block {} reads {}, which {} writes on line {}{}", one.thread,
                                        one.note.block, cell_text(touch), who(), line_of_address(touch.caller),
                                        one.block == simt::current_lane->block->run_block
                                            ? " with no barrier between: chance decides which comes first"
                                            : " in the same launch: blocks run in any order");
        }
    const Origin& cell = *touch.cell;
    if (!touch.global || state().fenced) return;
    if (const auto block = cell.was_stored() ? std::nullopt : other_block(cell.reader_block()))
        tell_race(touch, "writes", *block, "reads");
    else if (const auto writer = other_block(cell.owner); writer && changes)
        tell_race(touch, "writes", *writer, cell.is_atomic() ? "changes by an atomic" : "writes, too,");
}

void look_at_add(const Touch& touch, const char* does, bool grows) {
    for (const SumRead& one : sums) {
        const auto block = one.touch.cell == touch.cell ? other_block(one.block) : std::nullopt;
        if (!block || !grows || state().fenced) continue;
        Note made = note_here("race", line_of_address(one.touch.caller),
                              fmt::format("thread {} of block {} reads {}, which {} {} in the same launch: blocks "
                                          "run in any order",
                                          one.thread, *block, cell_text(touch), who(), does));
        made.block = *block, made.thread = one.thread;
        add(std::move(made));
    }
    std::erase_if(sums, [&](const SumRead& one) { return one.touch.cell == touch.cell; });
    const Origin& cell = *touch.cell;
    met = cell.is_atomic() && other_block(cell.owner) ? me() : 0;
    const auto stored = cell.was_stored() ? other_block(cell.reader_block()) : std::nullopt;
    const auto block = stored || cell.is_atomic() ? stored : other_block(cell.owner);
    if (block && !state().fenced) tell_race(touch, does, *block, "writes");
}

}  // namespace warptree::foreign
