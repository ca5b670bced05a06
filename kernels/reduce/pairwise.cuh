// pairwise: one thread adds neighbours, then the sums of neighbours, until one is left.
// Source: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 4.1.
// Removes: most roundings on each element's way: log2 N are left of N - 1.
// Remains: one rounding a round, and the partial sums have to be kept.
// Ladder: after sequential.cuh; a parallel tree adds in this order or a like one. Next: kahan.cuh.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (n,) added up in place
/// output  (1,) receives the result
/// n       elements to add
template <class T>
__global__ void pairwise(Global<T> input, Global<T> output, unsigned n) {
    for (unsigned stride = 1; stride < n; stride *= 2) {
        step<T>(stride);
        for (unsigned i = 0; i + stride < n; i += 2 * stride) {
            input[i] += input[i + stride];
        }
    }
    *output = input[0];
}

template <class T>
void host_pairwise(Host<T>& host) {
    host.needs({.halves = true});
    host.takes_n(of_one_thread(32768, "each of its N - 1 adds is a step"));
    auto input = host.input(host.n()), output = host.output();
    host.launch("pairwise", pairwise<T>, {1, host.only_block(1)}, input, output, host.n());
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
