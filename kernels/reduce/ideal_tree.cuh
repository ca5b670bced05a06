// ideal-tree: as many processors as pairs; every round adds all neighbours at once.
// Source: PMPP 4e, Fig. 10.3 and 10.5: the PRAM's tree, exclusive read and write.
// Removes: all steps but log2 N.
// Remains: nothing that an ideal machine would charge for; real ones charge for idle lanes and memory requests.
// Next: pmpp_simple.cuh, the same tree on warps.
#pragma once

#include "instrumentation/probe/element.cuh"

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

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
