// kahan: what an addition rounds away is caught, and given to the next one.
// Source: W. Kahan, Further Remarks on Reducing Truncation Errors, 1965; as in D. Goldberg, What Every Computer
// Scientist Should Know About Floating-Point Arithmetic, 1991, Theorem 8. Removes: the error's growth with N. Remains:
// four operations an element, and what is lost where an element is larger than the sum: see neumaier.cuh.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (n,) read only
/// output  (1,) receives the result
/// n       elements to add
template <class T>
__global__ void kahan(Global<T> input, Global<T> output, unsigned n) {
    T sum = input[0];
    T c = identity<T>();
    step<T>(1);
    for (unsigned i = 1; i < n; ++i) {
        T y = input[i] - c;
        T t = sum + y;
        c = (t - sum) - y;
        sum = t;
    }
    *output = sum;
}

template <class T>
void host_kahan(Host<T>& host) {
    host.needs({.compensates = true});
    host.takes_n(of_one_thread(32768, "each of its N - 1 adds is a step"));
    auto input = host.input(host.n()), output = host.output();
    host.launch("kahan", kahan<T>, {1, host.only_block(1)}, input, output, host.n());
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
