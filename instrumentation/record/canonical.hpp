// Canonical order: raw logs of a launch's blocks -> the rows of a Trace.
//
// A raw log is in the order in which things happened to run. Its events are put in order of (step, thread, order in
// the thread), steps are found from markers and adds, and operands become row numbers. The rules:
//   - A marker, step<T>(stride), begins a step. What comes before the first marker is the load phase.
//   - Within a marker's span each further add of a thread begins another step: four loads with three adds are three.
//   - Loads belong to the add they precede, stores to the add they follow.
//   - A step's line is the lowest that an add of it is on, or else a row: whoever ran first, it is the same.
//   - An add is what the launch's operator does. Other operators and votes open no step: they belong where loads do.
//   - A write or an atomic to an output array is the output step that follows, with the read it stores where no add
//   takes that. In the phases
//     scan and add every sum is a result: there the store of an add belongs to that add.
//   - Where one block alone goes on after its ticket, the last, what it did then stands in the rows of block grid - 1,
//     unless it uses what it kept in registers or shared memory from before: then its rows stay with it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "instrumentation/log/raw.hpp"
#include "instrumentation/result.hpp"
#include "instrumentation/trace/trace.hpp"

namespace warptree::record {

using trace::Array;
using trace::Step;
using trace::Trace;
using value::Type;

/// Columns for the rows of a whole launch, which several workers' assemblers write each at its own place. That place is
/// known in advance where all blocks leave as many rows; an assembler whose blocks do not goes on by itself.
class WholeColumns {
public:
    /// blocks  of the launch
    WholeColumns(Type type, std::uint32_t blocks);
    /// Takes room for the launch at the first call.
    /// rows     that the caller's first block left
    /// returns  whether other callers' first blocks left as many
    bool reserve(std::uint32_t rows);
    std::uint32_t rows_per_block() const { return rows_per_block_; }
    Trace& columns() { return columns_; }

private:
    std::mutex mutex_;
    Trace columns_;
    std::uint32_t blocks_, rows_per_block_ = 0;
};

/// Turns the logs of a contiguous range of blocks into rows. One assembler a range.
class Assembler {
public:
    /// arrays    of the launch, global first; raw ids of shared arrays count from probe::kFirstShared
    /// threads   a block
    /// type      of the elements
    /// expected  blocks that will be added: room for them is taken at the first
    /// whole     where the rows of all assemblers of the launch meet; empty: this one's are all, or are copied in the
    /// end
    Assembler(const std::vector<Array>& arrays, std::uint32_t threads, Type type, std::uint32_t expected,
              std::shared_ptr<WholeColumns> whole = {});
    ~Assembler();
    Assembler(Assembler&&) noexcept;
    Assembler& operator=(Assembler&&) noexcept;

    /// Of clusters, before the first block: other blocks may read what a block wrote to its shared memory.
    void keep_shared_writes();

    /// Appends one block. events (count,): a position in it is an operand's name; empty slots are skipped; the events
    /// of one thread are in their order. Blocks come in ascending order.
    void add_block(std::uint32_t block, const probe::RawEvent* events, std::uint32_t count);

    struct State;
    std::unique_ptr<State> state;
};

/// A write to global memory, so that a read in another block or a later launch can name it.
struct GlobalWrite {
    std::uint32_t block, position, row;
};
/// A read whose value another block wrote; blocks of earlier launches are numbered backwards from this launch's first.
struct ForeignRead {
    std::uint32_t row, block, position;
};

/// A launch, or some of its blocks, with what the launches around it need to know.
struct Piece {
    Trace trace;
    /// (trace.steps,) what the steps are called in the whole launch: equal keys name the same step in any piece, and
    /// ascending keys are the steps' order.
    std::vector<std::uint64_t> keys = {};
    std::vector<GlobalWrite> writes = {};      // of all blocks that are there
    std::vector<ForeignRead> unresolved = {};  // of what earlier launches wrote
};

/// Joins the assemblers' parts, in order of blocks, into a whole trace: fills steps, sites, columns and row_begin.
/// Blocks keep their numbers; operands in blocks that are not there are none.
/// header  comes with launch, arrays, initial and final filled in
/// errors  threads that disagreed about a step
Result<Piece> assemble(Trace header, std::vector<Assembler> parts);

/// Gives the reads of each launch that an earlier one wrote the row of that write: Trace::carried.
void connect(std::vector<Piece>& launches);

/// Puts a piece's rows under the steps of the whole launch.
/// keys, steps  of the whole: every key of the piece is among them
Trace under_all_steps(Piece piece, const std::vector<std::uint64_t>& keys, const std::vector<Step>& steps);

}  // namespace warptree::record
