// reduce-to-root: several devices, each with an array; in each round half of those that are left add their neighbour's
// to their own, until the first has the sums. The tree of one block, a level up: devices are its threads.
// Source: binomial tree, as in MPI's reduce. Ladder: before all_reduce_ring.cuh.
// Removes: the limit of one device's memory. Remains: all but one device are idle in the end, and one has the sums.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// values  (ranks, n) what each device has: its elements, later its sums
/// sums    (ranks, n) receives those of this device and of the one that lies `distance` further on, if there is one
template <class T>
__global__ void add_neighbour(Parts<T> values, Parts<T> sums, unsigned rank, unsigned ranks, unsigned distance,
                              unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        T sum = values[rank][i];
        if (rank + distance < ranks) {
            step<T>(distance * n);
            sum += values[rank + distance][i];
        }
        sums[rank][i] = sum;
    }
}

template <class T>
void host_reduce_to_root(Host<T>& host) {
    host.takes_n(kOfDevices);
    const unsigned ranks = host.devices(), block = host.block({.per_thread = 1});
    const std::uint64_t n = host.n() / ranks;
    auto input = host.parts(host.input(host.n())), output = host.parts(host.output(host.n()));
    auto values = input;
    for (unsigned distance = 1; distance < ranks; distance *= 2) {
        std::vector<unsigned> on;
        for (unsigned rank = 0; rank < ranks; rank += 2 * distance) on.push_back(rank);
        host.launch_on_each("add_neighbour", add_neighbour<T>,
                            {.blocks = ceil_div(n, block), .threads = block, .on = on},
                            [&](unsigned rank) { return std::tuple(values, output, rank, ranks, distance, n); });
        values = output;
    }
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
