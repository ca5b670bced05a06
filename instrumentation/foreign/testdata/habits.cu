// Habits of programs in the wild, one a name: what is copied back, where arrays stand, how a result begins.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cfloat>
#include <cstdio>
#include <cstring>
#include <utility>

namespace cg = cooperative_groups;
constexpr int kN = 256, kBlock = 64, kBlocks = kN / kBlock;

__shared__ int outside[kBlock];
__shared__ bool last;
__device__ unsigned arrived;

__device__ void halve(int t) {
    for (int s = kBlock / 2; s > 0; s /= 2) {
        __syncthreads();
        if (t < s) outside[t] += outside[t + s];
    }
}
__global__ void block_sums(const int* in, int* out) {
    outside[threadIdx.x] = in[blockIdx.x * kBlock + threadIdx.x];
    halve(threadIdx.x);
    if (threadIdx.x == 0) out[blockIdx.x] = outside[0];
}
__global__ void last_block(const int* in, int* out) {
    outside[threadIdx.x] = in[blockIdx.x * kBlock + threadIdx.x];
    halve(threadIdx.x);
    if (threadIdx.x == 0) {
        out[blockIdx.x] = outside[0];
        __threadfence();
        last = atomicInc(&arrived, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0)
        for (int i = 1; i < gridDim.x; ++i) out[0] += out[i];
}
__device__ int tile_sum(int (*tile)[kBlock], int row) {
    int sum = 0;
    for (int i = 0; i < kBlock; ++i) sum += tile[row][i];
    return sum;
}
__global__ void rows(const int* in, int* out) {
    __shared__ int tile[kBlocks][kBlock];
    for (int row = 0; row < kBlocks; ++row) tile[row][threadIdx.x] = in[row * kBlock + threadIdx.x];
    __syncthreads();
    if (threadIdx.x < kBlocks) out[threadIdx.x] = tile_sum(tile, threadIdx.x);
}
template <class Op>
__global__ void tiles(const int* in, int* out, Op op) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int value = in[threadIdx.x];
    value = cg::reduce(tile, value, op);
    if (tile.thread_rank() == 0) out[threadIdx.x / 32] = value;
}
__global__ void scan_step(const int* from, int* to, int d) {
    int i = threadIdx.x;
    to[i] = i >= d ? from[i] + from[i - d] : from[i];
}
__global__ void exclusive(const int* in, int* out, int count) {
    int sum = 0;
    for (int i = 0; i < count; ++i) {
        out[i] = sum;
        if (i + 1 < count) sum += in[i];
    }
}
__global__ void largest(const int* in, int* out, int from) {
    __shared__ int s[kN];
    int t = threadIdx.x, most = from;
    most = in[t] > most ? in[t] : most;
    s[t] = most;
    __syncthreads();
    for (int d = kN / 2; d > 0; d /= 2) {
        if (t < d && s[t + d] > s[t]) s[t] = s[t + d];
        __syncthreads();
    }
    if (t == 0) *out = s[0];
}
__device__ void atomic_largest(float* at, float value) {
    int *as_int = (int*)at, old = *as_int, assumed;
    do {
        assumed = old;
        old = ::atomicCAS(as_int, assumed, __float_as_int(::fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
}
__global__ void largest_float(const float* in, float* out) {
    atomic_largest(out, in[threadIdx.x]);
}
__global__ void where(const int* in, int* most, int* at) {
    int best = in[0], index = 0;
    for (int i = 1; i < kN; ++i)
        if (in[i] > best) {
            best = in[i];
            index = i;
        }
    *most = best;
    *at = index;
}
__global__ void mean(const float* in, float* out) {
    float sum = 0;
    for (int i = 0; i < kN; ++i) sum += in[i];
    *out = sum / kN;
}
template <class T, class U>
__global__ void wide(const T* in, U* out) {
    __shared__ U s[kN];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int d = kN / 2; d > 0; d /= 2) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd((unsigned long long*)out, (unsigned long long)s[0]);
}
__global__ void wide_floats(const float* in, double* out) {
    double sum = 0;
    for (int i = 0; i < kN; ++i) sum += in[i];
    *out = sum;
}
__global__ void whole_grid(const int* in, int* parts, int* out) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * kBlock + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) parts[blockIdx.x] = sum;
    cg::this_grid().sync();
    if (cg::this_grid().thread_rank() == 0) {
        int all = 0;
        for (int i = 0; i < gridDim.x; ++i) all += parts[i];
        *out = all;
    }
}
__global__ void fill(int* out) {
    out[threadIdx.x] = threadIdx.x * 7 % 50;
}
__global__ void dot(const int* a, const int* b, int* out) {
    atomicAdd(out, a[threadIdx.x] * b[threadIdx.x]);
}

