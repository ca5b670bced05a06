// The CUDA backend that was given; of a build without the CUDA Toolkit one that says so.
#include "instrumentation/run/backend.hpp"
#include "instrumentation/run/schedule.hpp"
#include "instrumentation/run/timed.hpp"

namespace warptree::kernels {
namespace {

constexpr const char* kWhy =
    "This Warptree was built without the CUDA Toolkit; install CUDA 12 or newer and build again to use a GPU.";
const Cuda* given = &kWithoutCuda;
std::span<const Embedded> given_ptx;

}  // namespace

constinit const Cuda kWithoutCuda{
    .query = [] { return CudaStatus{.usable = false, .device = {}, .driver = {}, .reason = kWhy}; },
    .start = [] {},
    .end = [] {},
    .record = [](const Prepared&, const Keeping&, Progress*) -> Result<Recorded> { return failure(kWhy); },
    .run_plain = [](const Prepared&) -> Result<value::Values> { return failure(kWhy); },
    .timed_input = [](const value::Values&) -> Result<std::unique_ptr<TimedInput>> { return failure(kWhy); },
    .schedule = [](const Prepared&, std::string_view) -> Result<Schedule> { return failure(kWhy); }};

void give(const Cuda& backend, std::span<const Embedded> ptx) {
    given = &backend;
    given_ptx = ptx;
}
const Cuda& cuda_backend() {
    return *given;
}
std::string plain_ptx() {
    return embedded("plain.ptx", given_ptx)["plain.ptx"];
}
void leave_cuda() {
    cuda_backend().end();
}

}  // namespace warptree::kernels
