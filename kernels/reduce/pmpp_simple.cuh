// pmpp-simple: every thread owns two neighbours; each round doubles the stride between partial sums.
// Source: PMPP 4e, Fig. 10.6. Ladder: the first parallel kernel.
// Removes: the N - 1 rounds of a sequential sum; log2 N are left.
// Remains: working threads lie ever further apart, so every warp stays busy with ever fewer of its lanes.
// Next: pmpp_convergent.cuh moves the working threads together.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (2 * blockDim.x,) reduced in place
/// output  (1,) receives the result
template <class T>
__global__ void pmpp_simple(Global<T> input, Global<T> output) {
    unsigned i = 2 * threadIdx.x;
    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
        step<T>(stride);
        if (threadIdx.x % stride == 0) {
            input[i] += input[i + stride];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        *output = input[0];
    }
}

template <class T>
void host_pmpp_simple(Host<T>& host) {
    host.takes_n(kOneBlock);
    auto input = host.input(host.n()), output = host.output();
    host.launch("pmpp_simple", pmpp_simple<T>, {1, host.only_block(host.n() / 2)}, input, output);
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
