// last-block: every block leaves its sum in an array and draws a ticket; the block with the last ticket adds the sums
// up. Source: the idea of CUDA's sample threadFenceReduction. Ladder: after pmpp_segmented.cuh, of which it is the
// other end. Removes: the atomic adds in an order left to chance, and the second launch or the CPU that would avoid
// them. Remains: one block works at the end while all the others have gone home.
//
// Which block is last differs from run to run; the order of the additions does not.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input       (gridDim.x * 2 * blockDim.x,) read only
/// output      (1,) receives the result
/// block_sums  (gridDim.x,) receives each block's result
/// tickets     (1,) 0 before the launch, and after it
template <class T>
__global__ void last_block(Global<T> input, Global<T> output, Global<T> block_sums, Tickets<T> tickets) {
    __shared__ Shared<T, kMaxBlock> sdata;
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * 2 * blockDim.x + threadIdx.x;
    sdata[t] = input[i] + input[i + blockDim.x];
    for (unsigned s = blockDim.x / 2; s >= 1; s /= 2) {
        __syncthreads();
        step<T>(s);
        if (t < s) {
            sdata[t] += sdata[t + s];
        }
    }
    bool last = false;
    if (t == 0) {
        block_sums[blockIdx.x] = sdata[0];
        __threadfence();  // whoever sees the ticket sees the sum
        last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
    }
    if (__syncthreads_or(last)) {
        step<T>(blockDim.x);
        T sum = identity<T>();
        for (unsigned k = t; k < gridDim.x; k += blockDim.x) {
            sum += block_sums[k];
        }
        sdata[t] = sum;
        for (unsigned s = blockDim.x / 2; s >= 1; s /= 2) {
            __syncthreads();
            step<T>(s);
            if (t < s) {
                sdata[t] += sdata[t + s];
            }
        }
        if (t == 0) {
            output[0] = sdata[0];
        }
    }
}

template <class T>
void host_last_block(Host<T>& host) {
    host.takes_n({});
    const unsigned block = host.block({.last_adds_up = true});
    const std::uint64_t blocks = ceil_div(host.n(), 2 * block);
    auto input = host.input(blocks * 2 * block), output = host.output(), sums = host.exchange("block_sums", blocks);
    host.launch("last_block", last_block<T>, {blocks, block}, input, output, sums, host.tickets());
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
