// pmpp-coarsened: each thread first adds 2C elements in a register, then the block's shared tree runs once.
// Source: PMPP 4e, Fig. 10.15. Ladder: after pmpp_segmented.cuh.
// Removes: blocks that the hardware would run one after another anyway, and the idle rounds of each.
// Remains: a barrier in every round of the tree.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input    (gridDim.x * 2 * coarsen * blockDim.x,) read only
/// output   (1,) identity before the launch; receives the result
/// coarsen  C >= 1
template <class T>
__global__ void pmpp_coarsened(Global<T> input, Global<T> output, unsigned coarsen) {
    __shared__ Shared<T, kMaxBlock> input_s;
    unsigned segment = coarsen * 2 * blockDim.x * blockIdx.x;
    unsigned i = segment + threadIdx.x;
    unsigned t = threadIdx.x;
    T sum = input[i];
    for (unsigned tile = 1; tile < coarsen * 2; ++tile) {
        sum += input[i + tile * blockDim.x];
    }
    input_s[t] = sum;
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
void host_pmpp_coarsened(Host<T>& host) {
    host.takes_n({});
    const unsigned block = host.block({}), coarsen = host.coarsen();
    const std::uint64_t segment = std::uint64_t{2} * coarsen * block, blocks = ceil_div(host.n(), segment);
    auto input = host.input(blocks * segment), output = host.output();
    host.clear(output);
    host.launch("pmpp_coarsened", pmpp_coarsened<T>, {blocks, block}, input, output, coarsen);
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
