// single-pass: the loads of vectorized, the ending of last-block: one launch, and nothing to clear before it.
// Source: ours; the ending is that of CUDA's sample threadFenceReduction. Ladder: after by_turns.cuh.
// Removes: the second place for the result, and atomic adds in an order left to chance.
// Remains: the time that memory takes to deliver every element once.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input       (n,) read only, on a 16-byte boundary
/// output      (1,) receives the result
/// block_sums  (gridDim.x,) receives each block's result
/// tickets     (1,) 0 before the launch, and after it
/// n           elements to add: any number; blockDim.x = warps * warpSize, warps <= warpSize
template <class T>
__global__ void single_pass(Global<T> input, Global<T> output, Global<T> block_sums, Tickets<T> tickets, unsigned n) {
    __shared__ Shared<T, 32> warp_sums;
    unsigned t = threadIdx.x;
    auto block_sum = [&](T sum) {  // of what each thread has; in thread 0
        for (unsigned offset = warpSize / 2; offset > 0; offset /= 2) {
            step<T>(offset);
            sum += __shfl_down_sync(0xffffffff, sum, offset);
        }
        if (t % warpSize == 0) {
            warp_sums[t / warpSize] = sum;
        }
        __syncthreads();
        sum = t < blockDim.x / warpSize ? T(warp_sums[t]) : identity<T>();
        for (unsigned offset = warpSize / 2; offset > 0; offset /= 2) {
            step<T>(offset);
            if (t < warpSize) {
                sum += __shfl_down_sync(0xffffffff, sum, offset);
            }
        }
        return sum;
    };
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
    sum = block_sum(sum);
    bool last = false;
    if (t == 0) {
        block_sums[blockIdx.x] = sum;
        __threadfence();  // whoever sees the ticket sees the sum
        last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
    }
    if (__syncthreads_or(last)) {
        step<T>(blockDim.x);
        sum = identity<T>();
        for (unsigned k = t; k < gridDim.x; k += blockDim.x) {
            sum += block_sums[k];
        }
        sum = block_sum(sum);
        if (t == 0) {
            output[0] = sum;
        }
    }
}

template <class T>
void host_single_pass(Host<T>& host) {
    host.takes_n({.most_plain = kMostInStrides});
    const unsigned block = host.block({.per_thread = 16, .whole_warps = true, .on_gpu = 256});
    const std::uint64_t blocks = std::min(ceil_div(host.n(), 16 * block), host.resident_blocks(single_pass<T>, block));
    auto input = host.input(host.n()), output = host.output(), sums = host.exchange("block_sums", blocks);
    host.launch("single_pass", single_pass<T>, {blocks, block}, input, output, sums, host.tickets(), host.n());
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
