// vectorized: each thread loads 16 bytes with one instruction, four such loads in flight, and strides over the grid.
// Source: ours; the loop is Harris's kernel 7, the ending that of two_stage_shuffle.cuh.
// Removes: three of four load instructions, and the wait for each load before the next one is sent.
// Remains: a result to clear before each run, and atomic adds in an order left to chance: see by_turns.cuh.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (n,) read only, on a 16-byte boundary
/// output  (1,) identity before the launch; receives the result
/// n       elements to add: any number; blockDim.x = warps * warpSize, warps <= warpSize
template <class T>
__global__ void vectorized(Global<T> input, Global<T> output, unsigned n) {
    __shared__ Shared<T, 32> warp_sums;
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned stride = gridDim.x * blockDim.x;
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
void host_vectorized(Host<T>& host) {
    host.takes_n({.most_plain = kMostInStrides});
    const unsigned block = host.block({.per_thread = 16, .whole_warps = true, .on_gpu = 256});
    const std::uint64_t blocks = std::min(ceil_div(host.n(), 16 * block), host.resident_blocks(vectorized<T>, block));
    auto input = host.input(host.n()), output = host.output();
    host.clear(output);
    host.launch("vectorized", vectorized<T>, {blocks, block}, input, output, host.n());
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
