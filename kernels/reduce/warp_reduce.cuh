// warp-reduce: one instruction adds up a whole warp; one value a warp goes to shared memory, the first warp ends it.
// Source: CUDA C++ Programming Guide, warp reduce functions (compute capability 8.0 and newer).
// Removes: the shuffles of each warp, and the adds of lanes whose results nobody needs.
// Remains: the instruction takes integers of 32 bits alone; floats still need two_stage_shuffle.cuh.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (gridDim.x * 2 * blockDim.x,) read only; blockDim.x = warps * warpSize, warps <= warpSize
/// output  (1,) identity before the launch; receives the result
template <class T>
__global__ void warp_reduce(Global<T> input, Global<T> output) {
    __shared__ Shared<T, 32> warp_sums;
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * 2 * blockDim.x + threadIdx.x;
    T sum = input[i] + input[i + blockDim.x];
    step<T>(0);
    sum = __reduce_add_sync(0xffffffff, sum);
    if (t % warpSize == 0) {
        warp_sums[t / warpSize] = sum;
    }
    __syncthreads();
    if (t < warpSize) {
        sum = t < blockDim.x / warpSize ? T(warp_sums[t]) : identity<T>();
        step<T>(0);
        sum = __reduce_add_sync(0xffffffff, sum);
    }
    if (t == 0) {
        atomicAdd(output, sum);
    }
}

template <class T>
void host_warp_reduce(Host<T>& host) {
    host.needs({.capability = 80, .warp_reduce = true});
    host.takes_n({});
    const unsigned block = host.block({.whole_warps = true});
    const std::uint64_t blocks = ceil_div(host.n(), 2 * block);
    auto input = host.input(blocks * 2 * block), output = host.output();
    host.clear(output);
    host.launch("warp_reduce", warp_reduce<T>, {blocks, block}, input, output);
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
