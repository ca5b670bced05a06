// kahan-tree: each thread compensates its sum; pairs of sum and compensation then meet up the tree.
// Source: ours; the loop is that of kahan.cuh, a meeting is D. E. Knuth's exact sum of two numbers (The Art of Computer
// Programming, vol. 2, section 4.2.2, Theorem B), the levels are those of two_launch.cuh.
// Removes: the error's growth with N, on as many threads as there are.
// Remains: four operations an element, twice the shared memory, and eight operations a meeting.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (n,) read only
/// output  (1,) receives the result; of many blocks (2 * gridDim.x,), from each its sum and what that lacks
/// n       elements to add
template <class T>
__global__ void kahan_tree(Global<T> input, Global<T> output, unsigned n) {
    __shared__ Shared<T, kMaxBlock> sum_s;
    __shared__ Shared<T, kMaxBlock, 1> c_s;
    unsigned t = threadIdx.x;
    T sum = identity<T>();
    T c = identity<T>();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        T y = input[i] - c;
        T next = sum + y;
        c = (next - sum) - y;
        sum = next;
    }
    sum_s[t] = sum;
    c_s[t] = c;
    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        step<T>(stride);
        if (t < stride) {
            T other = sum_s[t + stride];
            T next = sum + other;
            T part = next - sum;
            T kept = next - part;
            T of_sum = sum - kept;
            T of_other = part - other;
            T lost = of_sum - of_other;  // sum + other is next + lost, exactly
            c = c - (lost - c_s[t + stride]);
            sum = next;
            sum_s[t] = sum;
            c_s[t] = c;
        }
    }
    if (t == 0 && gridDim.x == 1) {
        *output = sum - c;
    } else if (t == 0) {
        output[2 * blockIdx.x] = sum;
        output[2 * blockIdx.x + 1] = -c;
    }
}

template <class T>
void host_kahan_tree(Host<T>& host) {
    host.needs({.compensates = true});
    host.takes_n({.most_plain = kMostInStrides});
    const unsigned block = host.block({.on_gpu = 256});
    const std::uint64_t blocks =
        std::min(ceil_div(host.n(), 2 * block), host.resident_blocks(kahan_tree<T>, block, 512));
    auto input = host.input(host.n()), output = host.output();
    if (blocks == 1) return host.launch("kahan_tree", kahan_tree<T>, {1, block}, input, output, host.n());
    auto pairs = host.partial("pairs", 2 * blocks);
    host.launch("kahan_tree", kahan_tree<T>, {blocks, block}, input, pairs, host.n());
    host.launch("kahan_tree", kahan_tree<T>, {1, block}, pairs, output, 2 * blocks);
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
