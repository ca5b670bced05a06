// global-halving: each block halves its part of the array in global memory; the CPU adds the block sums up.
// Source: common; many a first GPU reduction looks like this.
// Removes: the limit of one block.
// Remains: every round goes through global memory, and the CPU finishes.
// Next: shuffle_atomic.cuh keeps partial sums on the chip.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (gridDim.x * blockDim.x,) reduced in place
/// output  (gridDim.x,) receives each block's result
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

/// The CPU's part.
template <class T>
__host__ void add_up(Global<T> sums, Global<T> output, unsigned count) {
    T sum = sums[0];
    step<T>(1);
    for (unsigned i = 1; i < count; ++i) {
        sum += sums[i];
    }
    *output = sum;
}

template <class T>
void host_global_halving(Host<T>& host) {
    host.takes_n({});
    const unsigned block = host.block({.per_thread = 1, .most_blocks = 32768});
    const std::uint64_t blocks = ceil_div(host.n(), block);
    auto input = host.input(blocks * block), sums = host.partial("sums", blocks), output = host.output();
    host.launch("global_halving", global_halving<T>, {blocks, block}, input, sums);
    host.cpu("add_up", add_up<T>, sums, output, blocks);
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
