// More habits of programs in the wild, one a name: templates that call templates, spellings, what is left on the way.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;
constexpr int kN = 256;

template <class T>
__device__ __forceinline__ T warp_sum(unsigned mask, T sum) {
    for (int d = warpSize / 2; d > 0; d /= 2) sum += __shfl_down_sync(mask, sum, d);
    return sum;
}
template <class T>
__device__ T twice(T x) {
    return x + x;
}
template <>
__device__ int twice<int>(int x) {
    return 2 * x;
}
template <class T, int kBlock>
__global__ void by_warps(const T* __restrict__ in, T* __restrict__ out, int count) {
    extern T __shared__ warps[];
    int t = threadIdx.x;
    T sum = 0;
    for (int i = blockIdx.x * kBlock + t; i < count; i += kBlock * gridDim.x) sum += in[i];
    sum = warp_sum<T>(~0u, sum);
    if (t % warpSize == 0) warps[t / warpSize] = sum;
    __syncthreads();
    if (kBlock > 32 && t < kBlock / 32) sum = warp_sum<T>((1u << kBlock / 32) - 1, warps[t]);
    if (t == 0) out[blockIdx.x] = sum;
}
__global__ void by_all(const int* in, int* out) {
    __shared__ int sum;
    sum = 0;
    __syncthreads();
    for (int i = 0; i < 2; ++i) atomicAdd(&sum, in[threadIdx.x * 2 + i]);
    __syncthreads();
    *out = sum;
}
__global__ void in_place(int* data) {
    for (int d = blockDim.x; d > 0; d /= 2) {
        if (threadIdx.x < d) data[threadIdx.x] += data[threadIdx.x + d];
        __syncthreads();
    }
}
__global__ void wide_tiles(const int* in, int* out) {
    __shared__ cg::block_tile_memory<kN> scratch;
    auto tile = cg::tiled_partition<128>(cg::this_thread_block(scratch));
    int sum = cg::reduce(tile, in[threadIdx.x], cg::plus<int>());
    if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = sum;
}
__global__ void locked(const int* in, int* out, int* lock) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x > 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *out += sum;
    atomicExch(lock, 0);
}
__global__ void fills(int* out) {
    out[threadIdx.x] = 7;
}
__global__ void copies(int* from, int* to) {
    to[threadIdx.x] = from[threadIdx.x];
}
// Two sums a turn, with what is only handed on between them
__global__ void handed_on(int* data) {
    int t = threadIdx.x;
    __shared__ int s[8];
    s[t] = data[t];
    __syncthreads();
    if (t < 4) {
        s[t] += s[t + 4];
        int first = s[t];
        s[t + 4] = first;
        s[t] += s[t + 4];
    }
    __syncthreads();
    if (t < 4) {
        int kept = s[t];
        s[t] = s[t + 4];
        s[t + 4] += kept;
    }
    __syncthreads();
    data[t] = s[t];
}
__global__ void float_parts(const float* in, float* out) {
    __shared__ float s[64];
    int t = threadIdx.x % blockDim.x, lane = threadIdx.x % warpSize;
    s[t] = in[blockIdx.x * 64 + threadIdx.x];
    for (int d = 32; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) s[t] += s[t + d];
    }
    if (t == 0 && lane == 0) out[blockIdx.x] = s[0];
}
__global__ void mean_square(const float* in, float* out) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t] * in[t];
    for (int d = 32; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) s[t] += s[t + d];
    }
    if (t == 0) *out = s[0] / 64;
}

/// What a thousand floats come to, by the host's own kernel or another.
int floats(bool parts) {
    constexpr int kMany = 4096;
    static float host[kMany];
    float *in, *out, sum = 0, want = 0;
    for (int i = 0; i < kMany; ++i) host[i] = parts ? (i * 7919 % 4093) / 4093.0f : i < 32 ? 1 : -1;
    cudaMalloc(&in, sizeof host), cudaMalloc(&out, 256);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    if (parts) float_parts<<<64, 64>>>(in, out);
    if (!parts) mean_square<<<1, 64>>>(in, out);
    for (float x : host) want += x;
    cudaMemcpy(host, out, parts ? 256 : 4, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; ++i) sum += host[i];
    return abs(sum - want) > 1e-2;
}

