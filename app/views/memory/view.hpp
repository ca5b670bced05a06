// The memory view: one warp's access in the present step, lane by lane, and what all accesses of the step cost: those
// of counters::access_costs and of the block's summary.
#pragma once

#include <cstdint>

#include "app/kit/kit.hpp"
#include "app/views/memory/choice.hpp"

namespace warptree::scene {

Scene memory_view(const Subject&, Playhead, const MemoryChoice&, Box, const Measure&, const Target& hover = {});

/// The choice that a target of the view stands for: made only if it is an access of the present step.
MemoryChoice choice_of(const Subject&, Playhead, const Target&);
/// What an access does and costs, a line each.
std::vector<std::string> access_story(const Subject&, Playhead, const Target&);

// What the files of this view share

/// One warp's access and its cost.
struct MemoryAccess : counters::Access {
    trace::Kind kind = trace::Kind::kRead;  // or a write, a reduction, a ticket
    std::string words;                      // "reads input", "writes input_s", "adds to output"
    bool shared = false;
    counters::Global global{};    // sums over loads, stores and atomics, of which it is one
    std::uint64_t conflicts = 0;  // of shared memory
    std::uint64_t passes = 0;     // over the banks; elements of 8 bytes take each half of a warp apart
    std::uint64_t excess = 0;     // passes or sectors that a better pattern would have saved
    std::uint64_t price() const { return shared ? passes : global.sectors; }
    std::uint64_t moved_bytes() const { return global.sectors * counters::kSectorBytes; }
};
/// Those of the block on show in one step, in order of (site, warp).
std::vector<MemoryAccess> memory_accesses(const Subject&, Playhead);
/// Place of the one on show.
std::size_t shown_access(const std::vector<MemoryAccess>&, const MemoryChoice&);

struct MemoryContext : ViewContext {
    const std::vector<MemoryAccess>& all;
    const MemoryAccess& shown;
    const trace::Trace& trace() const { return s.trace; }
    std::size_t warp_size() const { return trace().launch.warp_size; }
    std::size_t element_bytes() const { return value::size_bytes(trace().type_of(trace().sites[shown.site].array)); }
    Role role() const { return shown.kind == trace::Kind::kRead ? kSegment : kWritten; }
    Role on_role() const { return shown.kind == trace::Kind::kRead ? kOnSegment : kOnWritten; }
};

void draw_segments(const MemoryContext&, Box);
void draw_banks(const MemoryContext&, Box);

/// One word of shared memory (of an 8-byte element both) as one access uses it.
struct BankWord {
    std::uint32_t bank = 0, pass = 0;
    bool first = false;               // of its half of the warp: no conflict
    std::vector<std::uint32_t> rows;  // of the lanes that share it
};
/// Words by the pass that serves them: each bank gives one word a pass, of its half of the warp.
std::vector<BankWord> bank_words(const Subject&, const MemoryAccess&);

}  // namespace warptree::scene
