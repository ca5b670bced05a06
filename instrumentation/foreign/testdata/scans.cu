// Scans of the catalog, typed in plain CUDA: their rows have to be the catalog's, phases and strides too.
//   scans KERNEL N BLOCK
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

const int kMost = 1024;

__global__ void hillis_steele(float* input, float* output, float* sums, unsigned n) {
    __shared__ float buffers[2 * kMost];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t, in = blockDim.x, out = 0;
    buffers[out + t] = i < n ? input[i] : 0;
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        in = out;
        out = blockDim.x - in;
        __syncthreads();
        if (t >= stride) {
            buffers[out + t] = buffers[in + t - stride] + buffers[in + t];
        } else {
            buffers[out + t] = buffers[in + t];
        }
    }
    if (i < n) {
        output[i] = buffers[out + t];
    }
    if (gridDim.x > 1 && t == blockDim.x - 1) {
        sums[blockIdx.x] = buffers[out + t];
    }
}

__global__ void kogge_stone(float* input, float* output, float* sums, unsigned n) {
    __shared__ float section[kMost];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    section[t] = i < n ? input[i] : 0;
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        float sum = 0;
        if (t >= stride) {
            sum = section[t - stride] + section[t];
        }
        __syncthreads();
        if (t >= stride) {
            section[t] = sum;
        }
    }
    if (i < n) {
        output[i] = section[t];
    }
    if (gridDim.x > 1 && t == blockDim.x - 1) {
        sums[blockIdx.x] = section[t];
    }
}

__global__ void brent_kung(float* input, float* output, float* sums, unsigned n) {
    __shared__ float section_s[kMost];
    unsigned t = threadIdx.x, section = 2 * blockDim.x, i = blockIdx.x * section + t;
    section_s[t] = i < n ? input[i] : 0;
    section_s[t + blockDim.x] = i + blockDim.x < n ? input[i + blockDim.x] : 0;
    for (unsigned stride = 1; stride < section; stride *= 2) {
        __syncthreads();
        unsigned k = 2 * stride * (t + 1) - 1;
        if (k < section) {
            section_s[k] = section_s[k - stride] + section_s[k];
        }
    }
    for (unsigned stride = section / 4; stride > 0; stride /= 2) {
        __syncthreads();
        unsigned k = 2 * stride * (t + 1) - 1;
        if (k + stride < section) {
            section_s[k + stride] = section_s[k] + section_s[k + stride];
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

__global__ void blelloch(float* input, float* output, float* sums, unsigned n) {
    __shared__ float section_s[kMost + 1];
    unsigned t = threadIdx.x, section = 2 * blockDim.x, i = blockIdx.x * section + t;
    section_s[t] = i < n ? input[i] : 0;
    section_s[t + blockDim.x] = i + blockDim.x < n ? input[i + blockDim.x] : 0;
    for (unsigned stride = 1; stride < section; stride *= 2) {
        __syncthreads();
        unsigned k = 2 * stride * (t + 1) - 1;
        if (k < section) {
            section_s[k] = section_s[k - stride] + section_s[k];
        }
    }
    if (t == 0) {
        section_s[section] = section_s[section - 1];
        section_s[section - 1] = 0;
    }
    for (unsigned stride = blockDim.x; stride > 0; stride /= 2) {
        __syncthreads();
        unsigned k = 2 * stride * (t + 1) - 1;
        if (k < section) {
            float left = section_s[k - stride];
            section_s[k - stride] = section_s[k];
            section_s[k] += left;
        }
    }
    __syncthreads();
    t += 1;
    if (i < n) {
        output[i] = section_s[t];
    }
    if (i + blockDim.x < n) {
        output[i + blockDim.x] = section_s[t + blockDim.x];
    }
    if (gridDim.x > 1 && threadIdx.x == 0) {
        sums[blockIdx.x] = section_s[section];
    }
}

__global__ void add_sums(float* output, float* sums, unsigned section, unsigned n) {
    unsigned i = section + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        output[i] = sums[i / section - 1] + output[i];
    }
}

void scan(const char* kernel, float* input, float* output, unsigned n, unsigned block) {
    unsigned section = strcmp(kernel, "hillis-steele") && strcmp(kernel, "kogge-stone") ? 2 * block : block;
    unsigned blocks = (n + section - 1) / section;
    float* sums = output;
    if (blocks > 1) cudaMalloc(&sums, blocks * sizeof(float));
    if (!strcmp(kernel, "hillis-steele")) hillis_steele<<<blocks, block>>>(input, output, sums, n);
    if (!strcmp(kernel, "kogge-stone")) kogge_stone<<<blocks, block>>>(input, output, sums, n);
    if (!strcmp(kernel, "brent-kung")) brent_kung<<<blocks, block>>>(input, output, sums, n);
    if (!strcmp(kernel, "blelloch")) blelloch<<<blocks, block>>>(input, output, sums, n);
    if (blocks == 1) return;
    scan(kernel, sums, sums, blocks, block);
    add_sums<<<(n - section + block - 1) / block, block>>>(output, sums, section, n);
}

int main(int argc, char** argv) {
    if (argc < 4) return 2;
    unsigned n = atoi(argv[2]), block = atoi(argv[3]);
    std::vector<float> values(n), results(n);
    for (unsigned i = 0; i < n; ++i) values[i] = i;
    float *input, *output;
    cudaMalloc(&input, n * sizeof(float));
    cudaMalloc(&output, n * sizeof(float));
    cudaMemcpy(input, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    scan(argv[1], input, output, n, block);
    cudaMemcpy(results.data(), output, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%s of %u: %g\n", argv[1], n, results[n - 1]);
    return 0;
}
