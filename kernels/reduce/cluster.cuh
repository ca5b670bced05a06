// cluster: the sums of the blocks of a cluster meet in shared memory, which these blocks can read of each other.
// Source: CUDA C++ Programming Guide, thread block clusters and distributed shared memory (compute capability 9.0).
// Removes: all but one of a cluster's atomic adds; the tree goes on above the block, and stays on the chip.
// Remains: a barrier of the whole cluster in each of its rounds, and one more so that no block leaves too early.
#pragma once

#include "kernels/host.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// input   (gridDim.x * 2 * blockDim.x,) read only; clusters of 1, 2, 4 or 8 blocks
/// output  (1,) identity before the launch; receives the result
template <class T>
__global__ void cluster(Global<T> input, Global<T> output) {
    __shared__ ClusterShared<T, kMaxBlock> input_s;
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * 2 * blockDim.x + threadIdx.x;
    input_s[t] = input[i] + input[i + blockDim.x];
    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        step<T>(stride);
        if (t < stride) {
            input_s[t] += input_s[t + stride];
        }
    }
    auto cluster = this_cluster<T>();
    unsigned rank = cluster.block_rank();
    for (unsigned stride = cluster.num_blocks() / 2; stride >= 1; stride /= 2) {
        cluster.sync();
        step<T>(stride);
        if (rank < stride && t == 0) {
            input_s[0] += cluster.map_shared_rank(input_s, rank + stride)[0];
        }
    }
    cluster.sync();
    if (rank == 0 && t == 0) {
        atomicAdd(output, input_s[0]);
    }
}

template <class T>
void host_cluster(Host<T>& host) {
    host.needs({.capability = 90});
    host.takes_n({});
    const unsigned block = host.block({});
    const std::uint64_t needed = ceil_div(host.n(), 2 * block);
    const unsigned size = host.cluster(needed, 8);
    const std::uint64_t blocks = round_up(needed, size);
    auto input = host.input(blocks * 2 * block), output = host.output();
    host.clear(output);
    host.launch("cluster", cluster<T>, {blocks, block, size}, input, output);
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
