// Programs whose results are right, wrong, or nothing that could be either.
#include <cstdio>
#include <cstdlib>
#include <cstring>

template <typename T>
__global__ void block_sum(const T* in, T* out, int first, int end) {
    extern __shared__ unsigned char memory[];
    T* s = reinterpret_cast<T*>(memory);
    int t = threadIdx.x;
    T sum = 0;
    for (int i = first + t; i < end; i += blockDim.x) sum += in[i];
    s[t] = sum;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (t < stride) s[t] += s[t + stride];
        __syncthreads();
    }
    if (t == 0) *out = s[0];
}
__global__ void twice(const int* in, int* out, int n) {
    atomicAdd(out, in[threadIdx.x]);
    if (threadIdx.x == 7) atomicAdd(out, in[threadIdx.x]);
}
__global__ void positive(const int* in, int* out, int n) {
    if (in[threadIdx.x] > 5) atomicAdd(out, in[threadIdx.x]);
}
__global__ void largest(const int* in, int* out, int n) {
    int best = in[0];
    for (int i = 1; i < n; ++i) {
        if (in[i] > best) best = in[i];
    }
    *out = best;
}
__global__ void dot(const int* in, int* out, int n) {
    atomicAdd(out, in[threadIdx.x] * in[threadIdx.x]);
}
__global__ void scan(const int* in, int* out, int n, bool exclusive, bool forget) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    for (int stride = 1; stride < n; stride *= 2) {
        __syncthreads();
        int sum = t >= stride ? s[t] + s[t - stride] : s[t];
        __syncthreads();
        if (!forget || stride != 4) s[t] = sum;
    }
    __syncthreads();
    out[t] = !exclusive ? s[t] : t > 0 ? s[t - 1] : 0;
}
template <class T>
__device__ T warp_sum(T x) {
    for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffffu, x, d);
    return x;
}
template <class T>
__device__ T strided_sum(const T* in, int n) {
    T sum = 0;
    for (int i = threadIdx.x; i < n; i += 32) sum += in[i];
    return sum;
}
__global__ void generic(const int* in, int* out, int n) {
    int mine = strided_sum(in, n);
    int sum = warp_sum(mine);
    if (threadIdx.x == 0) *out = sum;
}
__global__ void in_place(int* data, int n) {
    for (int stride = n / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) data[threadIdx.x] += data[threadIdx.x + stride];
        __syncthreads();
    }
}

__global__ void copy(const int* in, int* out) {
    out[threadIdx.x] = in[threadIdx.x];
}

/// Makes its numbers itself.
__global__ void series(int* out) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = 2 * t + 1;
    __syncthreads();
    for (int d = 16; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) *out = s[0];
}

__global__ void each_alone(const int* in, int* out) {
    int i = threadIdx.x, sum = in[i];
    for (int k = 0; k < i; ++k) sum += in[i];
    out[i] = sum;
}
int main(int argc, char** argv) {
    const int n = 64;
    auto is = [&](const char* name) { return argc > 1 && strcmp(argv[1], name) == 0; };
    int host[n], results[n] = {}, *in, *out;
    for (int i = 0; i < n; ++i) host[i] = is("lucky") ? 1 : (i * 37 + 11) % 19;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, is("inclusive") || is("exclusive") || is("bad-scan") || is("part") || is("tail-of-parts") ||
                             is("copy") || is("lucky")
                         ? sizeof(host)
                         : sizeof(int));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof(int));
    int copied = 1;
    if (is("sum")) block_sum<<<1, 32, 32 * sizeof(int)>>>(in, out, 0, n);
    if (is("tail")) block_sum<<<1, 32, 32 * sizeof(int)>>>(in, out, 0, n - 3);
    for (int i = 0; is("tail-of-parts") && i < 2; ++i, copied = i)
        block_sum<<<1, 32, 32 * sizeof(int)>>>(in, out + i, 24 * i, 24 * i + 24);
    if (is("head")) block_sum<<<1, 32, 32 * sizeof(int)>>>(in, out, 2, n);
    if (is("twice")) twice<<<1, n>>>(in, out, n);
    if (is("positive")) positive<<<1, n>>>(in, out, n);
    if (is("generic")) generic<<<1, 32>>>(in, out, n);
    if (is("largest")) largest<<<1, 1>>>(in, out, n);
    if (is("series")) series<<<1, 32>>>(out);
    if (is("dot")) dot<<<1, n>>>(in, out, n);
    if (is("inclusive")) scan<<<1, n>>>(in, out, n, false, false), copied = n;
    if (is("exclusive")) scan<<<1, n>>>(in, out, n, true, false), copied = n;
    if (is("part")) scan<<<1, n>>>(in, out, n, false, false), copied = n - 24;
    if (is("copy")) copy<<<1, n>>>(in, out), copied = n;
    if (is("lucky")) each_alone<<<1, n>>>(in, out), copied = n;
    if (is("bad-scan")) scan<<<1, n>>>(in, out, n, false, true), copied = n;
    if (is("in-place")) in_place<<<1, n / 2>>>(in, n), out = in;
    for (int i = 0; is("again") && i < 5; ++i) block_sum<<<1, 32, 32 * sizeof(int)>>>(in, out, 0, n);
    cudaMemcpy(results, out, copied * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", results[copied - 1]);
}
