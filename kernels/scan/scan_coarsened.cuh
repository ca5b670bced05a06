// scan-coarsened: each thread scans a piece of its own, the block scans the pieces' last elements, and each piece is
// raised by the last element before it. Source: PMPP 4e, sec. 11.5. Ladder: after brent_kung.cuh.
// Removes: most of the rounds that all threads have to wait for, and with them most of the adds that repeat others.
// Remains: each element is added to twice.
#pragma once

#include "kernels/scan/blocks.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input      (n,) read only; section b is the coarsen * blockDim.x elements from b * coarsen * blockDim.x on
/// output     (n,) receives each section's scan
/// sums       (gridDim.x,) receives each section's sum, where there are several
/// exclusive  1: element i is left out of output[i]; 0: it is not
/// coarsen    elements of a piece
template <class T>
__global__ void scan_coarsened(Global<T> input, Global<T> output, Global<T> sums, size_t n, unsigned exclusive,
                               unsigned coarsen) {
    __shared__ Shared<T, 2 * kMaxBlock> section_s;
    unsigned t = threadIdx.x, section = coarsen * blockDim.x;
    size_t begin = size_t(blockIdx.x) * section;
    unsigned piece = t * coarsen, last = piece + coarsen - 1;
    for (unsigned k = t; k < section; k += blockDim.x) {
        size_t from = begin + k - exclusive;  // an exclusive scan is the inclusive one of the input moved by one
        section_s[k] = from < n ? input[from] : identity<T>();
    }
    __syncthreads();
    step<T>(1, Phase::kScan);
    for (unsigned k = piece + 1; k <= last; ++k) {
        section_s[k] = section_s[k - 1] + section_s[k];
    }
    for (unsigned stride = coarsen; stride < section; stride *= 2) {
        __syncthreads();
        step<T>(stride, Phase::kScan);
        T sum = identity<T>();
        if (last >= stride) {
            sum = section_s[last - stride] + section_s[last];
        }
        __syncthreads();
        if (last >= stride) {
            section_s[last] = sum;
        }
    }
    __syncthreads();
    step<T>(coarsen, Phase::kAdd);
    if (t > 0) {
        for (unsigned k = piece; k < last; ++k) {
            section_s[k] = section_s[piece - 1] + section_s[k];
        }
    }
    __syncthreads();
    for (unsigned k = t; k < section; k += blockDim.x) {
        if (begin + k < n) {
            output[begin + k] = section_s[k];
        }
    }
    if (gridDim.x > 1 && t == 0) {
        sums[blockIdx.x] = section_s[section - 1];
    }
}

template <class T>
void host_scan_coarsened(Host<T>& host) {
    const unsigned coarsen = host.coarsen();
    scan_by_blocks(host, "scan_coarsened", scan_coarsened<T>,
                   {.least = 2, .per_thread = coarsen, .usual = kMaxBlock, .most_elements = 2 * kMaxBlock}, coarsen);
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
