// harris-6: completely unrolled; the block size is a template parameter.
// Source: M. Harris, Optimizing Parallel Reduction in CUDA, kernel 6. Changed: its last warp as in harris_5.cuh; blocks
// of 1,024 threads, which GPUs did not have then, are taken too, and those of less than two warps are not; rounds for
// warps narrower than CUDA's are ours.
// Removes: the loop: no counter, no test that the compiler could have made.
// Remains: each thread adds only two elements before the tree.
// Next: harris_7.cuh gives each thread many.
#pragma once

#include "kernels/levels.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// B       = blockDim.x, 2 * warpSize .. 1024
/// input   (gridDim.x * 2 * B,) read only
/// output  (gridDim.x,) receives each block's result
template <class T, unsigned B>
__global__ void harris_6(Global<T> input, Global<T> output) {
    __shared__ Shared<T, B> sdata;
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * (B * 2) + threadIdx.x;
    sdata[t] = input[i] + input[i + B];
    __syncthreads();
    if (B >= 1024) {
        step<T>(512);
        if (t < 512) sdata[t] += sdata[t + 512];
        __syncthreads();
    }
    if (B >= 512) {
        step<T>(256);
        if (t < 256) sdata[t] += sdata[t + 256];
        __syncthreads();
    }
    if (B >= 256) {
        step<T>(128);
        if (t < 128) sdata[t] += sdata[t + 128];
        __syncthreads();
    }
    if (B >= 128) {
        step<T>(64);
        if (t < 64) sdata[t] += sdata[t + 64];
        __syncthreads();
    }
    if (B >= 64 && warpSize < 32) {
        step<T>(32);
        if (t < 32) sdata[t] += sdata[t + 32];
        __syncthreads();
    }
    if (B >= 32 && warpSize < 16) {
        step<T>(16);
        if (t < 16) sdata[t] += sdata[t + 16];
        __syncthreads();
    }
    if (B >= 16 && warpSize < 8) {
        step<T>(8);
        if (t < 8) sdata[t] += sdata[t + 8];
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
void host_harris_6(Host<T>& host) {
    host.takes_n({});
    reduce_by_levels(host, {.least = 2 * host.warp_size()},
                     [&](auto blocks, unsigned block, auto input, auto sums, auto) {
                         with_constant(block, [&]<unsigned B>() {
                             host.launch("harris_6", harris_6<T, B>, {blocks, block}, input, sums);
                         });
                     });
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
