// gather: a reduction of elements that an array of indices names, as in sparse matrices and graphs.
// Source: common. Ladder: beside pmpp_segmented.cuh, which takes neighbours.
// Removes: the demand that what a block adds lie side by side in memory.
// Remains: a warp's loads scatter over up to as many segments as it has lanes, and each index is a load, too.
#pragma once

#include <numeric>

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (gridDim.x * blockDim.x,) read only
/// index   (gridDim.x * blockDim.x,) read only; which element each thread takes
/// output  (1,) identity before the launch; receives the result
template <class T>
__global__ void gather(Global<T> input, Global<T, unsigned> index, Global<T> output) {
    __shared__ Shared<T, kMaxBlock> input_s;
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    input_s[t] = input[index[i]];
    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        step<T>(stride);
        if (t < stride) {
            input_s[t] += input_s[t + stride];
        }
    }
    if (t == 0) {
        atomicAdd(output, input_s[0]);
    }
}

/// Each element once, and neighbours far apart: about 0.618 N, the golden section.
template <class T>
void host_gather(Host<T>& host) {
    host.takes_n({});
    const unsigned block = host.block({.per_thread = 1});
    const std::uint64_t n = host.n(), blocks = ceil_div(n, block);
    std::uint64_t apart = n * 618 / 1000;
    while (std::gcd(apart, n) != 1) ++apart;
    auto input = host.input(blocks * block), output = host.output();
    auto index = host.template array<unsigned>("index", blocks * block,
                                               [=](std::uint64_t i) { return i < n ? i * apart % n : i; });
    host.clear(output);
    host.launch("gather", gather<T>, {blocks, block}, input, index, output);
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
