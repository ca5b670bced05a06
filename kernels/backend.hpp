// What a backend does for record() and run_plain(): launch one row of the catalog on prepared arrays.
#pragma once

#include <vector>

#include "instrumentation/counters/merge.hpp"
#include "instrumentation/record/canonical.hpp"
#include "instrumentation/value/operator.hpp"
#include "kernels/catalog.hpp"

namespace warptree::kernels {

/// A launch made ready: request checked, arrays filled.
struct Prepared {
    Request request;
    const Kernel* kernel = nullptr;
    std::uint32_t grid = 1;
    std::uint32_t block = 1;
    std::uint32_t cluster = 1;  // blocks
    value::Op op = value::Op::kSum;
    value::Type value_type = value::Type::kFloat32;  // of the elements
    std::vector<trace::Array> arrays;                // global arrays first, then shared
    std::vector<std::uint64_t> elements;             // (global arrays) of each
    std::vector<value::Values> memory;               // (global arrays) contents before the launch

    /// Whether the kernels have code of their own for it; all else runs on elements of type probe::Dynamic.
    bool native() const {
        return op == value::Op::kSum && (value_type == value::Type::kFloat32 || value_type == value::Type::kInt32);
    }
};

/// Blocks of a request whose block is chosen, and how many elements they read.
struct Extent {
    std::uint64_t blocks, elements;
};
Extent extent_of(const Request&);

/// All of a checked request but the memory.
Prepared outline(const Request& checked);
/// The memory too.
Result<Prepared> prepare(const Request& checked);

/// Values as cells of 8 bytes, what arrays of probe::Dynamic are made of; and back.
std::vector<std::uint64_t> wide_cells(const value::Values&);
value::Values true_size(const std::vector<std::uint64_t>& cells, value::Type type);

/// The header that a trace of this launch begins with; the second without what arrays held before.
trace::Trace begin_trace(const Prepared&);
trace::Trace begin_counting(const Prepared&);

/// The error of a recording that was cancelled.
tl::unexpected<Error> cancelled();

Result<trace::Trace> record_cpu(const Prepared&, Progress* = nullptr);
/// The memory is used up.
Result<value::Values> run_plain_cpu(Prepared);

/// A launch whose rows were counted and let go.
struct Counted {
    counters::Merger merged;
    std::vector<value::Values> final;  // (global arrays) contents after the launch
    std::string device, driver;        // that ran it
};
/// Runs the whole launch, counts it in chunks, and keeps no rows.
/// chunk_events  see Keeping
Result<Counted> count_cpu(const Prepared&, std::uint64_t chunk_events, Progress* = nullptr);
/// The same in several launches, each of which records other blocks.
Result<Counted> count_cuda(const Prepared&, std::uint64_t chunk_events, Progress* = nullptr);
/// Runs some blocks alone and records them; the memory is what they find.
/// blocks  ascending; of a cluster all or none. Where blocks draw tickets, block b draws number b.
Result<record::Piece> record_blocks_cpu(const Prepared&, const std::vector<std::uint32_t>& blocks);
Result<trace::Trace> record_cuda(const Prepared&, Progress* = nullptr);
Result<value::Values> run_plain_cuda(const Prepared&);
CudaStatus query_cuda();

/// What recording costs on the GPU: the kernel alone, without arrays being made or brought home. Best of several runs.
struct CudaCost {
    double plain_ms = 0, recorded_ms = 0;
    std::uint64_t events = 0;    // that were written
    std::uint64_t bytes = 0;     // of them
    double write_bandwidth = 0;  // bytes a second, of filling device memory
};
/// errors  no GPU, or the launch failed
Result<CudaCost> cuda_cost(const Prepared&);

}  // namespace warptree::kernels
