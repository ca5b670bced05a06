// harris-3: sequential addressing: neighbouring threads, neighbouring words.
// Source: M. Harris, Optimizing Parallel Reduction in CUDA, kernel 3.
// Removes: bank conflicts.
// Remains: half of the threads are idle from the first round on.
// Next: harris_4.cuh gives each thread an add while loading.
#pragma once

#include "kernels/levels.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (gridDim.x * blockDim.x,) read only
/// output  (gridDim.x,) receives each block's result
template <class T>
__global__ void harris_3(Global<T> input, Global<T> output) {
    __shared__ Shared<T, kMaxBlock> sdata;
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[t] = input[i];
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
void host_harris_3(Host<T>& host) {
    host.takes_n({});
    reduce_by_levels(host, {.least = 2, .per_thread = 1},
                     [&](auto blocks, unsigned block, auto input, auto sums, auto) {
                         host.launch("harris_3", harris_3<T>, {blocks, block}, input, sums);
                     });
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
