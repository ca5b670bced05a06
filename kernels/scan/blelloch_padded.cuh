// blelloch-padded: blelloch.cuh with an unused word after every 32 of shared memory.
// Source: GPU Gems 3, sec. 39.2.3, avoiding bank conflicts.
// Removes: the bank conflicts: words that lie a multiple of 32 apart fall into banks of their own.
// Remains: about twice as many steps as hillis_steele.cuh takes, in most of which few threads work.
// Next: brent_kung.cuh needs no cleared root.
#pragma once

#include "kernels/scan/blocks.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// Where element k stands.
WARPTREE_DEVICE constexpr unsigned place(unsigned k) {
    return k + k / 32;
}

/// input      (n,) read only; section b is the 2 * blockDim.x elements from 2 * b * blockDim.x on
/// output     (n,) receives each section's scan
/// sums       (gridDim.x,) receives each section's sum, where there are several
/// exclusive  1: element i is left out of output[i]; 0: it is not
template <class T>
__global__ void blelloch_padded(Global<T> input, Global<T> output, Global<T> sums, size_t n, unsigned exclusive) {
    __shared__ Shared<T, 33 * 32 + 1> section_s;
    unsigned t = threadIdx.x, section = 2 * blockDim.x;
    size_t i = size_t(blockIdx.x) * section + threadIdx.x;
    section_s[place(t)] = i < n ? input[i] : identity<T>();
    section_s[place(t + blockDim.x)] = i + blockDim.x < n ? input[i + blockDim.x] : identity<T>();
    for (unsigned stride = 1; stride < section; stride *= 2) {
        __syncthreads();
        step<T>(stride, Phase::kUpsweep);
        unsigned k = 2 * stride * (t + 1) - 1;
        if (k < section) {
            section_s[place(k)] = section_s[place(k - stride)] + section_s[place(k)];
        }
    }
    step<T>(0, Phase::kClear);
    if (t == 0) {
        section_s[place(section)] = section_s[place(section - 1)];  // the sum goes behind the last element
        section_s[place(section - 1)] = identity<T>();
    }
    for (unsigned stride = blockDim.x; stride > 0; stride /= 2) {
        __syncthreads();
        step<T>(stride, Phase::kDownsweep);
        unsigned k = 2 * stride * (t + 1) - 1;
        if (k < section) {
            T left = section_s[place(k - stride)];
            section_s[place(k - stride)] = section_s[place(k)];
            section_s[place(k)] += left;
        }
    }
    __syncthreads();
    t += 1 - exclusive;  // the inclusive scan is the exclusive one from its second element on
    if (i < n) {
        output[i] = section_s[place(t)];
    }
    if (i + blockDim.x < n) {
        output[i + blockDim.x] = section_s[place(t + blockDim.x)];
    }
    if (gridDim.x > 1 && threadIdx.x == 0) {
        sums[blockIdx.x] = section_s[place(section)];
    }
}

template <class T>
void host_blelloch_padded(Host<T>& host) {
    scan_by_blocks(host, "blelloch_padded", blelloch_padded<T>, {.usual = kMaxBlock / 2, .most_elements = kMaxBlock});
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
