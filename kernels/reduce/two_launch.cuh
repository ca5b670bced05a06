// two-launch: each block leaves its sum in an array, and a second launch of the same kernel adds those up.
// Source: CUDA samples, the first form of their reduction: the end of a launch is the barrier that all blocks share.
// Ladder: between pmpp_segmented.cuh, whose blocks meet in an atomic, and last_block.cuh, which saves the second
// launch. Removes: atomic adds in an order left to chance. Remains: a second launch, in which one block works and the
// rest of the GPU waits.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (n,) read only
/// output  (gridDim.x,) receives each block's result
/// n       elements to add
template <class T>
__global__ void two_launch(Global<T> input, Global<T> output, unsigned n) {
    __shared__ Shared<T, kMaxBlock> sdata;
    unsigned t = threadIdx.x;
    T sum = identity<T>();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        sum += input[i];
    }
    sdata[t] = sum;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        step<T>(s);
        if (t < s) {
            sdata[t] += sdata[t + s];
        }
        __syncthreads();
    }
    if (t == 0) {
        output[blockIdx.x] = sdata[0];
    }
}

template <class T>
void host_two_launch(Host<T>& host) {
    host.takes_n({.most_plain = kMostInStrides});
    const unsigned block = host.block({.on_gpu = 256});
    const std::uint64_t blocks =
        std::min(ceil_div(host.n(), 2 * block), host.resident_blocks(two_launch<T>, block, 512));
    auto input = host.input(host.n()), sums = host.partial("block_sums", blocks), output = host.output();
    host.launch("two_launch", two_launch<T>, {blocks, block}, input, sums, host.n());
    host.launch("two_launch", two_launch<T>, {1, block}, sums, output, blocks);
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
