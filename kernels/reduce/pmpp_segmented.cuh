// pmpp-segmented: many blocks, each the shared-memory kernel on its own segment; their sums meet in one atomic add.
// Source: PMPP 4e, Fig. 10.13. Ladder: after pmpp_shared.cuh.
// Removes: the limit of one block; N can be anything the grid can hold.
// Remains: each thread adds only two elements before its block starts to fall idle.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (gridDim.x * 2 * blockDim.x,) read only
/// output  (1,) identity before the launch; receives the result
template <class T>
__global__ void pmpp_segmented(Global<T> input, Global<T> output) {
    __shared__ Shared<T, kMaxBlock> input_s;
    unsigned segment = 2 * blockDim.x * blockIdx.x;
    unsigned i = segment + threadIdx.x;
    unsigned t = threadIdx.x;
    input_s[t] = input[i] + input[i + blockDim.x];
    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        step<T>(stride);
        if (t < stride) {
            input_s[t] += input_s[t + stride];
        }
    }
    if (t == 0) {
        atomicAdd(output, input_s[0]);
    }
}

template <class T>
void host_pmpp_segmented(Host<T>& host) {
    host.takes_n({});
    const unsigned block = host.block({});
    const std::uint64_t blocks = ceil_div(host.n(), 2 * block);
    auto input = host.input(blocks * 2 * block), output = host.output();
    host.clear(output);
    host.launch("pmpp_segmented", pmpp_segmented<T>, {blocks, block}, input, output);
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
