// all-reduce-tree: several devices as nodes of two binary trees, each for one half of the array. Level by level inner
// nodes add what their children have to their own; then the sums go down again. Who is a leaf of one tree is an inner
// node of the other, so that no device is idle.
// Source: Sanders, Speck and Traeff 2009, two-tree; NCCL's tree. Ladder: after all_reduce_halving.cuh.
// Removes: the demand that devices be a power of two: any number of them takes 2 log2 p rounds, rounded up.
// Remains: two arrays come to a device that has two children, where a ring sends less than that.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// A tree over 0, 1, ..: odd nodes are leaves, and node 0 is the root. A node's level is how often 2 divides it.
__device__ inline unsigned level_of(unsigned node, unsigned ranks) {
    unsigned level = 0;
    while ((node >> level & 1) == 0 && (1u << level) < ranks) {
        ++level;
    }
    return level;
}
__device__ inline unsigned parent_of(unsigned node, unsigned ranks) {
    unsigned bit = 1u << level_of(node, ranks), parent = (node ^ bit) | 2 * bit;
    return parent < ranks ? parent : node ^ bit;
}
/// The child on the right: nearer where there are not so many devices; the node itself where there is none.
__device__ inline unsigned right_of(unsigned node, unsigned ranks) {
    unsigned half = (1u << level_of(node, ranks)) / 2;
    while (node + half >= ranks) {
        half /= 2;
    }
    return node + half;
}

/// input  (ranks, n) read only
/// sums   (ranks, n) receives the sums of the subtrees whose roots are of this level
template <class T>
__global__ void tree_up(Parts<T> input, Parts<T> sums, unsigned rank, unsigned ranks, unsigned level, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, second = 2 * i < n ? 0 : 1;
    unsigned node = (rank + second) % ranks;
    if (i < n && level_of(node, ranks) == level) {
        T sum = input[rank][i];
        unsigned right = right_of(node, ranks), left = node - (1u << level) / 2;
        if (node > 0) {
            step<T>(n);
            unsigned child = (left + ranks - second) % ranks;
            sum = (level == 1 ? T(input[child][i]) : T(sums[child][i])) + sum;
        }
        if (right > node) {
            step<T>(n);
            unsigned child = (right + ranks - second) % ranks;
            sum = sum + (level_of(right, ranks) == 0 ? T(input[child][i]) : T(sums[child][i]));
        }
        sums[rank][i] = sum;
    }
}

/// sums  (ranks, n) receives what the parent has, where that is of this level
template <class T>
__global__ void tree_down(Parts<T> sums, unsigned rank, unsigned ranks, unsigned level, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, second = 2 * i < n ? 0 : 1;
    unsigned node = (rank + second) % ranks;
    if (i < n && node > 0) {
        unsigned parent = parent_of(node, ranks);
        if (level_of(parent, ranks) == level) {
            sums[rank][i] = sums[(parent + ranks - second) % ranks][i];
        }
    }
}

template <class T>
void host_all_reduce_tree(Host<T>& host) {
    host.takes_n(kOfDevices);
    const unsigned ranks = host.devices(), block = host.block({.per_thread = 1});
    const std::uint64_t n = host.n() / ranks, blocks = ceil_div(n, block);
    auto input = host.parts(host.input(host.n())), sums = host.parts(host.output(host.n()));
    const unsigned levels = std::bit_width(ranks - 1);
    for (unsigned level = 1; level <= levels; ++level) {
        host.launch_on_each("tree_up", tree_up<T>, {blocks, block},
                            [&](unsigned rank) { return std::tuple(input, sums, rank, ranks, level, n); });
    }
    for (unsigned level = levels; level >= 1; --level) {
        host.launch_on_each("tree_down", tree_down<T>, {blocks, block},
                            [&](unsigned rank) { return std::tuple(sums, rank, ranks, level, n); });
    }
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
