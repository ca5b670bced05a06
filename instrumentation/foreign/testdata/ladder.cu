// Kernels of the catalog as a reader types them in, launched as a reader would: what a recording of this program has to
// have in common with the catalog's.
//
//   ladder KERNEL N BLOCK
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "kernels/testdata/plain_harris.cuh"

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

#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(1);                                                                       \
        }                                                                                  \
    } while (0)

void harris(int kernel, unsigned blocks, unsigned block, float* from, float* to, unsigned n) {
    if (kernel == 1) harris_1<<<blocks, block>>>(from, to);
    if (kernel == 2) harris_2<<<blocks, block>>>(from, to);
    if (kernel == 3) harris_3<<<blocks, block>>>(from, to);
    if (kernel == 4) harris_4<<<blocks, block>>>(from, to);
    if (kernel == 5) harris_5<<<blocks, block>>>(from, to);
    if (kernel == 6 && block == 64) harris_6<64><<<blocks, block>>>(from, to);
    if (kernel == 6 && block == 128) harris_6<128><<<blocks, block>>>(from, to);
    if (kernel == 7 && block == 64) harris_7<64><<<blocks, block>>>(from, to, n);
    if (kernel == 7 && block == 128) harris_7<128><<<blocks, block>>>(from, to, n);
}

/// The last levels need fewer threads.
unsigned block_for(unsigned n, unsigned per_thread, unsigned least, unsigned most) {
    unsigned block = least;
    while (block * per_thread < n && block < most) block *= 2;
    return block;
}

int main(int argc, char** argv) {
    if (argc < 4) return 2;
    const char* kernel = argv[1];
    unsigned n = atoi(argv[2]), block = atoi(argv[3]);
    float* values = (float*)malloc(n * sizeof(float));
    for (unsigned i = 0; i < n; ++i) values[i] = i;
    float *input, *output, result = 0;
    CHECK(cudaMalloc(&input, n * sizeof(float)));
    CHECK(cudaMemcpy(input, values, n * sizeof(float), cudaMemcpyHostToDevice));
    if (strncmp(kernel, "harris-", 7) == 0) {
        int which = kernel[7] - '0';
        unsigned per_thread = which >= 4 ? 2 : 1, least = which >= 5 ? 64 : 1;
        output = input;
        for (unsigned left = n; left > 1;) {
            unsigned threads = block_for(left, per_thread, least, block), each = per_thread * threads;
            unsigned blocks = (left + each - 1) / each;
            unsigned next = per_thread * block_for(blocks, per_thread, least, block);
            unsigned room = blocks == 1 ? 1 : (blocks + next - 1) / next * next;  // what the next launch reads
            float* sums;
            CHECK(cudaMalloc(&sums, room * sizeof(float)));
            CHECK(cudaMemset(sums, 0, room * sizeof(float)));
            harris(which, blocks, threads, output, sums, left);
            CHECK(cudaGetLastError());
            output = sums;
            left = blocks;
        }
    } else {
        CHECK(cudaMalloc(&output, sizeof(float)));
        CHECK(cudaMemset(output, 0, sizeof(float)));
        if (strcmp(kernel, "pmpp-simple") == 0) pmpp_simple<<<1, block>>>(input, output);
        if (strcmp(kernel, "pmpp-convergent") == 0) pmpp_convergent<<<1, block>>>(input, output);
        if (strcmp(kernel, "pmpp-shared") == 0) pmpp_shared<<<1, block>>>(input, output);
        if (strcmp(kernel, "pmpp-segmented") == 0) pmpp_segmented<<<n / (2 * block), block>>>(input, output);
        if (strcmp(kernel, "pmpp-coarsened") == 0) pmpp_coarsened<<<n / (4 * block), block>>>(input, output, 2);
        if (strcmp(kernel, "shuffle-atomic") == 0) shuffle_atomic<<<n / block, block>>>(input, output);
        if (strcmp(kernel, "two-stage-shuffle") == 0) two_stage_shuffle<<<n / (2 * block), block>>>(input, output);
        CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaMemcpy(&result, output, sizeof(float), cudaMemcpyDeviceToHost));
    printf("%s of %u: %g\n", kernel, n, result);
    CHECK(cudaFree(input));
    free(values);
    return 0;
}
