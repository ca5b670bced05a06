// Runs that are made here. What asks for one does so by request/registry.hpp, behind which these functions stand.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "instrumentation/request/registry.hpp"
#include "instrumentation/request/timing.hpp"

namespace warptree::kernels {

/// Of a request for CUDA: what CUDA has not, and the GPU of this machine.
Result<void> check_cuda(const Request&);

/// Whether a kernel loads packs of 16 bytes, as small runs of it, recorded once, came by them.
bool takes_packs(const Kernel&);

// What a catalog gives to the registry.
Result<Request> checked(const Request&, bool recorded, bool later);
Result<trace::Run> recorded(const Request&, const Keeping&, Progress*);
Result<trace::Run> opened(const trace::Run&, std::size_t launch, std::uint32_t block, Progress*);
Result<Outcome> ran(const Request&);
const std::vector<Barrier>& sighted_barriers(const Kernel&);
Result<std::unique_ptr<Bench>> made_bench(Backend, value::Type, std::uint64_t n);
Result<double> measured_copy_rate(Backend);
Result<Schedule> noted_schedule(const Request&);
Result<std::function<Result<void>()>> made_ready(const Request&, bool recorded);
CudaStatus queried_cuda();
void leave_cuda();

}  // namespace warptree::kernels
