// global-halving: each block halves its part of the array in global memory; the CPU adds the block sums up.
// Source: common; many a first GPU reduction looks like this.
// Removes: the limit of one block.
// Remains: every round goes through global memory, and the CPU finishes.
// Next: shuffle_atomic.cuh keeps partial sums on the chip.
#pragma once

#include "instrumentation/probe/element.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (gridDim.x * blockDim.x,) reduced in place
/// output  (gridDim.x,) receives each block's result; the host adds them up
template <class T>
__global__ void global_halving(Global<T> input, Global<T> output) {
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        step<T>(s);
        if (t < s) {
            input[i] += input[i + s];
        }
        __syncthreads();
    }
    if (t == 0) {
        output[blockIdx.x] = input[i];
    }
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
