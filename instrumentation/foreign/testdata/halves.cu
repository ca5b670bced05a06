// Sums of numbers of 16 bits as programs write them, one a name.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int kN = 512, kBlock = 128;

/// lost  each block's last addend
__global__ void tree(const __half* in, __half* out, int lost) {
    extern __shared__ __half s[];
    const int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d >>= 1) {
        if (t < d - (d == 1 ? lost : 0)) s[t] = __hadd(s[t], s[t + d]);
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
__device__ half2 warp_sum(half2 v) {
    for (int o = 16; o > 0; o >>= 1) v = __hadd2(v, __shfl_down_sync(0xffffffff, v, o));
    return v;
}
__global__ void by_warp(const half2* in, half* out) {
    const half2 v = warp_sum(in[blockIdx.x * 32 + threadIdx.x]);
    if (threadIdx.x == 0) out[blockIdx.x] = __hadd(__low2half(v), __high2half(v));
}
__global__ void largest(const half* in, half* out) {
    __shared__ half s[kBlock];
    const int t = threadIdx.x;
    s[t] = __hmax(in[t], in[t + 2 * kBlock]);
    s[t] = __hmax(s[t], __hmax(in[t + kBlock], in[t + 3 * kBlock]));
    __syncthreads();
    for (int d = kBlock / 2; d > 0; d /= 2) {
        if (t < d && s[t + d] > s[t]) s[t] = s[t + d];
        __syncthreads();
    }
    if (t < 4) out[t] = s[0];
}
__global__ void all_at_once(const half* in, half* out) {
    half mine = 0.0f;
    for (int i = threadIdx.x; i < kN; i += blockDim.x) mine += in[i];
    atomicAdd(out, mine);
}
template <class Result>
__global__ void in_float(const __nv_bfloat16* in, Result* out) {
    float sum = 0.0f;
    for (int i = threadIdx.x; i < kBlock; i += 32) sum += __bfloat162float(in[blockIdx.x * kBlock + i]);
    for (int o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, o);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
__global__ void rounded(const half* in, float* out) {
    half sum = in[0];
    for (int i = 1; i < kN; ++i) sum = sum + in[i];
    *out = __half2float(sum);
}
__global__ void scan(const half* in, half* out) {
    __shared__ half s[2][kN];
    const int t = threadIdx.x;
    int from = 0;
    s[0][t] = in[t];
    __syncthreads();
    for (int d = 1; d < kN; d *= 2, from = 1 - from) {
        s[1 - from][t] = t < d ? s[from][t] : s[from][t] + s[from][t - d];
        __syncthreads();
    }
    out[t] = s[from][t];
}
/// What 0.1 and 70000 and what is below 0 become, each way.
__global__ void each_way(const float* in, half* out) {
    const int t = threadIdx.x;
    out[t] = __float2half_rz(in[t]), out[4 + t] = __float2half_rd(in[t]), out[8 + t] = __float2half_ru(in[t]);
    out[12 + t] = __float2half(static_cast<float>(__half2int_rd(out[t]) + 10 * __half2int_rz(out[t])));
}

int main(int, char** argv) {
    auto is = [&](const char* name) { return strcmp(argv[1], name) == 0; };
    const bool brain = is("in-float") || is("to-float");
    std::vector<__half> host(kN);
    std::vector<__nv_bfloat16> brains(kN);
    for (int i = 0; i < kN; ++i) host[i] = __float2half(0.1f * (i % 13)), brains[i] = __float2bfloat16(0.1f * (i % 13));
    void *in, *out;
    cudaMalloc(&in, kN * sizeof(half));
    cudaMalloc(&out, kN * sizeof(half));
    cudaMemset(out, 0, kN * sizeof(half));
    cudaMemcpy(in, brain ? (void*)brains.data() : host.data(), kN * sizeof(half), cudaMemcpyHostToDevice);
    const half* from = (const half*)in;
    half* to = (half*)out;
    int results = 4;
    if (is("tree")) tree<<<4, kBlock, kBlock * sizeof(half)>>>(from, to, 0);
    if (is("lost")) tree<<<1, kN, kN * sizeof(half)>>>(from, to, results = 1);
    if (is("warp")) by_warp<<<8, 32>>>((const half2*)in, to), results = 8;
    if (is("max")) largest<<<1, kBlock>>>(from, to);
    if (is("atomic")) all_at_once<<<1, 64>>>(from, to), results = 1;
    if (is("in-float")) in_float<<<4, 32>>>((const __nv_bfloat16*)in, (__nv_bfloat16*)out);
    if (is("to-float")) in_float<<<4, 32>>>((const __nv_bfloat16*)in, (float*)out), results = 8;
    if (is("rounded")) rounded<<<1, 1>>>(from, (float*)out), results = 2;
    if (is("scan")) scan<<<1, kN>>>(from, to), results = kN;
    if (is("ways")) {
        const float numbers[4] = {0.1f, 70000.0f, -0.1f, -1e-9f};
        cudaMemcpy(in, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
        each_way<<<1, 4>>>((const float*)in, to);
        cudaMemcpy(host.data(), out, 16 * sizeof(half), cudaMemcpyDeviceToHost);
        for (int i = 0; i < 16; ++i) printf("%.6g ", __half2float(host[i]));
        const half a = __float2half(3), b = __float2half(0.5f);
        const half2 both = __hmul2_rn(__hsub2_rn(__halves2half2(a, b), __halves2half2(b, b)),
                                      __hadd2_rn(make_half2(3.0f, a), __half2half2(b)));
        const float low = __low2float(both);
        printf("%g %g ", low, __half2float(__hmul_rn(__hadd_rn(a, b), __hsub_rn(a, b))));
    }
    cudaMemcpy(host.data(), out, results * sizeof(half), cudaMemcpyDeviceToHost);
    printf("%g\n", __half2float(host[0]));
}
