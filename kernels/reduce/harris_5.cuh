// harris-5: the last warp needs no block barrier; __syncwarp keeps its lanes in step.
// Source: M. Harris, Optimizing Parallel Reduction in CUDA, kernel 5.
// Removes: block barriers, and the idle warps' trips through the loop, for s <= 16.
// Remains: loop overhead of the rounds before.
// Next: harris_6.cuh unrolls the other rounds too.
#pragma once

#include "kernels/reduce/levels.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (gridDim.x * 2 * blockDim.x,) read only
/// output  (gridDim.x,) receives each block's result
template <class T>
__global__ void harris_5(Global<T> input, Global<T> output) {
    __shared__ Shared<T, kMaxBlock> sdata;
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    sdata[t] = input[i] + input[i + blockDim.x];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 16; s /= 2) {
        step<T>(s);
        if (t < s) {
            sdata[t] += sdata[t + s];
        }
        __syncthreads();
    }
    if (t < 32) {
        step<T>(16);
        if (t < 16) sdata[t] += sdata[t + 16];
        __syncwarp();
        step<T>(8);
        if (t < 8) sdata[t] += sdata[t + 8];
        __syncwarp();
        step<T>(4);
        if (t < 4) sdata[t] += sdata[t + 4];
        __syncwarp();
        step<T>(2);
        if (t < 2) sdata[t] += sdata[t + 2];
        __syncwarp();
        step<T>(1);
        if (t < 1) sdata[t] += sdata[t + 1];
        __syncwarp();
    }
    if (t == 0) {
        output[blockIdx.x] = sdata[0];
    }
}

template <class T>
void host_harris_5(Host<T>& host) {
    host.takes_n({});
    reduce_by_levels(host, {.least = 64}, [&](auto blocks, unsigned block, auto input, auto sums, auto) {
        host.launch("harris_5", harris_5<T>, {blocks, block}, input, sums);
    });
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
