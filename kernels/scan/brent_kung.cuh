// brent-kung: a reduction tree leaves the sums of pairs, fours, eights, ...; a second tree, upside down, hands them on
// to the elements between. Source: PMPP 4e, Fig. 11.7. Ladder: after
// blelloch_padded.cuh. Removes: the cleared root, and log2 N of the adds: 2N - 2 - log2 N are left.
// Remains: about twice as many steps as kogge_stone.cuh takes, in most of which few threads work, and bank conflicts.
// Next: scan_coarsened.cuh scans most elements without a tree.
#pragma once

#include "kernels/scan/blocks.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input      (n,) read only; section b is the 2 * blockDim.x elements from 2 * b * blockDim.x on
/// output     (n,) receives each section's scan
/// sums       (gridDim.x,) receives each section's sum, where there are several
/// exclusive  1: element i is left out of output[i]; 0: it is not
template <class T>
__global__ void brent_kung(Global<T> input, Global<T> output, Global<T> sums, size_t n, unsigned exclusive) {
    __shared__ Shared<T, 2 * kMaxBlock> section_s;
    unsigned t = threadIdx.x, section = 2 * blockDim.x;
    size_t i = size_t(blockIdx.x) * section + threadIdx.x;
    size_t from = i - exclusive;  // an exclusive scan is the inclusive one of the input moved by one
    section_s[t] = from < n ? input[from] : identity<T>();
    from += blockDim.x;
    section_s[t + blockDim.x] = from < n ? input[from] : identity<T>();
    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
        __syncthreads();
        step<T>(stride, Phase::kUpsweep);
        unsigned index = (t + 1) * 2 * stride - 1;
        if (index < section) {
            section_s[index] = section_s[index - stride] + section_s[index];
        }
    }
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        __syncthreads();
        step<T>(stride, Phase::kDownsweep);
        unsigned index = (t + 1) * 2 * stride - 1;
        if (index + stride < section) {
            section_s[index + stride] = section_s[index] + section_s[index + stride];
        }
    }
    __syncthreads();
    if (i < n) {
        output[i] = section_s[t];
    }
    if (i + blockDim.x < n) {
        output[i + blockDim.x] = section_s[t + blockDim.x];
    }
    if (gridDim.x > 1 && t == blockDim.x - 1) {
        sums[blockIdx.x] = section_s[section - 1];
    }
}

template <class T>
void host_brent_kung(Host<T>& host) {
    scan_by_blocks(host, "brent_kung", brent_kung<T>, {.usual = kMaxBlock});
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
