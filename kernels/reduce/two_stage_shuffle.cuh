// two-stage-shuffle: every warp reduces by shuffles, leaves one value in shared memory, and the first warp ends it.
// Source: PMPP 5e.
// Removes: all barriers but one.
// Remains: each lane of a warp adds in every round, also where its result is not needed.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (gridDim.x * 2 * blockDim.x,) read only; blockDim.x = warps * warpSize, warps <= warpSize
/// output  (1,) identity before the launch; receives the result
template <class T>
__global__ void two_stage_shuffle(Global<T> input, Global<T> output) {
    __shared__ Shared<T, 32> warp_sums;
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * 2 * blockDim.x + threadIdx.x;
    T sum = input[i] + input[i + blockDim.x];
    for (unsigned offset = warpSize / 2; offset > 0; offset /= 2) {
        step<T>(offset);
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (t % warpSize == 0) {
        warp_sums[t / warpSize] = sum;
    }
    __syncthreads();
    if (t < warpSize) {
        sum = t < blockDim.x / warpSize ? T(warp_sums[t]) : identity<T>();
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
void host_two_stage_shuffle(Host<T>& host) {
    host.takes_n({});
    const unsigned block = host.block({.whole_warps = true});
    const std::uint64_t blocks = ceil_div(host.n(), 2 * block);
    auto input = host.input(blocks * 2 * block), output = host.output();
    host.clear(output);
    host.launch("two_stage_shuffle", two_stage_shuffle<T>, {blocks, block}, input, output);
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
