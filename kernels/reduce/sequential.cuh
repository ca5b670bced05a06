// sequential: one thread adds one element after another, beginning with the identity.
// Source: PMPP 4e, Fig. 10.1 and 10.2. Ladder: before everything else.
// Removes: nothing; it is what parallel reductions are measured against.
// Remains: N steps, one operation each.
// Next: ideal_tree.cuh, the fewest steps there can be.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (n,) read only
/// output  (1,) receives the result
/// n       elements to add
template <class T>
__global__ void sequential(Global<T> input, Global<T> output, unsigned n) {
    T sum = identity<T>();
    step<T>(1);
    for (unsigned i = 0; i < n; ++i) {
        sum += input[i];
    }
    *output = sum;
}

template <class T>
void host_sequential(Host<T>& host) {
    host.takes_n(of_one_thread(32768, "each of its N adds is a step"));
    auto input = host.input(host.n()), output = host.output();
    host.launch("sequential", sequential<T>, {1, host.only_block(1)}, input, output, host.n());
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
