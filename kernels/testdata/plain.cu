// Kernels written by hand, as a reader would type them in: what the templates without recording have to
// compile to, instruction for instruction. Compared by ../ptx_test.py; not part of the program.

#include <cooperative_groups.h>

#include "kernels/testdata/plain_accuracy.cuh"
#include "kernels/testdata/plain_harris.cuh"
#include "kernels/testdata/plain_look_back.cuh"
#include "kernels/testdata/plain_scan.cuh"
#include "kernels/testdata/plain_vectorized.cuh"

__global__ void sequential(float* input, float* output, unsigned n) {
    float sum = 0;
    for (unsigned i = 0; i < n; ++i) {
        sum += input[i];
    }
    *output = sum;
}

__global__ void ideal_tree(float* input, float* output, unsigned n) {
    for (unsigned stride = 1; stride < n; stride *= 2) {
        unsigned i = 2 * stride * threadIdx.x;
        if (i + stride < n) {
            input[i] += input[i + stride];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        *output = input[0];
    }
}

__global__ void pmpp_simple(float* input, float* output) {
    unsigned i = 2 * threadIdx.x;
    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
        if (threadIdx.x % stride == 0) {
            input[i] += input[i + stride];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        *output = input[0];
    }
}

__global__ void pmpp_convergent(float* input, float* output) {
    unsigned i = threadIdx.x;
    for (unsigned stride = blockDim.x; stride >= 1; stride /= 2) {
        if (threadIdx.x < stride) {
            input[i] += input[i + stride];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        *output = input[0];
    }
}

__global__ void tournament(float* team, float* champion, unsigned teams) {
    for (unsigned apart = 1; apart < teams; apart *= 2) {
        for (unsigned i = 2 * apart * threadIdx.x; i + apart < teams; i += 2 * apart * blockDim.x) {
            team[i] += team[i + apart];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        *champion = team[0];
    }
}

__global__ void pmpp_shared(float* input, float* output) {
    __shared__ float input_s[kMaxBlock];
    unsigned t = threadIdx.x;
    input_s[t] = input[t] + input[t + blockDim.x];
    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        if (t < stride) {
            input_s[t] += input_s[t + stride];
        }
    }
    if (t == 0) {
        *output = input_s[0];
    }
}

__global__ void pmpp_segmented(float* input, float* output) {
    __shared__ float input_s[kMaxBlock];
    unsigned segment = 2 * blockDim.x * blockIdx.x;
    unsigned i = segment + threadIdx.x;
    unsigned t = threadIdx.x;
    input_s[t] = input[i] + input[i + blockDim.x];
    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        if (t < stride) {
            input_s[t] += input_s[t + stride];
        }
    }
    if (t == 0) {
        atomicAdd(output, input_s[0]);
    }
}

__global__ void gather(float* input, unsigned* index, float* output) {
    __shared__ float input_s[kMaxBlock];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    input_s[t] = input[index[i]];
    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        if (t < stride) {
            input_s[t] += input_s[t + stride];
        }
    }
    if (t == 0) {
        atomicAdd(output, input_s[0]);
    }
}

__global__ void pmpp_coarsened(float* input, float* output, unsigned coarsen) {
    __shared__ float input_s[kMaxBlock];
    unsigned segment = coarsen * 2 * blockDim.x * blockIdx.x;
    unsigned i = segment + threadIdx.x;
    unsigned t = threadIdx.x;
    float sum = input[i];
    for (unsigned tile = 1; tile < coarsen * 2; ++tile) {
        sum += input[i + tile * blockDim.x];
    }
    input_s[t] = sum;
    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        if (t < stride) {
            input_s[t] += input_s[t + stride];
        }
    }
    if (t == 0) {
        atomicAdd(output, input_s[0]);
    }
}

__global__ void global_halving(float* input, float* output) {
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s) {
            input[i] += input[i + s];
        }
        __syncthreads();
    }
    if (t == 0) {
        output[blockIdx.x] = input[i];
    }
}

