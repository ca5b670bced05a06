// The CUDA backend of a build without the CUDA Toolkit: says so.
#include "kernels/backend.hpp"
#include "kernels/schedule.hpp"
#include "kernels/timed.hpp"

namespace warptree::kernels {

CudaStatus query_cuda() {
    return {
        .usable = false,
        .device = {},
        .driver = {},
        .reason =
            "This Warptree was built without the CUDA Toolkit; install CUDA 12 or newer and build again to use a GPU."};
}
void start_cuda() {}
void end_cuda() {}
Result<Recorded> record_cuda(const Prepared&, const Keeping&, Progress*) {
    return failure(query_cuda().reason);
}
Result<std::unique_ptr<TimedInput>> timed_input_cuda(const value::Values&) {
    return failure(query_cuda().reason);
}
Result<value::Values> run_plain_cuda(const Prepared&) {
    return failure(query_cuda().reason);
}
Result<Schedule> schedule_cuda(const Prepared&, std::string_view) {
    return failure(query_cuda().reason);
}

}  // namespace warptree::kernels
