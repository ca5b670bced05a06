// Harris's kernels written by hand: part of plain.cu, which says what for.
#pragma once

constexpr unsigned kMaxBlock = 1024;

__global__ void harris_1(float* input, float* output) {
    __shared__ float sdata[kMaxBlock];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[t] = input[i];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (t % (2 * s) == 0) {
            sdata[t] += sdata[t + s];
        }
        __syncthreads();
    }
    if (t == 0) {
        output[blockIdx.x] = sdata[0];
    }
}

__global__ void harris_2(float* input, float* output) {
    __shared__ float sdata[kMaxBlock];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[t] = input[i];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        unsigned index = 2 * s * t;
        if (index < blockDim.x) {
            sdata[index] += sdata[index + s];
        }
        __syncthreads();
    }
    if (t == 0) {
        output[blockIdx.x] = sdata[0];
    }
}

__global__ void harris_3(float* input, float* output) {
    __shared__ float sdata[kMaxBlock];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[t] = input[i];
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

__global__ void harris_4(float* input, float* output) {
    __shared__ float sdata[kMaxBlock];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    sdata[t] = input[i] + input[i + blockDim.x];
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

__global__ void harris_5(float* input, float* output) {
    __shared__ float sdata[kMaxBlock];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    sdata[t] = input[i] + input[i + blockDim.x];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 32; s /= 2) {
        if (t < s) {
            sdata[t] += sdata[t + s];
        }
        __syncthreads();
    }
    if (t < 32) {
        float sum = sdata[t] + sdata[t + 32];
        sdata[t] = sum;
        __syncwarp();
        sum += sdata[t + 16];
        __syncwarp();
        sdata[t] = sum;
        __syncwarp();
        sum += sdata[t + 8];
        __syncwarp();
        sdata[t] = sum;
        __syncwarp();
        sum += sdata[t + 4];
        __syncwarp();
        sdata[t] = sum;
        __syncwarp();
        sum += sdata[t + 2];
        __syncwarp();
        sdata[t] = sum;
        __syncwarp();
        sum += sdata[t + 1];
        __syncwarp();
        sdata[t] = sum;
    }
    if (t == 0) {
        output[blockIdx.x] = sdata[0];
    }
}

template <unsigned B>
__global__ void harris_6(float* input, float* output) {
    __shared__ float sdata[B];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * (B * 2) + threadIdx.x;
    sdata[t] = input[i] + input[i + B];
    __syncthreads();
    if (B >= 1024) {
        if (t < 512) sdata[t] += sdata[t + 512];
        __syncthreads();
    }
    if (B >= 512) {
        if (t < 256) sdata[t] += sdata[t + 256];
        __syncthreads();
    }
    if (B >= 256) {
        if (t < 128) sdata[t] += sdata[t + 128];
        __syncthreads();
    }
    if (B >= 128) {
        if (t < 64) sdata[t] += sdata[t + 64];
        __syncthreads();
    }
    if (t < 32) {
        float sum = sdata[t] + sdata[t + 32];
        sdata[t] = sum;
        __syncwarp();
        sum += sdata[t + 16];
        __syncwarp();
        sdata[t] = sum;
        __syncwarp();
        sum += sdata[t + 8];
        __syncwarp();
        sdata[t] = sum;
        __syncwarp();
        sum += sdata[t + 4];
        __syncwarp();
        sdata[t] = sum;
        __syncwarp();
        sum += sdata[t + 2];
        __syncwarp();
        sdata[t] = sum;
        __syncwarp();
        sum += sdata[t + 1];
        __syncwarp();
        sdata[t] = sum;
    }
    if (t == 0) {
        output[blockIdx.x] = sdata[0];
    }
}

template <unsigned B>
__global__ void harris_7(float* input, float* output, unsigned n) {
    __shared__ float sdata[B];
    unsigned t = threadIdx.x;
    long long i = blockIdx.x * (B * 2) + threadIdx.x;
    float sum = 0;
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
    while (i < n) {
        sum += input[i] + input[i + B];
        i += B * 2 * gridDim.x;
    }
    sdata[t] = sum;
    __syncthreads();
    if (B >= 1024) {
        if (t < 512) sdata[t] += sdata[t + 512];
        __syncthreads();
    }
    if (B >= 512) {
        if (t < 256) sdata[t] += sdata[t + 256];
        __syncthreads();
    }
    if (B >= 256) {
        if (t < 128) sdata[t] += sdata[t + 128];
        __syncthreads();
    }
    if (B >= 128) {
        if (t < 64) sdata[t] += sdata[t + 64];
        __syncthreads();
    }
    if (t < 32) {
        sum = sdata[t] + sdata[t + 32];
        sdata[t] = sum;
        __syncwarp();
        sum += sdata[t + 16];
        __syncwarp();
        sdata[t] = sum;
        __syncwarp();
        sum += sdata[t + 8];
        __syncwarp();
        sdata[t] = sum;
        __syncwarp();
        sum += sdata[t + 4];
        __syncwarp();
        sdata[t] = sum;
        __syncwarp();
        sum += sdata[t + 2];
        __syncwarp();
        sdata[t] = sum;
        __syncwarp();
        sum += sdata[t + 1];
        __syncwarp();
        sdata[t] = sum;
    }
    if (t == 0) {
        output[blockIdx.x] = sdata[0];
    }
}

template __global__ void harris_6<1024>(float*, float*);
template __global__ void harris_7<1024>(float*, float*, unsigned);