/// Sums within a loop and after it, some of which lanes that are not there would have a part in.
__device__ int sum_of_lanes(int x) {
    for (int d = 16; d > 0; d /= 2) x += __shfl_down(x, d);
    return x;
}
__device__ int sum_of_block(int x) {
    static __shared__ int s[32];
    x = sum_of_lanes(x);
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = x;
    __syncthreads();
    x = threadIdx.x < blockDim.x / 32 ? s[threadIdx.x] : 0;
    if (threadIdx.x < 32) x = sum_of_lanes(x);
    return x;
}
__global__ void sums_in_a_loop(const int* in, int* out, int n) {
    int sum = 0;
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
        int own = in[i] + in[i + 1];
        sum += own;
        for (int j = 0; j < 2; ++j) {
            int part = sum_of_block(-2 * own);
            if (threadIdx.x == 0) atomicAdd(&out[j + 1], part);
        }
    }
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) atomicAdd(out, sum);
}
/// Ten lines in which lanes have to be in step, and a race between warps in a cell of one of them.
__global__ void many_lines(const int* in, int* out) {
    __shared__ int s[10][64];
    int t = threadIdx.x;
    for (int k = 0; k < 10; ++k) s[k][t] = in[t];
    __syncthreads();
    if (t < 31) s[0][t] += s[0][t + 1];
    if (t < 31) s[1][t] += s[1][t + 1];
    if (t < 31) s[2][t] += s[2][t + 1];
    if (t < 31) s[3][t] += s[3][t + 1];
    if (t < 31) s[4][t] += s[4][t + 1];
    if (t < 31) s[5][t] += s[5][t + 1];
    if (t < 31) s[6][t] += s[6][t + 1];
    if (t < 31) s[7][t] += s[7][t + 1];
    if (t < 31) s[8][t] += s[8][t + 1];
    if (t < 31) s[9][t] += s[9][t + 1];
    if (t == 60) s[0][5] += 1;
    __syncthreads();
    if (t == 0) *out = s[0][0];
}
__global__ void into_the_end(int* all) {
    atomicAdd(&all[kN - 1], all[blockIdx.x * blockDim.x + threadIdx.x]);
}
__global__ void twice_by_chance(const int* in, int* out) {
    atomicAdd(out, in[blockIdx.x * blockIdx.x * 2 + threadIdx.x]);
}

int main(int, char** argv) {
    auto is = [&](const char* name) { return strcmp(argv[1], name) == 0; };
    if (is("float-parts") || is("mean-square")) return floats(is("float-parts"));
    int host[kN], result[kN] = {}, *in, *out, *lock;
    for (int i = 0; i < kN; ++i) host[i] = i % 50 + 1;
    cudaMalloc(&in, sizeof host), cudaMalloc(&out, sizeof host), cudaMalloc(&lock, 4);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof host), cudaMemset(lock, 0, 4);
    auto back = [&](const void* from, int count) { cudaMemcpy(result, from, 4 * count, cudaMemcpyDeviceToHost); };
    if (is("templates")) by_warps<int, 32><<<2, 32, 4>>>(in, out, kN), back(out, 2);
    if (is("absent-lanes")) by_warps<int, 64><<<1, 64, 8>>>(in, out, kN), back(out, 1);
    if (is("set-by-all")) by_all<<<1, kN / 2>>>(in, out), back(out, 1);
    if (is("in-place")) in_place<<<1, kN / 2>>>(in), back(in, kN);
    if (is("sums-in-a-loop")) sums_in_a_loop<<<2, 64>>>(in, out, 70), back(out, 1);
    if (is("many-lines")) many_lines<<<1, 64>>>(in, out), back(out, 1);
    if (is("into-the-end")) {
        cudaMemset(in + kN - 1, 0, 4);
        into_the_end<<<kN / 32 - 1, 32>>>(in), back(in + kN - 1, 1);
    }
    if (is("twice-by-chance")) {
        for (int& one : host) one = 1;
        cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
        twice_by_chance<<<4, kN / 4>>>(in, out), back(out, 1);
    }
    if (is("wide-tiles")) wide_tiles<<<1, kN>>>(in, out), back(out, 2);
    if (is("locked")) locked<<<4, kN / 4>>>(in, out, lock), back(out, 1);
    if (is("pinned")) {
        int* pinned;
        cudaMallocHost(&pinned, 8);
        by_warps<int, 32><<<2, 32, 4>>>(in, out, kN);
        cudaMemcpy(pinned, out, 8, cudaMemcpyDeviceToHost);
        result[0] = pinned[0];
    }
    if (is("only-copied")) {
        fills<<<1, kN>>>(in);
        cudaMemcpy(out, in, sizeof host, cudaMemcpyDeviceToDevice), back(out, kN);
    }
    if (is("never-back")) by_warps<int, 32><<<2, 32, 4>>>(in, out, kN);
    if (is("handed-on")) handed_on<<<1, 8>>>(in), back(in, 8);
    if (is("many-arrays")) {
        int* large;
        for (int i = 0; i < 8; ++i) cudaMalloc(&large, 140 << 20), cudaFree(large);
        cudaMalloc(&large, sizeof host);
        cudaMemcpy(large, host, sizeof host, cudaMemcpyHostToDevice);
        by_warps<int, 32><<<2, 32, 4>>>(large, out, kN), back(out, 2);
    }
    if (is("many-copies")) {
        int *large, *other;
        constexpr int kLarge = 1 << 13;
        cudaMalloc(&large, 4 * kLarge), cudaMalloc(&other, 4 * kLarge);
        for (int i = 0; i < kLarge; i += kN) copies<<<1, kN>>>(in, large + i);
        for (int i = 0; i < 6; ++i)
            cudaMemcpy(i % 2 ? large : other, i % 2 ? other : large, 4 * kLarge, cudaMemcpyDeviceToDevice);
        by_warps<int, 32><<<2, 32, 4>>>(large, out, kLarge), back(out, 2);
    }
    printf("%d\n", result[0]);
}
