// harris-2: interleaved addressing; a strided index keeps the working threads together.
// Source: M. Harris, Optimizing Parallel Reduction in CUDA, kernel 2.
// Removes: divergence, until less than a warp is left.
// Remains: bank conflicts: the words that a warp asks for lie ever further apart.
// Next: harris_3.cuh turns the loop round.
#pragma once

#include "kernels/levels.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (gridDim.x * blockDim.x,) read only
/// output  (gridDim.x,) receives each block's result
template <class T>
__global__ void harris_2(Global<T> input, Global<T> output) {
    __shared__ Shared<T, kMaxBlock> sdata;
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[t] = input[i];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        step<T>(s);
        unsigned index = 2 * s * t;
        if (index < blockDim.x) {
            sdata[index] += sdata[index + s];
        }
        __syncthreads();
    }
    if (t == 0) {
        output[blockIdx.x] = sdata[0];
    }
}

template <class T>
void host_harris_2(Host<T>& host) {
    host.takes_n({});
    reduce_by_levels(host, {.least = 2, .per_thread = 1},
                     [&](auto blocks, unsigned block, auto input, auto sums, auto) {
                         host.launch("harris_2", harris_2<T>, {blocks, block}, input, sums);
                     });
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
