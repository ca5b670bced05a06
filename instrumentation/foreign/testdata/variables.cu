// Sums of variables of the device, and of memory that the host has, too; A, of the command line, is how many there are.
#include <driver_functions.h>
#include <cstdio>
#include <cstring>

__device__ int values[A], last;
__managed__ int numbers[A];
__managed__ int parts[4], unused = 3;

__global__ void sum() {
    if (threadIdx.x > 0) return;
    int s = 0;
    for (int i = 0; i < A; i++) s += values[i];
    last = s;
}
__global__ void sum_parts(int* in, int* out) {
    __shared__ int s[A / 4];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * (A / 4) + t];
    __syncthreads();
    for (int d = A / 8; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void add_starts(int* in, int* out, int* starts) {
    int t = threadIdx.x, i = blockIdx.x * 16 + t, s = 0;
    for (int k = 0; k < t; ++k) s += in[blockIdx.x * 16 + k];
    out[i] = starts[blockIdx.x] + s;
}
__global__ void find_starts(int* in, int* starts) {
    int s = 0;
    for (int b = 0; b < A / 16; ++b) {
        starts[b] = s;
        for (int k = 0; k < 16; ++k) s += in[b * 16 + k];
    }
}
__global__ void dot(const int* a, const int* b, int* c) {
    int i = threadIdx.x;
    if (a[i] * b[i] < 0) printf("negative\n");
    atomicAdd(c, a[i] * b[i]);
}
__global__ void one(const int* in, int* out, int i) {
    *out += in[i];
}

__global__ void mean(const float* in, float* out, int* count) {  // it only has to compile
    int n = *count;
    atomicAdd(out, in[threadIdx.x] / n);
}
void fill(int* p, int n) {
    for (int i = 0; i < n; ++i) p[i] = i % 7 + 1;
}
int total(const int* p) {
    return p[0] + p[1] + p[2] + p[3] + unused - 3;
}

int main(int argc, char** argv) {
    const auto is = [&](const char* name) { return std::strcmp(argv[1], name) == 0; };
    int host[A], result = 0, *in, *more, *out;
    fill(host, A);
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&more, sizeof host);
    cudaMalloc(&out, sizeof result);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(more, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(out, &result, sizeof result, cudaMemcpyHostToDevice);
    if (is("device")) {
        cudaMemcpyToSymbol(values, host, sizeof host);
        sum<<<1, 32>>>();
        cudaMemcpyFromSymbol(&result, last, sizeof result);
    } else if (is("managed")) {
        fill(numbers, A);
        sum_parts<<<4, A / 4>>>(numbers, parts);
        cudaDeviceSynchronize();
        int* sums = parts;
        result = total(sums);
    } else if (is("freed")) {
        int *seen, *starts, *scanned;
        cudaMallocManaged(&seen, sizeof host);
        cudaMallocManaged(&scanned, sizeof host);
        cudaMallocManaged(&starts, sizeof host / 16);
        fill(seen, A);
        find_starts<<<1, 1>>>(seen, starts);
        add_starts<<<A / 16, 16>>>(seen, scanned, starts);
        cudaDeviceSynchronize();
        result = scanned[A - 1];
        cudaFree(scanned);
    } else if (is("used-twice")) {
        dot<<<1, A>>>(in, more, out);
        cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    } else {
        for (int i = 0; i < 200; ++i) one<<<1, 1>>>(in, out, i % A);
        cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    }
    std::printf("%d\n", result);
}
