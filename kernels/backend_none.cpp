// The CUDA backend of a build without the CUDA Toolkit: says so.
#include "kernels/backend.hpp"

namespace warptree::kernels {

CudaStatus query_cuda() {
    return {
        .usable = false,
        .device = {},
        .driver = {},
        .reason =
            "This Warptree was built without the CUDA Toolkit; install CUDA 12 or newer and build again to use a GPU."};
}
Result<Recorded> record_cuda(const Prepared&, const Keeping&, Progress*) {
    return failure(query_cuda().reason);
}
Result<CudaCost> cuda_cost(const Prepared&) {
    return failure(query_cuda().reason);
}
Result<value::Values> run_plain_cuda(const Prepared&) {
    return failure(query_cuda().reason);
}

}  // namespace warptree::kernels
