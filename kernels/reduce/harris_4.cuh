// harris-4: the first add is done during the load.
// Source: M. Harris, Optimizing Parallel Reduction in CUDA, kernel 4.
// Removes: the threads that only loaded: half as many blocks do the work.
// Remains: a block barrier in rounds that a single warp runs.
// Next: harris_5.cuh unrolls the last warp.
#pragma once

#include "kernels/levels.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (gridDim.x * 2 * blockDim.x,) read only
/// output  (gridDim.x,) receives each block's result
template <class T>
__global__ void harris_4(Global<T> input, Global<T> output) {
    __shared__ Shared<T, kMaxBlock> sdata;
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    sdata[t] = input[i] + input[i + blockDim.x];
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
void host_harris_4(Host<T>& host) {
    host.takes_n({});
    reduce_by_levels(host, {}, [&](auto blocks, unsigned block, auto input, auto sums, auto) {
        host.launch("harris_4", harris_4<T>, {blocks, block}, input, sums);
    });
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
