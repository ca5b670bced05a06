// neumaier: what additions round away is added up beside the sum, whichever operand lost it.
// Source: A. Neumaier, Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen, 1974.
// Removes: what kahan.cuh loses where an element is larger than the sum.
// Remains: a branch and two more additions an element.
// Next: kahan_tree.cuh, the same on many threads.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (n,) read only
/// output  (1,) receives the result
/// n       elements to add
template <class T>
__global__ void neumaier(Global<T> input, Global<T> output, unsigned n) {
    T sum = input[0];
    T c = identity<T>();
    step<T>(1);
    for (unsigned i = 1; i < n; ++i) {
        T x = input[i];
        T t = sum + x;
        if (fabs(sum) >= fabs(x)) {
            c += (sum - t) + x;
        } else {
            c += (x - t) + sum;
        }
        sum = t;
    }
    *output = sum + c;
}

template <class T>
void host_neumaier(Host<T>& host) {
    host.needs({.compensates = true});
    host.takes_n(of_one_thread(16384, "each of its 3N adds is a step"));
    auto input = host.input(host.n()), output = host.output();
    host.launch("neumaier", neumaier<T>, {1, host.only_block(1)}, input, output, host.n());
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
