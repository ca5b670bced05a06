// pmpp-shared: the first add is done while loading; all later rounds stay in shared memory.
// Source: PMPP 4e, Fig. 10.11. Ladder: after pmpp_convergent.cuh.
// Removes: global memory traffic; each element is read once, one result is written.
// Remains: one block only, and a barrier in every round.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (2 * blockDim.x,) read only
/// output  (1,) receives the result
template <class T>
__global__ void pmpp_shared(Global<T> input, Global<T> output) {
    __shared__ Shared<T, kMaxBlock> input_s;
    unsigned t = threadIdx.x;
    input_s[t] = input[t] + input[t + blockDim.x];
    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        step<T>(stride);
        if (t < stride) {
            input_s[t] += input_s[t + stride];
        }
    }
    if (t == 0) {
        *output = input_s[0];
    }
}

template <class T>
void host_pmpp_shared(Host<T>& host) {
    host.takes_n(kOneBlock);
    auto input = host.input(host.n()), output = host.output();
    host.launch("pmpp_shared", pmpp_shared<T>, {1, host.only_block(host.n() / 2)}, input, output);
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
