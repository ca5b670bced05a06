// hillis-steele: in each round every element adds the one `stride` before it, read from one buffer, written to another.
// Source: W. D. Hillis and G. L. Steele, Data Parallel Algorithms (1986); GPU Gems 3, Example 39-1.
// Ladder: after scan_sequential.cuh.
// Removes: all steps but log2 N.
// Remains: N log2 N - (N - 1) adds where N - 1 would do, and a buffer twice as large as the section.
// Next: kogge_stone.cuh makes do with one buffer.
#pragma once

#include "kernels/scan/blocks.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input      (n,) read only; section b is the blockDim.x elements from b * blockDim.x on
/// output     (n,) receives each section's scan
/// sums       (gridDim.x,) receives each section's sum, where there are several
/// exclusive  1: element i is left out of output[i]; 0: it is not
template <class T>
__global__ void hillis_steele(Global<T> input, Global<T> output, Global<T> sums, size_t n, unsigned exclusive) {
    __shared__ Shared<T, 2 * kMaxBlock> buffers_s;
    unsigned t = threadIdx.x;
    size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    size_t from = i - exclusive;  // an exclusive scan is the inclusive one of the input moved by one
    unsigned in = blockDim.x, out = 0;
    buffers_s[out + t] = from < n ? input[from] : identity<T>();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        in = out, out = blockDim.x - in;
        __syncthreads();
        step<T>(stride, Phase::kScan);
        if (t >= stride) {
            buffers_s[out + t] = buffers_s[in + t - stride] + buffers_s[in + t];
        } else {
            buffers_s[out + t] = buffers_s[in + t];
        }
    }
    if (i < n) {
        output[i] = buffers_s[out + t];
    }
    if (gridDim.x > 1 && t == blockDim.x - 1) {
        sums[blockIdx.x] = buffers_s[out + t];
    }
}

template <class T>
void host_hillis_steele(Host<T>& host) {
    scan_by_blocks(host, "hillis_steele", hillis_steele<T>, {.least = 2, .per_thread = 1, .usual = kMaxBlock});
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
