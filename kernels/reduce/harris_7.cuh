// harris-7: each thread adds many elements in a grid-stride loop, then the unrolled tree runs.
// Source: M. Harris, Optimizing Parallel Reduction in CUDA, kernel 7. Changed as harris_6.cuh is; and where a GPU can,
// the blocks of a later level start as those of the level before end, and wait for them: 2 us less on an H200.
// Removes: most of the trees: fewer blocks, each with more to add.
// Remains: nothing but the memory's bandwidth, on the machine it was written for.
#pragma once

#include "kernels/levels.cuh"

namespace warptree::kernels::inline WARPTREE_BACKEND {

/// B       = blockDim.x, 2 * warpSize .. 1024
/// input   (n,) read only; the identity from there to the next multiple of 2 * B
/// output  (gridDim.x,) receives each block's result
/// n       elements to add
template <class T, unsigned B>
__global__ void harris_7(Global<T> input, Global<T> output, unsigned n) {
    __shared__ Shared<T, B> sdata;
    unsigned t = threadIdx.x;
    long long i = blockIdx.x * (B * 2) + threadIdx.x;  // signed: the loop is unrolled
    T sum = identity<T>();
    cudaGridDependencySynchronize();
    while (i < n) {
        sum += input[i] + input[i + B];
        i += B * 2 * gridDim.x;
    }
    sdata[t] = sum;
    __syncthreads();
    if (B >= 1024) {
        step<T>(512);
        if (t < 512) sdata[t] += sdata[t + 512];
        __syncthreads();
    }
    if (B >= 512) {
        step<T>(256);
        if (t < 256) sdata[t] += sdata[t + 256];
        __syncthreads();
    }
    if (B >= 256) {
        step<T>(128);
        if (t < 128) sdata[t] += sdata[t + 128];
        __syncthreads();
    }
    if (B >= 128) {
        step<T>(64);
        if (t < 64) sdata[t] += sdata[t + 64];
        __syncthreads();
    }
    if (B >= 64 && warpSize < 32) {
        step<T>(32);
        if (t < 32) sdata[t] += sdata[t + 32];
        __syncthreads();
    }
    if (B >= 32 && warpSize < 16) {
        step<T>(16);
        if (t < 16) sdata[t] += sdata[t + 16];
        __syncthreads();
    }
    if (B >= 16 && warpSize < 8) {
        step<T>(8);
        if (t < 8) sdata[t] += sdata[t + 8];
        __syncthreads();
    }
    if (t < warpSize) {
        step<T>(warpSize);
        sum = sdata[t] + sdata[t + warpSize];
        sdata[t] = sum;
        __syncwarp();
        if (warpSize >= 32) {
            step<T>(16);
            sum += sdata[t + 16];
            __syncwarp();
            sdata[t] = sum;
            __syncwarp();
        }
        if (warpSize >= 16) {
            step<T>(8);
            sum += sdata[t + 8];
            __syncwarp();
            sdata[t] = sum;
            __syncwarp();
        }
        if (warpSize >= 8) {
            step<T>(4);
            sum += sdata[t + 4];
            __syncwarp();
            sdata[t] = sum;
            __syncwarp();
        }
        step<T>(2);
        sum += sdata[t + 2];
        __syncwarp();
        sdata[t] = sum;
        __syncwarp();
        step<T>(1);
        sum += sdata[t + 1];
        __syncwarp();
        sdata[t] = sum;
    }
    if (t == 0) {
        output[blockIdx.x] = sdata[0];
    }
}

template <class T>
void host_harris_7(Host<T>& host) {
    host.takes_n({.most_plain = kMostInStrides});
    const auto launch = [&](auto blocks, unsigned block, auto input, auto sums, auto n) {
        with_constant(block, [&]<unsigned B>() {
            const bool early = n != host.n();  // the first level waits for all that was before
            host.launch("harris_7", harris_7<T, B>, {.blocks = blocks, .threads = block, .early = early}, input, sums,
                        n);
        });
    };
    const auto most_blocks = [&](std::uint64_t n, unsigned block) {
        std::uint64_t most = 1;  // that take what the first level left
        with_constant(block, [&]<unsigned B>() {
            if (n == host.n()) most = host.resident_blocks(harris_7<T, B>, B);
        });
        return most;
    };
    reduce_by_levels(host, {.least = 2 * host.warp_size(), .on_gpu = 512}, launch, most_blocks);
}

}  // namespace warptree::kernels::inline WARPTREE_BACKEND
