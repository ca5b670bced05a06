// scan-sequential: one thread adds one element after another to what it wrote last.
// Source: PMPP 4e, Fig. 11.1. Ladder: before all other scans.
// Removes: nothing; it is what parallel scans are measured against.
// Remains: N - 1 steps, one operation each.
// Next: hillis_steele.cuh, the fewest steps there can be.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input      (n,) read only
/// output     (n,) receives the scan
/// exclusive  1: element i is left out of output[i]; 0: it is not
template <class T>
__global__ void scan_sequential(Global<T> input, Global<T> output, unsigned n, unsigned exclusive) {
    output[0] = exclusive ? identity<T>() : T(input[0]);
    step<T>(1, Phase::kScan);
    for (unsigned i = 1; i < n; ++i) {
        output[i] = output[i - 1] + input[i - exclusive];
    }
}

template <class T>
void host_scan_sequential(Host<T>& host) {
    host.takes_n(of_one_thread(32768, "each of its N - 1 adds is a step"));
    auto input = host.input(host.n()), output = host.output(host.n());
    host.launch("scan_sequential", scan_sequential<T>, {1, host.only_block(1)}, input, output, host.n(),
                host.exclusive());
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
