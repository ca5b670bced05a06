// harris-5: the last warp is unrolled: all its lanes add in all its rounds, six of 32 lanes, and need no block barrier.
// Source: M. Harris, Optimizing Parallel Reduction in CUDA, kernel 5. Changed: his warpReduce() trusts a volatile
// sdata and that lanes run in step, undefined since Volta. Here a round adds in a register; the __syncwarp() after the
// add keeps lanes from overwriting what others have yet to read, the one after the store from reading what is not yet
// written (NVIDIA, Using CUDA Warp-Level Primitives). As in his, sums are added that thread 0 does not need.
// Removes: for s <= warpSize block barriers, the test of who works, and the idle warps' trips through the loop.
// Remains: loop overhead of the rounds before.
// Next: harris_6.cuh unrolls the other rounds too.
#pragma once

#include "kernels/levels.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (gridDim.x * 2 * blockDim.x,) read only; blockDim.x >= 2 * warpSize
/// output  (gridDim.x,) receives each block's result
template <class T>
__global__ void harris_5(Global<T> input, Global<T> output) {
    __shared__ Shared<T, kMaxBlock> sdata;
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    sdata[t] = input[i] + input[i + blockDim.x];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > warpSize; s /= 2) {
        step<T>(s);
        if (t < s) {
            sdata[t] += sdata[t + s];
        }
        __syncthreads();
    }
    if (t < warpSize) {
        step<T>(warpSize);
        T sum = sdata[t] + sdata[t + warpSize];
        sdata[t] = sum;
        __syncwarp();
        if (warpSize >= 32) {
            step<T>(16);
            sum += sdata[t + 16];
            __syncwarp();
            sdata[t] = sum;
            __syncwarp();
        }
        if (warpSize >= 16) {
            step<T>(8);
            sum += sdata[t + 8];
            __syncwarp();
            sdata[t] = sum;
            __syncwarp();
        }
        if (warpSize >= 8) {
            step<T>(4);
            sum += sdata[t + 4];
            __syncwarp();
            sdata[t] = sum;
            __syncwarp();
        }
        step<T>(2);
        sum += sdata[t + 2];
        __syncwarp();
        sdata[t] = sum;
        __syncwarp();
        step<T>(1);
        sum += sdata[t + 1];
        __syncwarp();
        sdata[t] = sum;
    }
    if (t == 0) {
        output[blockIdx.x] = sdata[0];
    }
}

template <class T>
void host_harris_5(Host<T>& host) {
    host.takes_n({});
    reduce_by_levels(host, {.least = 2 * host.warp_size()},
                     [&](auto blocks, unsigned block, auto input, auto sums, auto) {
                         host.launch("harris_5", harris_5<T>, {blocks, block}, input, sums);
                     });
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