__global__ void shuffle_atomic(float* input, float* output) {
    __shared__ float sdata[kMaxBlock];
    unsigned t = threadIdx.x;
    sdata[t] = input[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s >= 32; s /= 2) {
        if (t < s) {
            sdata[t] += sdata[t + s];
        }
        __syncthreads();
    }
    float sum = sdata[t];
    if (t < 32) {
        for (unsigned offset = 16; offset > 0; offset /= 2) {
            sum += __shfl_down_sync(0xffffffff, sum, offset);
        }
    }
    if (t == 0) {
        atomicAdd(output, sum);
    }
}

__global__ void two_stage_shuffle(float* input, float* output) {
    __shared__ float warp_sums[32];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * 2 * blockDim.x + threadIdx.x;
    float sum = input[i] + input[i + blockDim.x];
    for (unsigned offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (t % 32 == 0) {
        warp_sums[t / 32] = sum;
    }
    __syncthreads();
    if (t < 32) {
        sum = t < blockDim.x / 32 ? warp_sums[t] : 0;
        for (unsigned offset = 16; offset > 0; offset /= 2) {
            sum += __shfl_down_sync(0xffffffff, sum, offset);
        }
    }
    if (t == 0) {
        atomicAdd(output, sum);
    }
}

__global__ void two_launch(float* input, float* output, unsigned n) {
    __shared__ float sdata[kMaxBlock];
    unsigned t = threadIdx.x;
    float sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        sum += input[i];
    }
    sdata[t] = sum;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s) {
            sdata[t] += sdata[t + s];
        }
        __syncthreads();
    }
    if (t == 0) {
        output[blockIdx.x] = sdata[0];
    }
}

__global__ void last_block(float* input, float* output, float* block_sums, unsigned* tickets) {
    __shared__ float sdata[kMaxBlock];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * 2 * blockDim.x + threadIdx.x;
    sdata[t] = input[i] + input[i + blockDim.x];
    for (unsigned s = blockDim.x / 2; s >= 1; s /= 2) {
        __syncthreads();
        if (t < s) {
            sdata[t] += sdata[t + s];
        }
    }
    bool last = false;
    if (t == 0) {
        block_sums[blockIdx.x] = sdata[0];
        __threadfence();
        last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
    }
    if (__syncthreads_or(last)) {
        float sum = 0;
        for (unsigned k = t; k < gridDim.x; k += blockDim.x) {
            sum += block_sums[k];
        }
        sdata[t] = sum;
        for (unsigned s = blockDim.x / 2; s >= 1; s /= 2) {
            __syncthreads();
            if (t < s) {
                sdata[t] += sdata[t + s];
            }
        }
        if (t == 0) {
            output[0] = sdata[0];
        }
    }
}

#if __CUDA_ARCH__ >= 800
__global__ void warp_reduce(int* input, int* output) {
    __shared__ int warp_sums[32];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * 2 * blockDim.x + threadIdx.x;
    int sum = input[i] + input[i + blockDim.x];
    sum = __reduce_add_sync(0xffffffff, sum);
    if (t % 32 == 0) {
        warp_sums[t / 32] = sum;
    }
    __syncthreads();
    if (t < 32) {
        sum = t < blockDim.x / 32 ? warp_sums[t] : 0;
        sum = __reduce_add_sync(0xffffffff, sum);
    }
    if (t == 0) {
        atomicAdd(output, sum);
    }
}
#endif

#if __CUDA_ARCH__ >= 900
__global__ void cluster(float* input, float* output) {
    __shared__ float input_s[kMaxBlock];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * 2 * blockDim.x + threadIdx.x;
    input_s[t] = input[i] + input[i + blockDim.x];
    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        if (t < stride) {
            input_s[t] += input_s[t + stride];
        }
    }
    auto cluster = cooperative_groups::this_cluster();
    unsigned rank = cluster.block_rank();
    for (unsigned stride = cluster.num_blocks() / 2; stride >= 1; stride /= 2) {
        cluster.sync();
        if (rank < stride && t == 0) {
            input_s[0] += cluster.map_shared_rank(input_s, rank + stride)[0];
        }
    }
    cluster.sync();
    if (rank == 0 && t == 0) {
        atomicAdd(output, input_s[0]);
    }
}
#endif
