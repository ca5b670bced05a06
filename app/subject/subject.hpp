// The subject: one trace and all that is derived from it once, for every view to read.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/subject/folds.hpp"
#include "instrumentation/counters/counters.hpp"
#include "instrumentation/graph/folds.hpp"
#include "instrumentation/graph/range.hpp"
#include "instrumentation/judge/order.hpp"
#include "instrumentation/replay/replay.hpp"
#include "instrumentation/request/registry.hpp"
#include "instrumentation/trace/run.hpp"

namespace warptree::study {

class Flows;

/// What some steps did for the result.
struct Useful {
    std::uint64_t operations = 0;
    std::uint64_t slots = 0;  // of the steps that operate
    bool known = true;        // else rows are missing, and all operations are counted
    double efficiency() const { return slots == 0 ? 0 : static_cast<double>(operations) / static_cast<double>(slots); }
    Useful& operator+=(const Useful&);
    bool operator==(const Useful&) const = default;
};
/// Of steps [first, end).
Useful sum_of(const std::vector<Useful>& steps, std::size_t first, std::size_t end);
counters::Counters sum_of(const counters::Summary&, Fold steps);

/// What was found to be wrong with a program of the user's own, in a sentence.
struct Fault {
    int line = 0, launch = -1;  // 0 and negative: not known
    std::int64_t block = -1;
    std::string kind{}, text{};  // "race"
};

/// What whoever ran a program of the user's own found beside its run.
struct ProgramFacts {
    std::vector<Fault> faults;
    std::vector<std::string> results{};  // that can be shown, in the order in which main() took them: their kernels
    std::size_t shown = 0;               // of these, counted from 1
};

/// A run, and what is of all of it.
struct RunFacts : ProgramFacts {
    trace::Run run;
    graph::Graph graph;                        // how its values met
    std::vector<counters::Summary> summaries;  // (launches,)
    counters::Counters totals;                 // of all launches
    graph::Usefulness usefulness;              // of its operations
    std::vector<Fold> folds;                   // of its steps
    std::vector<Useful> useful;                // (steps of the run,)
    judge::Verdict verdict;                    // the result, and whether it is the right one
    graph::OutOfRange range;                   // where values left what their type holds, in the rows that are there

    /// known  facts of the same run, of which other rows are there: counters and verdict are taken from it
    explicit RunFacts(trace::Run run_in, const RunFacts* known = nullptr);
    /// Of a step, counted over the run.
    const counters::Counters& cost(std::size_t step) const;
    RunFacts(const RunFacts&) = delete;  // the graph points into the run
    RunFacts& operator=(const RunFacts&) = delete;
};

/// The same of one block's steps.
/// cost  of that block
std::vector<Useful> block_useful(const RunFacts&, std::size_t launch, std::uint32_t block,
                                 const counters::Summary& cost);

/// The cells of an array from the first that a block touches to the last; none: end is 0.
struct Window {
    std::uint32_t first = 0xffffffffu, end = 0;
    std::uint32_t extent() const { return end > first ? end - first : 0; }
};

/// One launch of a run and one block of it, on show. Immutable once made; views hold it by shared pointer.
struct Subject {
    std::shared_ptr<const RunFacts> facts;
    std::size_t launch = 0;                   // of the run
    std::size_t first_step = 0;               // of that launch, counted over the run
    const trace::Trace& trace;                // that launch
    const kernels::Kernel* kernel = nullptr;  // the run's row of the catalog; never null
    const counters::Summary& summary;         // of that launch
    const judge::Verdict& verdict;
    std::uint32_t block = 0;                              // the block on show
    counters::Summary block_summary;                      // of that block alone
    std::vector<Useful> block_useful;                     // (steps,) of that block
    replay::Memory memory;                                // of that block
    std::vector<replay::Hazard> hazards;                  // of that block
    std::vector<std::vector<counters::LaneState>> lanes;  // (step, thread) of that block
    std::vector<Window> windows;                          // (arrays,) of that block
    std::shared_ptr<const Flows> flows;                   // of that block: see flows.hpp

    Subject(std::shared_ptr<const RunFacts> run_facts, std::size_t launch_index, std::uint32_t block_index);
    Subject(const Subject&) = delete;
    Subject& operator=(const Subject&) = delete;
    std::size_t steps() const { return trace.steps.size(); }
    const trace::Run& run() const { return facts->run; }
    /// The file of the launched function, as the run has it, else as this program does; and that function in it.
    std::string_view listing() const;
    kernels::Lines function_lines() const;
    /// Whether a cell of the input is past N: the host filled it up with the identity.
    bool is_padding(std::uint8_t array, std::uint32_t index) const {
        return trace.arrays[array].role == trace::Role::kInput && index >= trace.launch.n;
    }
    /// Whether atomics of several blocks change a cell, so that in which order, and what it held between, is not known.
    bool is_shared(const replay::Cell& cell) const {
        return cell.row != replay::Cell::kInitial && trace.kind(cell.row) == trace::Kind::kReduction &&
               trace.launch.grid > 1 && trace.space(cell.row) == trace::Space::kGlobal;
    }
    /// The steps of this launch that are shown as one with a step of it.
    Fold steps_with(std::size_t step, std::uint64_t open) const;
    /// Of the first steps of the launch, over all its blocks.
    Useful useful_up_to(std::size_t position) const;
    bool on_host() const { return trace.launch.processor == trace::Processor::kHost; }
};

std::shared_ptr<const Subject> make_subject(std::shared_ptr<const RunFacts> facts, std::size_t launch,
                                            std::uint32_t block);
std::shared_ptr<const Subject> make_subject(trace::Run run, std::size_t launch = 0, std::uint32_t block = 0);
std::shared_ptr<const Subject> make_subject(trace::Trace trace, std::uint32_t block = 0);

/// Whether two steps of a run, counted over its launches, are of one phase of one launch.
bool same_phase(const trace::Run&, std::size_t x, std::size_t y);

/// The block of another launch in which what the block on show left goes on, or came from; as far as that is known.
std::uint32_t block_beside(const Subject&, std::size_t launch);

/// Where the replay stands. position 0: before the launch; position k: step k - 1 is the present step.
/// progress runs from 0 to 1 while the present step is animated; at rest it is 1.
/// open says which folds of the run are shown step by step. A closed one is stepped over as one: the position is before
/// it or after it, the present step is the last of it, and the progress is of all of it.
struct Playhead {
    std::size_t position = 0;
    float progress = 1;
    std::uint64_t open = kAllOpen;
    std::size_t told = kAllTold;  // steps from this one on are hidden behind a question
    static constexpr std::size_t kAllTold = static_cast<std::size_t>(-1) / 2;
    bool hides(std::size_t step) const { return step >= told; }
    bool has_step() const { return position > 0; }
    std::size_t step() const { return position - 1; }  // needs has_step()
    bool operator==(const Playhead&) const = default;
};

}  // namespace warptree::study
