// all-reduce-ring: several devices in a ring, each with an array, cut into as many pieces as there are devices. In each
// round each device takes another piece from its left neighbour and adds its own (reduce-scatter), until each has one
// piece of the sums; then the finished pieces go round once more (all-gather).
// Source: Patarasuk and Yuan 2009; Gibiansky (Baidu) 2017; NCCL's ring. Ladder: after reduce_to_root.cuh.
// Removes: traffic that grows with the devices: each link carries 2 (p - 1) / p of an array, and is never idle.
// Remains: 2 (p - 1) rounds, each of which waits for the one before.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input  (ranks, n) read only
/// left   (ranks, n) what the left neighbour has of the piece: its elements, later its sums
/// sums   (ranks, n) receives the piece's: those on the left, and this device's elements
template <class T>
__global__ void reduce_scatter(Parts<T> input, Parts<T> left, Parts<T> sums, unsigned rank, unsigned ranks,
                               unsigned round, unsigned n) {
    unsigned piece = (rank + 2 * ranks - 1 - round) % ranks, size = (n + ranks - 1) / ranks;
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x, i = piece * size + t;
    if (t < size && i < n) {
        step<T>(n);
        sums[rank][i] = left[(rank + ranks - 1) % ranks][i] + input[rank][i];
    }
}

/// sums  (ranks, n) receives on this device a piece that the left neighbour has finished, or been given
template <class T>
__global__ void all_gather(Parts<T> sums, unsigned rank, unsigned ranks, unsigned round, unsigned n) {
    unsigned piece = (rank + ranks - round) % ranks, size = (n + ranks - 1) / ranks;
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x, i = piece * size + t;
    if (t < size && i < n) {
        sums[rank][i] = sums[(rank + ranks - 1) % ranks][i];
    }
}

template <class T>
void host_all_reduce_ring(Host<T>& host) {
    host.takes_n(kOfDevices);
    const unsigned ranks = host.devices(), block = host.block({.per_thread = ranks});
    const std::uint64_t n = host.n() / ranks, blocks = ceil_div(ceil_div(n, ranks), block);
    auto input = host.parts(host.input(host.n())), sums = host.parts(host.output(host.n()));
    for (unsigned round = 0; round + 1 < ranks; ++round) {
        host.launch_on_each("reduce_scatter", reduce_scatter<T>, {blocks, block}, [&](unsigned rank) {
            return std::tuple(input, round == 0 ? input : sums, sums, rank, ranks, round, n);
        });
    }
    for (unsigned round = 0; round + 1 < ranks; ++round) {
        host.launch_on_each("all_gather", all_gather<T>, {blocks, block},
                            [&](unsigned rank) { return std::tuple(sums, rank, ranks, round, n); });
    }
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
