// large.cu N TIMES [MOANS | chain | prefixes | back], or N 0 LOST: more than all rows are kept of, and the same launch
// again and again, as programs have it that measure time.
#include <cstdio>
#include <cstdlib>
#include <vector>

/// In thread 0.
template <class T>
__device__ T sum_of_block(const T* in) {
    __shared__ T s[256];
    unsigned t = threadIdx.x, i = blockIdx.x * 512 + t;
    s[t] = in[i] + in[i + 256];
    __syncthreads();
    for (unsigned d = 128; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    return s[t];
}

__global__ void block_sums(const float* in, float* out) {
    float sum = sum_of_block(in);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

/// lost  a block whose sum does not get into the result
__global__ void total(const int* in, int* out, unsigned lost) {
    int sum = sum_of_block(in);
    if (threadIdx.x == 0 && blockIdx.x != lost) atomicAdd(out, sum);
}

__global__ void doubled(const float* in, float* out) {
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[i] + in[i];
}

__global__ void prefixes(const float* in, float* out) {
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (unsigned j = 0; j <= i; ++j) sum += in[j];
    out[i] = sum;
}
__global__ void raise(float* all, unsigned by) {
    all[0] += all[by];
}

// The last of each block's elements becomes their sum, where they stand.
__global__ void last_is_sum(float* all) {
    __shared__ float s[256];
    unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = all[i];
    for (unsigned d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) s[t] += s[t + d];
    }
    if (t == 0) all[blockIdx.x * 256 + 255] = s[0];
}
int main(int argc, char** argv) {
    unsigned n = atoi(argv[1]), times = atoi(argv[2]), blocks = n / 512;
    std::vector<float> host(n, 1.0f), sums(blocks);
    float *in, *out, sum = 0;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, blocks * sizeof(float));
    if (argc == 4 && times == 0) {
        std::vector<int> whole(n);
        for (unsigned i = 0; i < n; ++i) whole[i] = 1 + i % 7;
        int *from, *to, result = 0;
        cudaMalloc(&from, n * sizeof(int));
        cudaMalloc(&to, sizeof(int));
        cudaMemset(to, 0, sizeof(int));
        cudaMemcpy(from, whole.data(), n * sizeof(int), cudaMemcpyHostToDevice);
        total<<<blocks, 256>>>(from, to, atoi(argv[3]));
        cudaMemcpy(&result, to, sizeof(int), cudaMemcpyDeviceToHost);
        return 0;
    }
    if (times == 0) {  // no sum at all
        host[7] = 0;
        cudaMalloc(&out, n * sizeof(float));
        cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
        doubled<<<n / 256, 256>>>(in, out);
        cudaMemcpy(host.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
        return 0;
    }
    if (argc == 4 && argv[3][0] == 'p') {
        cudaMalloc(&out, n * sizeof(float));
        cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
        prefixes<<<n / 256, 256>>>(in, out);
        cudaMemcpy(host.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
        return 0;
    }
    if (argc == 4 && argv[3][0] == 'b') {
        cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
        for (unsigned i = 0; i < times; ++i) last_is_sum<<<n / 256, 256>>>(in);
        cudaMemcpy(host.data(), in, n * sizeof(float), cudaMemcpyDeviceToHost);
        return 0;
    }
    if (argc == 4 && argv[3][0] == 'c') {
        cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
        for (unsigned i = 1; i <= times; ++i) raise<<<1, 1>>>(in, i);
        cudaMemcpy(&sum, in, sizeof(float), cudaMemcpyDeviceToHost);
        printf("%.0f\n", sum);
        return 0;
    }
    for (unsigned i = 0; i < times; ++i) {
        cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
        cudaMemset(out, 0, blocks * sizeof(float));
        block_sums<<<blocks, 256>>>(in, out);
    }
    while (cudaDeviceSynchronize() != cudaSuccess)
        if (argc < 4 || puts("it failed") < 0) return 1;
    cudaMemcpy(sums.data(), out, blocks * sizeof(float), cudaMemcpyDeviceToHost);
    for (float one : sums) sum += one;
    printf("%.0f\n", sum);
}
