// The memory view: one warp's access in the present step, lane by lane, and what all accesses of the step cost: those
// of counters::access_costs and of the block's summary.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/scene/kit.hpp"

namespace warptree::scene {

/// Which access is on show: the same place in the kernel and warp in each step, else the one that wastes most.
struct MemoryChoice {
    bool made = false;
    std::uint16_t site = 0;
    std::uint32_t warp = 0;
    bool operator==(const MemoryChoice&) const = default;
};

Scene memory_view(const Subject&, Playhead, const MemoryChoice&, Box, const Measure&, const Target& hover = {});

/// The choice that a target of the view stands for: made only if it is an access of the present step.
MemoryChoice choice_of(const Subject&, Playhead, const Target&);
/// What an access does and costs, a line each.
std::vector<std::string> access_story(const Subject&, Playhead, const Target&);

// What the files of this view share

/// The accesses to memory of the block on show in one step, in order of (site, warp), and what each costs.
class StepAccesses {
public:
    StepAccesses(const Subject&, Playhead);
    std::size_t size() const { return all_.size(); }
    const counters::Access& access(std::size_t i) const { return all_[i]; }
    /// A read, a write, a reduction or a ticket.
    trace::Kind kind(std::size_t i) const { return subject_->trace.sites[all_[i].site].kind; }
    bool shared(std::size_t i) const { return costs_[i].shared_ld.requests + costs_[i].shared_st.requests > 0; }
    /// Of global memory; sums over loads, stores and atomics, of which one access is one.
    counters::Global global(std::size_t i) const;
    std::uint64_t conflicts(std::size_t i) const {
        return costs_[i].shared_ld.conflicts + costs_[i].shared_st.conflicts;
    }
    /// Passes over the banks: the first ones and the conflicts. An element of 8 bytes takes each half of a warp apart.
    std::uint64_t passes(std::size_t i) const;
    /// Passes or sectors that a better pattern would have saved.
    std::uint64_t excess(std::size_t i) const;
    std::size_t worst() const;
    std::size_t shown(const MemoryChoice&) const;
    /// "reads input", "writes input_s", "adds to output".
    std::string words(std::size_t i) const;
    const Subject& subject() const { return *subject_; }

private:
    const Subject* subject_;
    std::vector<counters::Access> all_;
    std::vector<counters::Counters> costs_;
};

struct MemoryContext {
    const StepAccesses& accesses;
    std::size_t shown;
    float progress;
    Pen& pen;
    Target hover;
    const Subject& subject() const { return accesses.subject(); }
    std::size_t element_bytes() const { return value::size_bytes(subject().trace.value.type()); }
    Role role() const { return accesses.kind(shown) == trace::Kind::kRead ? Role::kSegment : Role::kWritten; }
    Role on_role() const { return accesses.kind(shown) == trace::Kind::kRead ? Role::kOnSegment : Role::kOnWritten; }
};

/// The warp's lanes in a row.
struct LaneRow {
    float x = 0, pitch = 0, bottom = 0;
    float middle(std::size_t lane) const { return x + (static_cast<float>(lane) + 0.42f) * pitch; }
};
/// A row at least this high numbers lanes above them where they are too narrow to be numbered themselves.
inline constexpr float kNumberedLanes = 26;
/// widest  of a lane's pitch
LaneRow draw_lane_row(const MemoryContext&, Box row, float widest);
void draw_wire(const MemoryContext&, Vec from, Vec to, bool wrong);

void draw_segments(const MemoryContext&, Box);
void draw_banks(const MemoryContext&, Box);

/// The arrays as they lie in memory, while no lane asks for any of it.
void draw_memory_at_rest(Pen&, const Subject&, Box inside);

/// One word of shared memory (of an 8-byte element both) as one access uses it.
struct BankWord {
    std::uint32_t bank = 0, pass = 0, word = 0;
    std::vector<std::uint32_t> rows;  // of the lanes that share it
};
/// Words by the pass that serves them: each bank gives one word a pass, of its half of the warp.
std::vector<BankWord> bank_words(const StepAccesses&, std::size_t access);

}  // namespace warptree::scene
