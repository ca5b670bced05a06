// Canonical order: raw logs of a launch's blocks -> the rows of a Trace.
//
// A raw log is in the order in which things happened to run. Its events are put in order of (step, thread, order in
// the thread), steps are found from markers and adds, and operands become row numbers. The rules:
//   - A marker, step<T>(stride), begins a step. What comes before the first marker is the load phase.
//   - Within a marker's span each further add of a thread begins another step: four loads with three adds are three.
//   - Loads belong to the add they precede, stores to the add they follow.
//   - A write or an atomic to an output array is the output step that follows, with the read it stores.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "instrumentation/probe/raw.hpp"
#include "instrumentation/result.hpp"
#include "instrumentation/trace/trace.hpp"

namespace warptree::trace {

/// Turns the logs of a contiguous range of blocks into rows. One assembler a worker.
class Assembler {
public:
    /// arrays    of the launch, global first; raw ids of shared arrays count from probe::kFirstShared
    /// threads   a block
    /// type      of the elements
    /// expected  blocks that will be added: room for them is taken at the first
    Assembler(const std::vector<Array>& arrays, std::uint32_t threads, Type type, std::uint32_t expected);
    ~Assembler();
    Assembler(Assembler&&) noexcept;
    Assembler& operator=(Assembler&&) noexcept;

    /// Appends one block. events (count,): a position in it is an operand's name; empty slots are skipped; the events
    /// of one thread are in their order. Blocks come in ascending order.
    void add_block(std::uint32_t block, const probe::RawEvent* events, std::uint32_t count);

    struct State;
    std::unique_ptr<State> state;
};

/// Joins the assemblers' parts, in order of blocks, into a whole trace: fills steps, sites, columns and row_begin.
/// trace  comes with launch, arrays, initial and final filled in
/// phase  of the steps that the kernel marked
/// errors threads that disagreed about a step
Result<Trace> assemble(Trace trace, std::vector<Assembler> parts, Phase phase);

}  // namespace warptree::trace
