// pmpp-convergent: thread t owns element t; each round halves the stride, and the working threads stay side by side.
// Source: PMPP 4e, Fig. 10.9. Ladder: after pmpp_simple.cuh.
// Removes: divergence; whole warps fall idle instead of lanes, and neighbours read neighbours.
// Remains: every round goes through global memory.
// Next: pmpp_shared.cuh keeps partial sums in shared memory.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (2 * blockDim.x,) reduced in place
/// output  (1,) receives the result
template <class T>
__global__ void pmpp_convergent(Global<T> input, Global<T> output) {
    unsigned i = threadIdx.x;
    for (unsigned stride = blockDim.x; stride >= 1; stride /= 2) {
        step<T>(stride);
        if (threadIdx.x < stride) {
            input[i] += input[i + stride];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        *output = input[0];
    }
}

template <class T>
void host_pmpp_convergent(Host<T>& host) {
    host.takes_n(kOneBlock);
    auto input = host.input(host.n()), output = host.output();
    host.launch("pmpp_convergent", pmpp_convergent<T>, {1, host.only_block(host.n() / 2)}, input, output);
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
