// ideal-tree: as many processors as pairs; every round adds all neighbours at once.
// Source: PMPP 4e, Fig. 10.3 and 10.5: the PRAM's tree, exclusive read and write.
// Removes: all steps but log2 N.
// Remains: nothing that an ideal machine would charge for; real ones charge for idle lanes and memory requests.
// Next: pmpp_simple.cuh, the same tree on warps.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (n,) reduced in place
/// output  (1,) receives the result
/// n       elements to add
template <class T>
__global__ void ideal_tree(Global<T> input, Global<T> output, unsigned n) {
    for (unsigned stride = 1; stride < n; stride *= 2) {
        step<T>(stride);
        unsigned i = 2 * stride * threadIdx.x;
        if (i + stride < n) {
            input[i] += input[i + stride];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        *output = input[0];
    }
}

template <class T>
void host_ideal_tree(Host<T>& host) {
    host.takes_n({.most = 2048, .why = kOneBlock.why, .most_plain = 2048});
    auto input = host.input(host.n()), output = host.output();
    host.launch("ideal_tree", ideal_tree<T>, {1, host.only_block(ceil_div(host.n(), 2))}, input, output, host.n());
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
