// Runs made ready, and what backends do with them: run a host program on prepared input.
#pragma once

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "instrumentation/counters/merge.hpp"
#include "instrumentation/record/canonical.hpp"
#include "instrumentation/run/program.hpp"
#include "instrumentation/run/run.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::kernels {

/// What kernels are compiled over.
enum class Elements : std::uint8_t { kFloat, kInt32, kAny };

/// A run made ready: request checked and planned, input filled.
struct Prepared {
    Request request;
    const Kernel* kernel = nullptr;
    Program plan;
    value::Op op = value::Op::kSum;
    value::Type value_type = value::Type::kFloat32;  // of the elements
    value::Values input{};                           // past N the identity; empty where nothing is going to run
    trace::Rounded rounded = {};                     // of it, on its way into the type
    std::vector<bool> counted = {};                  // (launches,) whose rows are counted and dropped; empty: none
    std::vector<probe::SharedExtents> shared = {};   // (launches,) of a run on a GPU, which does not note them itself

    bool keeps_all(std::size_t launch) const { return counted.empty() || !counted[launch]; }

    /// Whether the kernels have code of their own for it; all else runs on elements of type probe::Dynamic.
    bool native() const {
        return op == value::Op::kSum && (value_type == value::Type::kFloat32 || value_type == value::Type::kInt32);
    }
    Elements elements() const {
        return !native() ? Elements::kAny : value_type == value::Type::kInt32 ? Elements::kInt32 : Elements::kFloat;
    }
    /// Whether an array's cells are as large as its elements.
    bool has_true_size(const ArrayRow& row) const { return native() || row.type; }
    /// What an array of the plan holds at first.
    value::Values first_contents(const ArrayRow&) const;
    /// The header of the trace of a launch: its shape and its global arrays, without contents.
    trace::Trace header(const LaunchRow&) const;
    /// Adds the shared arrays that the launch came by.
    void add_shared(trace::Trace&, const probe::SharedExtents&) const;
};

/// All of a checked request but the input.
Prepared outline(const Request& checked, bool recorded = true);
/// The input too.
Result<Prepared> prepare(const Request& checked, bool recorded = true);

/// Values as cells of 8 bytes, what arrays of probe::Dynamic are made of; and back.
std::vector<std::uint64_t> wide_cells(const value::Values&);
value::Values true_size(const std::vector<std::uint64_t>& cells, value::Type type);

/// An access outside an array, as a sentence.
std::string describe(const probe::OutOfBounds& fault, const Prepared& prepared, const trace::Trace& header);

/// The error of a recording that was cancelled.
tl::unexpected<Error> cancelled();

/// A launch of a run, recorded or counted.
using Recorded = std::vector<record::Piece>;
Result<Recorded> record_cpu(const Prepared&, const Keeping&, Progress* = nullptr);
/// returns  the run's output
Result<value::Values> run_plain_cpu(const Prepared&);

/// One launch alone, on what its arrays hold: all of it, or some blocks.
struct Alone {
    std::size_t launch = 0;
    std::vector<value::Values> memory;  // (its global arrays)
    std::vector<std::uint32_t> blocks;  // ascending; of a cluster all or none; block b draws ticket b. Empty: all
    std::vector<std::vector<std::uint64_t>> origins = {};  // (its global arrays) who wrote each cell; empty: nobody
};
struct Ran {
    record::Piece piece;                // empty where nothing was recorded
    std::vector<value::Values> memory;  // (its global arrays) after it; empty where some blocks ran
    std::vector<std::vector<std::uint64_t>> origins;
};
Result<Ran> record_alone(const Prepared&, Alone);
Result<Ran> run_alone(const Prepared&, Alone);

/// What a launch will record, at most: known before it runs, since of many blocks all but the first and the last do
/// alike.
struct Extent {
    std::uint64_t rows = 0, most_of_block = 0;
    std::uint32_t most_adds = 0;  // of a thread, each in a step of its own
    probe::SharedExtents shared{};
};
/// (launches,)
std::vector<Extent> extents(const Prepared&);

/// Decides which launches keep all rows, by the memory that they take: Prepared::counted.
/// errors  more memory than is free here, however little is kept; more steps than a trace holds
Result<void> decide_what_to_keep(Prepared&, const Keeping&);
inline constexpr double kGibibyte = 1024.0 * 1024 * 1024;
/// Bytes of memory that this process can still take: of the machine, of the container, of what it may.
std::uint64_t free_memory();
/// The blocks of a counted launch whose rows are kept: the CPU runs them once more, alone. Where they need nothing of
/// the others it does so at once, while the launch is counted, on a thread of its own if there is one to be had.
class KeptBlocks {
public:
    /// before  (its global arrays)
    KeptBlocks(const Prepared&, std::size_t launch, const Keeping&, std::vector<value::Values> before);
    KeptBlocks(const KeptBlocks&) = delete;
    /// One trace of their rows and of what all blocks were counted to cost.
    Result<record::Piece> with(const counters::Merger&, std::vector<value::Values> after);

private:
    const Prepared& prepared_;
    std::size_t launch_;
    std::vector<std::uint32_t> blocks_;
    std::vector<value::Values> before_;
    std::future<Result<Ran>> ran_;
};

/// The most roundings on an element's way in a run that recorded no steps, by the shapes of its launches: what a thread
/// takes one after the other, then halvings, and where the blocks' results meet in one cell, one of each block. Threads
/// that take turns at the adds of a tree are but one tree.
/// first  in place of the plan's first launch, where the machine chose another shape; null: the plan's
std::uint32_t most_roundings(const Prepared&, const LaunchRow* first = nullptr);

/// The CUDA backend: a module compiled with the kernels, which finds all else in the program that loads it.
struct Cuda {
    CudaStatus (*query)();
    void (*start)();  // makes the device ready, which takes a tenth of a second: beside other work it costs nothing
    void (*end)();
    Result<Recorded> (*record)(const Prepared&, const Keeping&, Progress*);
    Result<value::Values> (*run_plain)(const Prepared&);
    /// An all-reduce by NCCL. errors  it is not installed; it takes no such operator or type
    Result<value::Values> (*run_library)(const Prepared&);
    Result<std::unique_ptr<class TimedInput>> (*timed_input)(const value::Values&);
    /// The first launch of a plain run, its blocks noted.
    Result<struct Schedule> (*schedule)(const Prepared&);
};
inline constexpr const char* kCudaModule = "warptree_cuda.so";  // beside the program, or where it is installed
/// errors  this build has none; it is of another
Result<const Cuda*> load_cuda_module();
/// The module's; where there is no driver, or no module, one that says so.
const Cuda& cuda_backend();

}  // namespace warptree::kernels
