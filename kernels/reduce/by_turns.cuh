// by-turns: as vectorized; two results take turns: a run adds to the one, and clears the other for the next run.
// Source: ours; loop and ending are those of vectorized.cuh.
// Removes: the clear of the result before each run.
// Remains: atomic adds in an order left to chance, and a result that lies in another place each time.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (n,) read only, on a 16-byte boundary
/// output  (1,) identity before the launch; receives the result
/// next    (1,) the identity after it: where the next run's result belongs
/// n       elements to add: any number; blockDim.x = warps * warpSize, warps <= warpSize
template <class T>
__global__ void by_turns(Global<T> input, Global<T> output, Global<T> next, unsigned n) {
    __shared__ Shared<T, 32> warp_sums;
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned stride = gridDim.x * blockDim.x;
    if (i == 0) {
        next[0] = identity<T>();
    }
    unsigned packs = n / pack_size<T>();
    T sum = identity<T>();
    unsigned p = i;
    for (; p + 3 * stride < packs; p += 4 * stride) {
        Pack<T> a = load_pack(input, p);
        Pack<T> b = load_pack(input, p + stride);
        Pack<T> c = load_pack(input, p + 2 * stride);
        Pack<T> d = load_pack(input, p + 3 * stride);
        sum += total(a);
        sum += total(b);
        sum += total(c);
        sum += total(d);
    }
    for (; p < packs; p += stride) {
        Pack<T> a = load_pack(input, p);
        sum += total(a);
    }
    unsigned tail = packs * pack_size<T>() + i;
    for (; tail < n; tail += stride) {
        sum += input[tail];
    }
    for (unsigned offset = warpSize / 2; offset > 0; offset /= 2) {
        step<T>(offset);
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (t % warpSize == 0) {
        warp_sums[t / warpSize] = sum;
    }
    __syncthreads();
    if (t < warpSize) {
        sum = t < blockDim.x / warpSize ? T(warp_sums[t]) : identity<T>();
        for (unsigned offset = warpSize / 2; offset > 0; offset /= 2) {
            step<T>(offset);
            sum += __shfl_down_sync(0xffffffff, sum, offset);
        }
    }
    if (t == 0) {
        atomicAdd(output, sum);
    }
}

template <class T>
void host_by_turns(Host<T>& host) {
    host.takes_n({.most_plain = kMostInStrides});
    const unsigned block = host.block({.per_thread = 16, .whole_warps = true, .on_gpu = 256});
    const std::uint64_t blocks = std::min(ceil_div(host.n(), 16 * block), host.resident_blocks(by_turns<T>, block));
    const unsigned now = host.runs() % 2;  // both places are made in each run, in the same order
    auto input = host.input(host.n());
    Global<T> results[] = {now == 0 ? host.output() : host.scratch("next", 1),
                           now == 1 ? host.output() : host.scratch("next", 1)};
    host.launch("by_turns", by_turns<T>, {blocks, block}, input, results[now], results[1 - now], host.n());
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
