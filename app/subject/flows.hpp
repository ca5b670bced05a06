// Flows: what each lane took in and gave out in each step of the block on show, so that the tree view, the captions and
// the stories speak of the same thing: the graph of values, as one block of it is seen.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/subject/subject.hpp"

namespace warptree::study {

/// Where a value came from: a cell that was read, or the register of a lane that made it in an earlier step. What
/// another block of the cluster has in its shared memory is in no cell of the block on show.
struct Source {
    bool in_cell = false;
    replay::Place cell;                  // if in_cell, or of a block:
    std::optional<std::uint32_t> block;  // the other one
    std::uint32_t step = 0;              // else: the step and thread that made it
    std::uint16_t thread = 0;
    std::uint32_t row = 0;  // the read; else the combine or shuffle
};

/// The operands of one flow, in order: nearly always two at most, kept in place since there are as many flows as adds.
class Sources {
public:
    void push_back(const Source& source) {
        if (count_ == few_.size()) many_.assign(few_.begin(), few_.end());
        if (count_ >= few_.size()) {
            many_.push_back(source);
        } else {
            few_[count_] = source;
        }
        ++count_;
    }
    std::size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    const Source& operator[](std::size_t i) const { return begin()[i]; }
    const Source* begin() const { return count_ <= few_.size() ? few_.data() : many_.data(); }
    const Source* end() const { return begin() + count_; }

private:
    std::array<Source, 2> few_;
    std::vector<Source> many_;  // all of them, where they are more
    std::size_t count_ = 0;
};

/// One lane's work: a combine with its operands, or a move (one source, stored elsewhere).
struct Flow {
    std::uint32_t row = 0;  // the combine; of a move, the write
    std::uint32_t step = 0;
    std::uint16_t thread = 0;
    bool combine = false;
    Sources sources;
    std::optional<replay::Place> written;  // in this step
};

/// All flows of the block, in order of (step, thread).
class Flows {
public:
    explicit Flows(const Subject&);
    std::span<const Flow> of(std::size_t step) const { return of(Fold{step, step + 1}); }
    /// Of steps of the launch that are shown as one.
    std::span<const Flow> of(Fold row) const;
    std::span<const Flow> all() const { return flows_; }

private:
    std::vector<Flow> flows_;
    std::vector<std::size_t> begin_;  // (steps + 1,)
};

/// "stride 2", "load", "output": a step's name.
std::string step_name(const trace::Step&);
std::string step_name(const Subject&, std::size_t step);
/// "load, 128 times".
std::string row_name(const Subject&, Fold row);
/// Whether a step belongs to the parallel tree or scan (not load, not output).
bool is_tree_step(const trace::Step&);
bool is_tree_step(const Subject&, std::size_t step);
/// The step in which a race shows: that of its later access.
std::uint32_t step_of(const Subject&, const replay::Hazard&);

/// Warps of one block by what they do in a step.
struct WarpCount {
    std::size_t full = 0, diverged = 0, idle = 0;
    std::size_t all() const { return full + diverged + idle; }
    std::size_t active() const { return full + diverged; }
};
WarpCount count_warps(const std::vector<counters::LaneState>& lanes, std::size_t warp_size);
/// kDiverged if any lane of [first, end) waits; else all are active, or the warp is idle.
counters::LaneState warp_state(const std::vector<counters::LaneState>& lanes, std::size_t first, std::size_t end);

}  // namespace warptree::study
