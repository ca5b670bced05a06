// Kernels that are called through pointers, in as many ways as programs have; each prints what it gave.
#include <cstdio>

constexpr int kN = 256;
using Elements = int*;
typedef void (*Kernel)(const int*, int*, int);

__global__ void sum(const int* in, int* out, int) {
    __shared__ int s[kN];
    int t = threadIdx.x;
    s[t] = in[t];
    for (int d = kN / 2; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) s[t] += s[t + d];
    }
    if (t == 0) *out = s[0];
}
template <class T>
__global__ void largest(const T* in, T* out, T from) {
    T most = from;
    for (int i = 0; i < kN; ++i) most = max(most, in[i]);
    *out = most;
}
__global__ void both(const int* in, Elements out) {
    __shared__ struct {
        float half;
        int whole;
    } kept;
    if (threadIdx.x == 0) kept.half = in[0] / 2.0f, kept.whole = in[0];
    __syncthreads();
    *out = kept.half * 2 + kept.whole + log2f(blockDim.x);
}
__global__ void row(const int (*rows)[4], int* out) {
    *out = rows[1][2];
}

struct Entry {
    const char* name;
    Kernel kernel;
};
const Entry table[] = {{"sum", sum}, {"largest", &largest<int>}};

template <Kernel kKernel>
void by_argument(int* in, int* out) {
    kKernel<<<1, kN>>>(in, out, 0);
}
template <class F, class... A>
void by_any(F kernel, A... arguments) {
    kernel<<<1, kN>>>(arguments...);
}
template <class T>
void by_type(void (*kernel)(const T*, T*, T), const T* in, T* out) {
    kernel<<<1, kN>>>(in, out, T(7));
}
#define LAUNCH(kernel) kernel<<<1, kN>>>(in, out, 0)

int main() {
    int host[kN], result, *in, *out, none = 0;
    for (int i = 0; i < kN; ++i) host[i] = 1 + i % 9;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    auto show = [&](const char* how) {
        cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
        cudaMemset(out, 0, sizeof(int));
        printf("%s %d\n", how, result);
    };
    Elements no_kernel = out;  // a pointer beside those
    for (const Entry& entry : table) entry.kernel<<<1, kN>>>(in, no_kernel, 0), show(entry.name);
    void (*chosen[2])(const int*, int*, int) = {largest<int>, sum};
    for (int i = 0; i < 2; ++i) LAUNCH(chosen[i]), show("macro");
    LAUNCH(largest), show("template");
    Kernel one = none == 0 ? sum : largest<int>;
    (*one)<<<1, kN>>>(in, out, 0), show("conditional");
    by_argument<sum>(in, out), show("argument");
    by_any(sum, in, out, 0), show("any");
    by_type(largest<int>, in, out), show("type");
    void* arguments[] = {&in, &out, &none};
    cudaLaunchKernel((const void*)sum, dim3(1), dim3(kN), arguments, 0, 0), show("cudaLaunchKernel");
    const void* at = (const void*)&largest<int>;
    cudaLaunchKernel(at, 1, kN, arguments), show("void*");
    cudaLaunchConfig_t config = {};
    config.gridDim = 1, config.blockDim = kN;
    cudaLaunchKernelEx(&config, sum, (const int*)in, out, 0), show("cudaLaunchKernelEx");
    int blocks, threads;
    cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, sum, 0, 0);
    cudaFuncSetAttribute(largest<float>, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);
    const int(*rows)[4] = (const int(*)[4])in;
    row<<<1, 1>>>(rows, out), show("row");
    both<<<1, 16>>>(in, out), show("both");
}
