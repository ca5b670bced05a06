// Sums of 16 bytes at a time written by hand: part of plain.cu, which says what for.
#pragma once

__device__ float total(float4 v) {
    float sum = v.x;
    sum += v.y;
    sum += v.z;
    sum += v.w;
    return sum;
}

__global__ void vectorized(float* input, float* output, unsigned n) {
    __shared__ float warp_sums[32];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned stride = gridDim.x * blockDim.x;
    unsigned packs = n / 4;
    float sum = 0;
    unsigned p = i;
    for (; p + 3 * stride < packs; p += 4 * stride) {
        float4 a = reinterpret_cast<float4*>(input)[p];
        float4 b = reinterpret_cast<float4*>(input)[p + stride];
        float4 c = reinterpret_cast<float4*>(input)[p + 2 * stride];
        float4 d = reinterpret_cast<float4*>(input)[p + 3 * stride];
        sum += total(a);
        sum += total(b);
        sum += total(c);
        sum += total(d);
    }
    for (; p < packs; p += stride) {
        float4 a = reinterpret_cast<float4*>(input)[p];
        sum += total(a);
    }
    unsigned tail = packs * 4 + i;
    for (; tail < n; tail += stride) {
        sum += input[tail];
    }
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

__global__ void by_turns(float* input, float* output, float* next, unsigned n) {
    __shared__ float warp_sums[32];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned stride = gridDim.x * blockDim.x;
    if (i == 0) {
        next[0] = 0;
    }
    unsigned packs = n / 4;
    float sum = 0;
    unsigned p = i;
    for (; p + 3 * stride < packs; p += 4 * stride) {
        float4 a = reinterpret_cast<float4*>(input)[p];
        float4 b = reinterpret_cast<float4*>(input)[p + stride];
        float4 c = reinterpret_cast<float4*>(input)[p + 2 * stride];
        float4 d = reinterpret_cast<float4*>(input)[p + 3 * stride];
        sum += total(a);
        sum += total(b);
        sum += total(c);
        sum += total(d);
    }
    for (; p < packs; p += stride) {
        float4 a = reinterpret_cast<float4*>(input)[p];
        sum += total(a);
    }
    unsigned tail = packs * 4 + i;
    for (; tail < n; tail += stride) {
        sum += input[tail];
    }
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

__global__ void single_pass(float* input, float* output, float* block_sums, unsigned* tickets, unsigned n) {
    __shared__ float warp_sums[32];
    unsigned t = threadIdx.x;
    auto block_sum = [&](float sum) {
        for (unsigned offset = 16; offset > 0; offset /= 2) {
            sum += __shfl_down_sync(0xffffffff, sum, offset);
        }
        if (t % 32 == 0) {
            warp_sums[t / 32] = sum;
        }
        __syncthreads();
        sum = t < blockDim.x / 32 ? warp_sums[t] : 0;
        for (unsigned offset = 16; offset > 0; offset /= 2) {
            if (t < 32) {
                sum += __shfl_down_sync(0xffffffff, sum, offset);
            }
        }
        return sum;
    };
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned stride = gridDim.x * blockDim.x;
    unsigned packs = n / 4;
    float sum = 0;
    unsigned p = i;
    for (; p + 3 * stride < packs; p += 4 * stride) {
        float4 a = reinterpret_cast<float4*>(input)[p];
        float4 b = reinterpret_cast<float4*>(input)[p + stride];
        float4 c = reinterpret_cast<float4*>(input)[p + 2 * stride];
        float4 d = reinterpret_cast<float4*>(input)[p + 3 * stride];
        sum += total(a);
        sum += total(b);
        sum += total(c);
        sum += total(d);
    }
    for (; p < packs; p += stride) {
        float4 a = reinterpret_cast<float4*>(input)[p];
        sum += total(a);
    }
    unsigned tail = packs * 4 + i;
    for (; tail < n; tail += stride) {
        sum += input[tail];
    }
    sum = block_sum(sum);
    bool last = false;
    if (t == 0) {
        block_sums[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
    }
    if (__syncthreads_or(last)) {
        sum = 0;
        for (unsigned k = t; k < gridDim.x; k += blockDim.x) {
            sum += block_sums[k];
        }
        sum = block_sum(sum);
        if (t == 0) {
            output[0] = sum;
        }
    }
}
