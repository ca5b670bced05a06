// shuffle-atomic: a shared tree down to one warp's worth, then shuffles between registers, then one atomic add.
// Source: common since Kepler.
// Removes: shared memory and barriers from the rounds of the last warp.
// Remains: a barrier for each round above the warp.
// Next: two_stage_shuffle.cuh needs a single barrier.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (gridDim.x * blockDim.x,) read only; blockDim.x >= warpSize
/// output  (1,) identity before the launch; receives the result
template <class T>
__global__ void shuffle_atomic(Global<T> input, Global<T> output) {
    __shared__ Shared<T, kMaxBlock> sdata;
    unsigned t = threadIdx.x;
    sdata[t] = input[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s >= warpSize; s /= 2) {
        step<T>(s);
        if (t < s) {
            sdata[t] += sdata[t + s];
        }
        __syncthreads();
    }
    T sum = sdata[t];
    if (t < warpSize) {
        for (unsigned offset = warpSize / 2; offset > 0; offset /= 2) {
            step<T>(offset);
            sum += __shfl_down_sync(0xffffffff, sum, offset);
        }
    }
    if (t == 0) {
        atomicAdd(output, sum);
    }
}

template <class T>
void host_shuffle_atomic(Host<T>& host) {
    host.takes_n({});
    const unsigned block = host.block({.least = host.warp_size(), .per_thread = 1});
    const std::uint64_t blocks = ceil_div(host.n(), block);
    auto input = host.input(blocks * block), output = host.output();
    host.clear(output);
    host.launch("shuffle_atomic", shuffle_atomic<T>, {blocks, block}, input, output);
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
