// What CUDA's libraries do for a program, one a name.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <cstdio>
#include <cstring>
#include <cub/cub.cuh>

constexpr int kN = 256;

template <int Block>
__global__ void block_sum(const float* in, float* out) {
    using Reduce = cub::BlockReduce<float, Block>;
    __shared__ typename Reduce::TempStorage temp;
    float sum = Reduce(temp).Sum(in[blockIdx.x * Block + threadIdx.x]);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
struct Larger {
    __device__ float operator()(float& a, float& b) { return a > b ? a : b; }
};
__global__ void own_max(const float* in, float* out) {
    using Reduce = cub::BlockReduce<float, kN>;
    __shared__ Reduce::TempStorage temp;
    float most = Reduce(temp).Reduce(in[threadIdx.x], Larger());
    if (threadIdx.x == 0) *out = most;
}
__global__ void warp_max(const float* in, float* out) {
    using Reduce = cub::WarpReduce<float>;
    __shared__ Reduce::TempStorage temp[kN / 32];
    int warp = threadIdx.x / 32;
    float most = Reduce(temp[warp]).Reduce(in[threadIdx.x], cub::Max());
    if (threadIdx.x % 32 == 0) out[warp] = most;
}
__global__ void block_scan(const float* in, float* out) {
    using Scan = cub::BlockScan<float, kN>;
    __shared__ Scan::TempStorage temp;
    float sum;
    Scan(temp).ExclusiveSum(in[threadIdx.x], sum);
    out[threadIdx.x] = sum;
}

__global__ void half_sum(const __half* in, float* out) {
    __shared__ float s[kN];
    s[threadIdx.x] = __half2float(in[threadIdx.x]);
    __syncthreads();
    for (int d = kN / 2; d > 0; d /= 2) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = s[0];
}
__global__ void bfloat_sum(const __nv_bfloat16* in, float* out) {
    float sum = 0;
    for (int i = 0; i < kN; ++i) sum += __bfloat162float(in[i]);
    *out = sum;
}

int main(int, char** argv) {
    auto is = [&](const char* name) { return strcmp(argv[1], name) == 0; };
    thrust::host_vector<float> host(kN);
    for (int i = 0; i < kN; ++i) host[i] = 1 + i % 9;
    thrust::device_vector<float> in = host, out(kN);
    float *from = thrust::raw_pointer_cast(in.data()), *to = thrust::raw_pointer_cast(out.data());
    float results[kN] = {};
    auto back = [&](int count) { cudaMemcpy(results, to, 4 * count, cudaMemcpyDeviceToHost); };
    if (is("thrust-sum")) results[0] = thrust::reduce(in.begin(), in.end(), 0.0f, thrust::plus<float>());
    if (is("thrust-max")) results[0] = thrust::reduce(in.begin(), in.end(), -1.0f, thrust::maximum<float>());
    if (is("thrust-scan")) {
        thrust::inclusive_scan(in.begin(), in.end(), out.begin());
        host = out;
        results[0] = host[kN - 1];
    }
    if (is("cub-block")) block_sum<64><<<kN / 64, 64>>>(from, to), back(kN / 64);
    if (is("checked-by-thrust")) {
        block_sum<64><<<kN / 64, 64>>>(from, to), back(kN / 64);
        printf("%g\n", thrust::reduce(in.begin(), in.end(), 0.0f));
    }
    if (is("cub-own")) own_max<<<1, kN>>>(thrust::raw_pointer_cast(in.data()), to), back(1);
    if (is("cub-warp")) warp_max<<<1, kN>>>(thrust::raw_pointer_cast(in.data()), to), back(kN / 32);
    if (is("cub-scan")) block_scan<<<1, kN>>>(from, to), back(kN);
    if (is("cub-device")) {
        void* temp = nullptr;
        size_t bytes = 0;
        cub::DeviceReduce::Sum(temp, bytes, from, to, kN);
        cudaMalloc(&temp, bytes);
        cub::DeviceReduce::Sum(temp, bytes, from, to, kN);
        back(1);
    }
    if (is("half") || is("bfloat")) {
        __half halves[kN], *half_in;
        __nv_bfloat16 bfloats[kN];
        for (int i = 0; i < kN; ++i) halves[i] = __float2half(host[i]), bfloats[i] = __float2bfloat16(host[i]);
        cudaMalloc(&half_in, sizeof(halves));
        cudaMemcpy(half_in, is("half") ? (void*)halves : (void*)bfloats, sizeof(halves), cudaMemcpyHostToDevice);
        if (is("half")) half_sum<<<1, kN>>>(half_in, to);
        if (is("bfloat")) bfloat_sum<<<1, 1>>>((__nv_bfloat16*)half_in, to);
        back(1);
    }
    printf("%g\n", results[0]);
}
