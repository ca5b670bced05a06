// What a backend does for record() and run_plain(): launch one row of the catalog on prepared arrays.
#pragma once

#include <vector>

#include "instrumentation/probe/operator.hpp"
#include "kernels/catalog.hpp"

namespace warptree::kernels {

/// A launch made ready: request checked, arrays filled.
struct Prepared {
    Request request;
    const Kernel* kernel = nullptr;
    std::uint32_t grid = 1;
    std::uint32_t block = 1;
    std::uint32_t cluster = 1;  // blocks
    probe::Op op = probe::Op::kSum;
    trace::Type value_type = trace::Type::kFloat32;  // of the elements
    std::vector<trace::Array> arrays;                // global arrays first, then shared
    std::vector<trace::Values> memory;               // (global arrays) contents before the launch

    /// Whether the kernels have code of their own for it; all else runs on elements of type probe::Dynamic.
    bool native() const {
        return op == probe::Op::kSum && (value_type == trace::Type::kFloat32 || value_type == trace::Type::kInt32);
    }
};

/// Fills grid, block, arrays and memory of a checked request.
Result<Prepared> prepare(const Request& checked);

/// Values as cells of 8 bytes, what arrays of probe::Dynamic are made of; and back.
std::vector<std::uint64_t> wide_cells(const trace::Values&);
trace::Values true_size(const std::vector<std::uint64_t>& cells, trace::Type type);

/// The header that a trace of this launch begins with.
trace::Trace begin_trace(const Prepared&);

/// The error of a recording that was cancelled.
tl::unexpected<Error> cancelled();

Result<trace::Trace> record_cpu(const Prepared&, Progress* = nullptr);
Result<trace::Values> run_plain_cpu(const Prepared&);
Result<trace::Trace> record_cuda(const Prepared&, Progress* = nullptr);
Result<trace::Values> run_plain_cuda(const Prepared&);
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
