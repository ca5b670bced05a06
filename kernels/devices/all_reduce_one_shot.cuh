// all-reduce-one-shot: each device reads what all the others have of an element, and adds it up. One round, in which
// nobody waits for anybody: the fewest rounds that there can be.
// Source: the flat all-reduce of NVIDIA's TensorRT-LLM and MSCCL++. Ladder: after all_reduce_tree.cuh.
// Removes: all rounds but one. Remains: p - 1 arrays that come to each device, and as many adds of every element there.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input  (ranks, n) read only
/// sums   (ranks, n) receives on this device the sums of what all have, which each adds in the same order
template <class T>
__global__ void add_all(Parts<T> input, Parts<T> sums, unsigned rank, unsigned ranks, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        T sum = input[0][i];
        for (unsigned peer = 1; peer < ranks; ++peer) {
            step<T>(peer * n);
            sum += input[peer][i];
        }
        sums[rank][i] = sum;
    }
}

template <class T>
void host_all_reduce_one_shot(Host<T>& host) {
    host.takes_n(kOfDevices);
    const unsigned ranks = host.devices(), block = host.block({.per_thread = 1, .on_gpu = 512});
    const std::uint64_t n = host.n() / ranks;
    auto input = host.parts(host.input(host.n())), sums = host.parts(host.output(host.n()));
    host.launch_on_each("add_all", add_all<T>, {ceil_div(n, block), block},
                        [&](unsigned rank) { return std::tuple(input, sums, rank, ranks, n); });
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
