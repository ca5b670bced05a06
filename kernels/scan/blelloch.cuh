// blelloch: an up-sweep leaves the sums of pairs, fours, eights, ...; the root is cleared, and a down-sweep hands each
// node what lies before it: exclusive by nature. Source: G. E. Blelloch, Prefix Sums and Their Applications (1990);
// GPU Gems 3, Example 39-2. Ladder: after kogge_stone.cuh.
// Removes: most adds: 2N - 2 are left, one each way for every node of the tree.
// Remains: twice as many steps, and bank conflicts, for the words of a warp lie ever further apart.
// Next: blelloch_padded.cuh, the same without conflicts.
#pragma once

#include "kernels/scan/blocks.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input      (n,) read only; section b is the 2 * blockDim.x elements from 2 * b * blockDim.x on
/// output     (n,) receives each section's scan
/// sums       (gridDim.x,) receives each section's sum, where there are several
/// exclusive  1: element i is left out of output[i]; 0: it is not
template <class T>
__global__ void blelloch(Global<T> input, Global<T> output, Global<T> sums, size_t n, unsigned exclusive) {
    __shared__ Shared<T, kMaxBlock + 1> section_s;
    unsigned t = threadIdx.x, section = 2 * blockDim.x;
    size_t i = size_t(blockIdx.x) * section + threadIdx.x;
    section_s[t] = i < n ? input[i] : identity<T>();
    section_s[t + blockDim.x] = i + blockDim.x < n ? input[i + blockDim.x] : identity<T>();
    for (unsigned stride = 1; stride < section; stride *= 2) {
        __syncthreads();
        step<T>(stride, Phase::kUpsweep);
        unsigned k = 2 * stride * (t + 1) - 1;
        if (k < section) {
            section_s[k] = section_s[k - stride] + section_s[k];
        }
    }
    step<T>(0, Phase::kClear);
    if (t == 0) {
        section_s[section] = section_s[section - 1];  // the sum goes behind the last element
        section_s[section - 1] = identity<T>();
    }
    for (unsigned stride = blockDim.x; stride > 0; stride /= 2) {
        __syncthreads();
        step<T>(stride, Phase::kDownsweep);
        unsigned k = 2 * stride * (t + 1) - 1;
        if (k < section) {
            T left = section_s[k - stride];
            section_s[k - stride] = section_s[k];
            section_s[k] += left;
        }
    }
    __syncthreads();
    t += 1 - exclusive;  // the inclusive scan is the exclusive one from its second element on
    if (i < n) {
        output[i] = section_s[t];
    }
    if (i + blockDim.x < n) {
        output[i + blockDim.x] = section_s[t + blockDim.x];
    }
    if (gridDim.x > 1 && threadIdx.x == 0) {
        sums[blockIdx.x] = section_s[section];
    }
}

template <class T>
void host_blelloch(Host<T>& host) {
    scan_by_blocks(host, "blelloch", blelloch<T>, {.usual = kMaxBlock / 2, .most_elements = kMaxBlock});
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
