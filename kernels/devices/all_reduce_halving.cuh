// all-reduce-halving: several devices, a power of two, each with an array. In each round two that lie a distance apart
// share what is left of the work: each adds up one half of it, so pieces halve and distances too; then they double
// again. Source: Rabenseifner 2004; Thakur, Rabenseifner and Gropp 2005. Ladder: after all_reduce_ring.cuh. Removes:
// most rounds of the ring: 2 log2 p are left, and a device receives no more than there. Remains: partners far away, so
// the links between have to carry what neighbours would have kept.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input  (ranks, n) what each device has of the range: its elements, later its sums
/// sums   (ranks, n) receives the sums of this device and its partner from `begin` on
/// count  elements that this device adds up
template <class T>
__global__ void add_half(Parts<T> input, Parts<T> sums, unsigned rank, unsigned distance, unsigned begin,
                         unsigned count, unsigned n) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x, i = begin + t;
    if (t < count) {
        step<T>(distance * n);
        sums[rank][i] = input[rank][i] + input[rank ^ distance][i];
    }
}

/// sums  (ranks, n) receives on this device what its partner has finished, from `begin` on
template <class T>
__global__ void take_half(Parts<T> sums, unsigned rank, unsigned distance, unsigned begin, unsigned count) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x, i = begin + t;
    if (t < count) {
        sums[rank][i] = sums[rank ^ distance][i];
    }
}

/// Where the part of a device begins, and how much it is, when devices less than `distance` apart still share theirs.
struct Half {
    std::uint64_t begin, count;
};
inline Half half_of(unsigned rank, unsigned distance, unsigned ranks, std::uint64_t n) {
    const unsigned piece = rank / distance, pieces = ranks / distance;
    const std::uint64_t begin = n * piece / pieces;
    return {begin, n * (piece + 1) / pieces - begin};
}

template <class T>
void host_all_reduce_halving(Host<T>& host) {
    host.takes_n(kOfDevices);
    const unsigned ranks = host.devices(true), block = host.block({.per_thread = 2});
    const std::uint64_t n = host.n() / ranks;
    const auto blocks = [&](unsigned distance) {
        return ceil_div(std::max<std::uint64_t>(1, ceil_div(n * distance, ranks)), block);
    };
    auto input = host.parts(host.input(host.n())), sums = host.parts(host.output(host.n()));
    for (unsigned distance = ranks / 2; distance >= 1; distance /= 2) {
        auto values = distance == ranks / 2 ? input : sums;
        host.launch_on_each("add_half", add_half<T>, {blocks(distance), block}, [&](unsigned rank) {
            const Half half = half_of(rank, distance, ranks, n);
            return std::tuple(values, sums, rank, distance, half.begin, half.count, n);
        });
    }
    for (unsigned distance = 1; distance < ranks; distance *= 2) {
        host.launch_on_each("take_half", take_half<T>, {blocks(distance), block}, [&](unsigned rank) {
            const Half half = half_of(rank ^ distance, distance, ranks, n);
            return std::tuple(sums, rank, distance, half.begin, half.count);
        });
    }
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
