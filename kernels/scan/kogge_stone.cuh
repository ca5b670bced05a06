// kogge-stone: in each round every element adds the one `stride` before it; each then holds a sum twice as long.
// Source: PMPP 4e, Fig. 11.3. Ladder: after hillis_steele.cuh, which reads one buffer and writes the other.
// Removes: the second buffer.
// Remains: a second barrier in every round, and N log2 N - (N - 1) adds where N - 1 would do.
// Next: blelloch.cuh makes about 2N.
#pragma once

#include "kernels/scan/blocks.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input      (n,) read only; section b is the blockDim.x elements from b * blockDim.x on
/// output     (n,) receives each section's scan
/// sums       (gridDim.x,) receives each section's sum, where there are several
/// exclusive  1: element i is left out of output[i]; 0: it is not
template <class T>
__global__ void kogge_stone(Global<T> input, Global<T> output, Global<T> sums, size_t n, unsigned exclusive) {
    __shared__ Shared<T, kMaxBlock> section_s;
    unsigned t = threadIdx.x;
    size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    size_t from = i - exclusive;  // an exclusive scan is the inclusive one of the input moved by one
    section_s[t] = from < n ? input[from] : identity<T>();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        step<T>(stride, Phase::kScan);
        T sum = identity<T>();
        if (t >= stride) {
            sum = section_s[t - stride] + section_s[t];
        }
        __syncthreads();
        if (t >= stride) {
            section_s[t] = sum;
        }
    }
    if (i < n) {
        output[i] = section_s[t];
    }
    if (gridDim.x > 1 && t == blockDim.x - 1) {
        sums[blockIdx.x] = section_s[t];
    }
}

template <class T>
void host_kogge_stone(Host<T>& host) {
    scan_by_blocks(host, "kogge_stone", kogge_stone<T>, {.least = 2, .per_thread = 1, .usual = kMaxBlock});
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
