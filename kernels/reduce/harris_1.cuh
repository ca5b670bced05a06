// harris-1: interleaved addressing; which thread works is found with %.
// Source: M. Harris, Optimizing Parallel Reduction in CUDA, kernel 1.
// Removes: the sequential sum.
// Remains: divergence in every round, and a slow % in every thread.
// Next: harris_2.cuh lets neighbouring threads work.
#pragma once

#include "kernels/levels.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (gridDim.x * blockDim.x,) read only
/// output  (gridDim.x,) receives each block's result
template <class T>
__global__ void harris_1(Global<T> input, Global<T> output) {
    __shared__ Shared<T, kMaxBlock> sdata;
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[t] = input[i];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        step<T>(s);
        if (t % (2 * s) == 0) {
            sdata[t] += sdata[t + s];
        }
        __syncthreads();
    }
    if (t == 0) {
        output[blockIdx.x] = sdata[0];
    }
}

template <class T>
void host_harris_1(Host<T>& host) {
    host.takes_n({});
    reduce_by_levels(host, {.least = 2, .per_thread = 1},
                     [&](auto blocks, unsigned block, auto input, auto sums, auto) {
                         host.launch("harris_1", harris_1<T>, {blocks, block}, input, sums);
                     });
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
