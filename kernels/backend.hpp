// What a backend does for record() and run_plain(): launch one row of the catalog on prepared arrays.
#pragma once

#include <vector>

#include "kernels/catalog.hpp"

namespace warptree::kernels {

/// A launch made ready: request checked, arrays filled.
struct Prepared {
    Request request;
    const Kernel* kernel = nullptr;
    std::uint32_t grid = 1;
    std::uint32_t block = 1;
    std::vector<trace::Array> arrays;   // global arrays first, then shared
    std::vector<trace::Values> memory;  // (global arrays) contents before the launch
};

/// Fills grid, block, arrays and memory of a checked request.
Result<Prepared> prepare(const Request& checked);

/// The header that a trace of this launch begins with.
trace::Trace begin_trace(const Prepared&);

Result<trace::Trace> record_cpu(const Prepared&);
Result<trace::Values> run_plain_cpu(const Prepared&);
Result<trace::Trace> record_cuda(const Prepared&);
Result<trace::Values> run_plain_cuda(const Prepared&);
CudaStatus query_cuda();

}  // namespace warptree::kernels