__global__ void dot_parts(const int* a, const int* b, int* out) {
    __shared__ int s[kBlock];
    int t = threadIdx.x, i = blockIdx.x * kBlock + t;
    s[t] = a[i] * b[i];
    for (int d = kBlock / 2; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) s[t] += s[t + d];
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void multiply(const int* a, const int* b, int* c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] * b[i];
}
__global__ void dot_with_one_twice(const int* a, const int* b, int* out) {
    atomicAdd(out, a[threadIdx.x] * b[threadIdx.x]);
    if (threadIdx.x == 3) atomicAdd(out, a[threadIdx.x] * b[threadIdx.x]);
}

__global__ void sweep_up(int* all, int stride) {
    int i = threadIdx.x;
    if ((i + 1) % stride == 0) all[i] += all[i - stride / 2];
}
__global__ void clear_last(int* all) {
    if (threadIdx.x == kN - 1) all[kN - 1] = 0;
}
__global__ void sweep_down(int* all, int stride) {
    int i = threadIdx.x;
    if ((i + 1) % stride != 0) return;
    int left = all[i];
    all[i] += all[i - stride / 2];
    all[i - stride / 2] = left;
}
__global__ void pair_sums(const int* in, int* out) {
    __shared__ int s[kBlock];
    int t = threadIdx.x;
    s[t] = in[2 * blockIdx.x * kBlock + t] + in[(2 * blockIdx.x + 1) * kBlock + t];
    for (int d = kBlock / 2; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) s[t] += s[t + d];
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void scan_blocks(int* all, int* sums) {
    __shared__ int s[kBlock];
    int t = threadIdx.x, i = blockIdx.x * kBlock + t;
    s[t] = all[i];
    for (int d = 1; d < kBlock; d *= 2) {
        __syncthreads();
        int before = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += before;
    }
    all[i] = s[t];
    if (t == kBlock - 1) sums[blockIdx.x] = s[t];
}
__global__ void add_sums(int* all, const int* sums) {
    if (blockIdx.x > 0) all[blockIdx.x * kBlock + threadIdx.x] += sums[blockIdx.x - 1];
}
int main(int, char** argv) {
    auto is = [&](const char* name) { return strcmp(argv[1], name) == 0; };
    int host[kN], result[kN + 1] = {}, *in, *out, *more;
    float reals[kN], *real_in, *real_out;
    for (int i = 0; i < kN; ++i) reals[i] = host[i] = -1 - i % 50;
    auto up = [](auto*& to, auto& from) {
        cudaMalloc(&to, sizeof(from));
        cudaMemcpy(to, from, sizeof(from), cudaMemcpyHostToDevice);
    };
    up(in, host), up(out, result), up(more, result), up(real_in, reals), up(real_out, reals);
    long long* total;
    cudaMalloc(&total, 8);
    cudaMemset(total, 0, 8);
    auto back = [&](const void* from, int count) { cudaMemcpy(result, from, 4 * count, cudaMemcpyDeviceToHost); };
    if (is("slice") || is("all-of-scan")) {
        for (int d = 1; d < kN; d *= 2, std::swap(out, more)) scan_step<<<1, kN>>>(d == 1 ? in : out, more, d);
        is("slice") ? back(out + kN - 1, 1) : back(out, kN);
    }
    if (is("managed")) {
        int *seen_in, *seen_out;
        cudaMallocManaged(&seen_in, sizeof(host));
        cudaMallocManaged(&seen_out, sizeof(host));
        memcpy(seen_in, host, sizeof(host));
        block_sums<<<kBlocks, kBlock>>>(seen_in, seen_out);
        cudaDeviceSynchronize();
        for (int i = 0; i < kBlocks; ++i) result[0] += seen_out[i];
        cudaFree(seen_in);
        cudaFree(seen_out);
    }
    if (is("outside")) block_sums<<<kBlocks, kBlock>>>(in, out), back(out, kBlocks);
    if (is("last-block")) last_block<<<kBlocks, kBlock>>>(in, out), back(out, 1);
    if (is("pointer-to-rows")) rows<<<1, kBlock>>>(in, out), back(out, kBlocks);
    if (is("group-sum")) tiles<<<1, kN>>>(in, out, cg::plus<int>()), back(out, kN / 32);
    if (is("group-max")) tiles<<<1, kN>>>(in, out, cg::greater<int>()), back(out, kN / 32);
    if (is("device-copy")) {
        block_sums<<<kBlocks, kBlock>>>(in, out);
        cudaMemcpy(more, out, 4 * kBlocks, cudaMemcpyDeviceToDevice);
        exclusive<<<1, 1>>>(more, out, kBlocks + 1);
        back(out + kBlocks, 1);
    }
    if (is("exclusive")) exclusive<<<1, 1>>>(in, out, kN), back(out, kN);
    if (is("one-more")) exclusive<<<1, 1>>>(in, out, kN + 1), back(out, kN + 1);
    if (is("from-least")) largest<<<1, kN>>>(in, out, -1000000), back(out, 1);
    if (is("from-zero")) largest<<<1, kN>>>(in, out, 0), back(out, 1);
    if (is("by-compare-and-swap")) largest_float<<<1, kN>>>(real_in, real_out), back(real_out, 1);
    if (is("where")) where<<<1, 1>>>(in, out, more), back(out, 1), back(more, 1);
    if (is("mean")) mean<<<1, 1>>>(real_in, real_out), back(real_out, 1);
    if (is("wide")) wide<<<1, kN>>>(in, total), back(total, 2);
    if (is("wide-floats")) wide_floats<<<1, 1>>>(real_in, (double*)total), back(total, 2);
    if (is("dot")) cudaMemset(out, 0, 4), dot<<<1, kN>>>(in, more, out), back(out, 1);
    if (is("scan-by-launches") || is("scan-by-launches-and-memset")) {
        for (int stride = 2; stride <= kN; stride *= 2) sweep_up<<<1, kN>>>(in, stride);
        if (is("scan-by-launches"))
            clear_last<<<1, kN>>>(in);
        else
            cudaMemset(in + kN - 1, 0, sizeof(int));
        for (int stride = kN; stride >= 2; stride /= 2) sweep_down<<<1, kN>>>(in, stride);
        back(in, kN);
    }
    if (is("parts-of-before")) {
        block_sums<<<kBlocks, kBlock>>>(in, out);
        pair_sums<<<kBlocks / 2, kBlock>>>(in, out), back(out, kBlocks);
    }
    if (is("tail-lost")) {
        block_sums<<<kBlocks - 1, kBlock>>>(in, out);
        block_sums<<<1, kBlock>>>(out, out), back(out, kBlocks);
    }
    const bool dots = is("dot-parts") || is("dot-with-one-twice") || is("products-first");
    if (dots) cudaMemcpy(more, host + 1, sizeof(host) - sizeof(int), cudaMemcpyHostToDevice);
    if (is("dot-parts")) dot_parts<<<kBlocks, kBlock>>>(in, more, out), back(out, kBlocks);
    if (is("squares")) dot_parts<<<kBlocks, kBlock>>>(in, in, out), back(out, kBlocks);
    if (is("dot-with-one-twice")) cudaMemset(out, 0, 4), dot_with_one_twice<<<1, kN>>>(in, more, out), back(out, 1);
    if (is("products-first")) {
        int* products;
        cudaMalloc(&products, kN * sizeof(int));
        multiply<<<kBlocks, kBlock>>>(in, more, products);
        block_sums<<<kBlocks, kBlock>>>(products, out), back(out, kBlocks);
    }
    if (is("grid-sync")) {
        void* arguments[] = {&in, &more, &out};
        cudaLaunchCooperativeKernel((void*)whole_grid, kBlocks, kBlock, arguments);
        back(out, 1);
    }
    if (is("host-between")) {
        int sums[kBlocks];
        scan_blocks<<<kBlocks, kBlock>>>(in, out);
        cudaMemcpy(sums, out, sizeof(sums), cudaMemcpyDeviceToHost);
        for (int i = 1; i < kBlocks; ++i) sums[i] += sums[i - 1];
        cudaMemcpy(out, sums, sizeof(sums), cudaMemcpyHostToDevice);
        add_sums<<<kBlocks, kBlock>>>(in, out);
        back(in, kN);
    }
    if (is("filled-by-a-kernel")) {
        fill<<<1, kN>>>(in);
        block_sums<<<kBlocks, kBlock>>>(in, out);
        back(out, kBlocks);
    }
    if (is("streams") || is("filled-anew")) {
        int* pinned;
        cudaMallocHost(&pinned, 4 * kBlocks);
        cudaMemset(in, 0, sizeof(host));
        for (int i = 0; i < kBlocks; ++i) {
            int at = is("streams") ? i * kBlock : 0;
            cudaMemcpyAsync(in + at, host + i * kBlock, 4 * kBlock, cudaMemcpyHostToDevice);
            block_sums<<<1, kBlock>>>(in + at, out + i);
            cudaMemcpyAsync(pinned + i, out + i, 4, cudaMemcpyDeviceToHost);
        }
        cudaDeviceSynchronize();
        result[0] = pinned[0];
    }
    printf("%d\n", result[0]);
}
