// Reductions whose operator is a functor's: of a template, of whole numbers, of host and device, in a scan.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>

template <typename T>
struct Plus {
    __device__ T operator()(T a, T b) const { return a + b; }
};
template <typename T>
struct Max {
    __host__ __device__ T operator()(const T& a, const T& b) const { return a > b ? a : b; }
};
struct Add {
    __host__ __device__ int operator()(int a, int b) const { return a + b; }
};
struct Next {
    __device__ int operator()(int i) const { return i + 1; }
};

template <typename T, class Op>
__device__ T warp_reduce(T v, Op op) {
    for (int d = 16; d > 0; d /= 2) v = op(v, __shfl_down_sync(0xffffffff, v, d));
    return v;
}

template <typename T, class Op>
__global__ void reduce(const T* in, T* out, int n, Op op) {
    __shared__ T s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int stride = n / 2; stride >= 32; stride /= 2) {
        if (t < stride) s[t] = op(s[t], s[t + stride]);
        __syncthreads();
    }
    if (t < 32) {
        T v = warp_reduce(s[t], op);
        if (t == 0) *out = v;
    }
}

template <typename T, class Op>
__global__ void scan(const T* in, T* out, int n, Op op) {
    Next next;
    T sum = in[0];
    out[0] = sum;
    for (int i = next(0); i < n; i = next(i)) out[i] = sum = op(sum, in[i]);
}

int main(int argc, char** argv) {
    const int n = 64;
    auto is = [&](const char* name) { return argc > 1 && strcmp(argv[1], name) == 0; };
    float host[n], results[n] = {}, *in, *out;
    int whole[n], result = 0, *whole_in, *whole_out;
    for (int i = 0; i < n; ++i) host[i] = static_cast<float>(whole[i] = (i * 37 + 11) % 19);
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMalloc(&whole_in, sizeof(whole));
    cudaMalloc(&whole_out, sizeof(int));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    cudaMemcpy(whole_in, whole, sizeof(whole), cudaMemcpyHostToDevice);
    if (is("sum")) reduce<<<1, n>>>(in, out, n, Plus<float>());
    if (is("max")) reduce<<<1, n>>>(in, out, n, Max<float>());
    if (is("scan")) scan<<<1, 1>>>(in, out, n, Plus<float>());
    if (is("whole")) {
        reduce<<<1, n>>>(whole_in, whole_out, n, Add());
        cudaMemcpy(&result, whole_out, sizeof(int), cudaMemcpyDeviceToHost);
        int sum = 0;
        for (int i = 0; i < n; ++i) sum = Add()(sum, whole[i]);
        printf("%d, on the host %d; %d; %g\n", result, sum, Add()(1, 2), Max<float>()(2, 3));
        return 0;
    }
    cudaMemcpy(results, out, is("scan") ? sizeof(host) : sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g\n", results[0]);
}
