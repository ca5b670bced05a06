// Faults, one a name: what stands on the line that its name is beside.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <vector>

#define N 128

__global__ void out_of_bounds(float* in, float* out) {
    __shared__ float s[N];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 5) *out = s[threadIdx.x + N];  // shared-bounds
}
__global__ void between(const float* in, float* out) {
    __shared__ float halves[N / 2], other[N / 2];
    int t = threadIdx.x;
    halves[t] = other[t] = in[t];
    __syncthreads();
    float sum = halves[t] + halves[t + N / 4];  // between
    if (t == 0) *out = sum + other[t];
}
__global__ void global_bounds(float* in, float* out, int n) {
    int i = threadIdx.x;
    if (i <= n) out[0] = in[i + 1];  // global-bounds offset-bounds
}
__global__ void through(float* in, float* out) {
    if (threadIdx.x == 3) out[0] = in[threadIdx.x];  // null host freed
}
__global__ void dynamic(float* in, float* out) {
    extern __shared__ float buffer[];
    buffer[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) *out = buffer[N - 1];
}
__global__ void unwritten(float* in, float* out) {
    __shared__ float s[N];
    if (threadIdx.x < N / 2) s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < N / 2) s[threadIdx.x] += s[threadIdx.x + N / 2];  // unwritten
    if (threadIdx.x == 0) *out = s[0];
}
__global__ void accumulate(float* in, float* out) {
    atomicAdd(out, in[threadIdx.x]);  // never-zeroed
}
__global__ void no_barrier(float* in, float* out) {
    __shared__ float s[N];
    s[threadIdx.x] = in[threadIdx.x];
    for (int stride = N / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) s[threadIdx.x] += s[threadIdx.x + stride];  // race
    }
    if (threadIdx.x == 0) *out = s[0];
}
__global__ void blocks_race(float* in, float* out) {
    if (threadIdx.x == 0) *out += in[blockIdx.x];  // read-after-block
}
__global__ void each_resets(float* in, float* out) {
    if (threadIdx.x == 0) *out = 0;  // each-resets
    __syncthreads();
    atomicAdd(out, in[threadIdx.x]);
}
__global__ void mean(float* in, float* out) {
    atomicAdd(out, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0) in[0] = *out / N;  // read-while-adding
}
__global__ void neighbours(float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = in[i] + (i + 1 < N ? in[i + 1] : 0);
    __syncthreads();
    in[i] = sum;  // write-after-block
    if (i == N - 1) *out = sum;
}
__global__ void second_array(float* in, float* out) {
    __shared__ float one, s[8];
    if (threadIdx.x == 0) one = in[0];
    s[threadIdx.x] = in[threadIdx.x];  // second-array
    *out = one + s[0];
}
// It comes to the array behind the one that it means.
__global__ void astray(float* in, float* out) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (1 << 16); i += 2 * blockDim.x) in[i] = 0;  // astray
    if (blockIdx.x == 1 && threadIdx.x == 0) *out = 1;
}
__global__ void two_barriers(float* in, float* out) {
    if (threadIdx.x < 32) {
        __syncthreads();
    } else {
        __syncthreads();  // two-barriers
    }
    out[0] = in[0];
}
__global__ void skipped_barrier(float* in, float* out) {
    for (int stride = N / 2; stride > 0; stride /= 2) {  // skipped-barrier
        if (threadIdx.x < stride) {
            in[threadIdx.x] += in[threadIdx.x + stride];
            __syncthreads();
        }
    }
    if (threadIdx.x == 0) *out = in[0];
}
__global__ void absent_lane(float* in, float* out) {
    float sum = in[threadIdx.x];
    if (threadIdx.x < 16) sum += __shfl_down_sync(0xffff, sum, 16);  // absent-lane
    if (threadIdx.x == 0) *out = sum;
}
__global__ void endless(float* in, float* out, int zero) {
    int i = threadIdx.x;
    while (i >= zero) {  // endless
        i += 2;
        if (i > 1000) i = 0;
    }
    *out = in[0];
}
__global__ void never_grows(float* in, float* out, int zero) {
    for (int stride = zero; stride < N; stride *= 2) {
        *out = in[threadIdx.x];
        __syncthreads();  // never-grows
    }
}
__global__ void divide(float* in, float* out, int zero) {
    *out = in[N / zero];  // divide
}
__global__ void remainder_of(float* in, float* out) {
    for (int stride = 1; stride < N; stride *= 2) {
        if (threadIdx.x % (2 * stride == 0)) in[threadIdx.x] += in[threadIdx.x + stride];  // remainder
        __syncthreads();
    }
    *out = in[0];
}
__device__ int deep(int depth) {  // deep
    volatile int room[4096];
    room[depth % 4096] = depth;
    return depth == 0 ? room[0] : deep(depth - 1) + room[depth % 4096];
}
__global__ void recursion(float* in, float* out) {
    *out = in[deep(1000) % N];
}
__global__ void large_array(float* in, float* out) {  // roomy
    volatile float all[50000];
    all[threadIdx.x] = in[threadIdx.x];
    *out = all[N - 1 - threadIdx.x];
}

__global__ void first_resets(float* in, float* out) {
    if (blockIdx.x == 0 && threadIdx.x == 0) *out = 0;
    __syncthreads();
    atomicAdd(out, in[threadIdx.x]);  // first-resets
}
int main(int argc, char** argv) {
    auto is = [&](const char* name) { return argc > 1 && strcmp(argv[1], name) == 0; };
    float host[N], *in, *out, result = 0;
    for (int i = 0; i < N; ++i) host[i] = 1;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(float));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    if (!is("never-zeroed")) cudaMemset(out, 0, sizeof(float));
    if (is("shared-bounds")) out_of_bounds<<<1, N>>>(in, out);
    if (is("between")) between<<<1, N / 2>>>(in, out);
    if (is("second-array")) second_array<<<1, N>>>(in, out);
    if (is("astray")) astray<<<2, N / 2>>>(in, out);
    if (is("offset-bounds")) global_bounds<<<1, N>>>(in + 1, out, N - 2);
    if (is("global-bounds")) global_bounds<<<1, N>>>(in, out, N);
    if (is("null")) through<<<1, N>>>(nullptr, out);
    if (is("host")) through<<<1, N>>>(host, out);
    if (is("freed")) {
        cudaFree(in);
        through<<<1, N>>>(in, out);
    }
    if (is("no-bytes")) dynamic<<<1, N>>>(in, out);  // no-bytes
    if (is("too-few-bytes")) dynamic<<<1, N, N>>>(in, out);
    if (is("unwritten")) unwritten<<<1, N>>>(in, out);
    if (is("never-zeroed")) accumulate<<<1, N>>>(in, out);
    if (is("race")) no_barrier<<<1, N>>>(in, out);
    if (is("read-after-block")) blocks_race<<<3, 32>>>(in, out);
    if (is("each-resets")) each_resets<<<3, 32>>>(in, out);
    if (is("read-while-adding")) cudaMemset(out, 0, sizeof(float)), mean<<<2, N / 2>>>(in, out);
    if (is("first-resets")) first_resets<<<3, 32>>>(in, out);
    if (is("write-after-block")) neighbours<<<4, N / 4>>>(in, out);
    if (is("two-barriers")) two_barriers<<<1, N>>>(in, out);
    if (is("skipped-barrier")) skipped_barrier<<<1, N>>>(in, out);
    if (is("absent-lane")) absent_lane<<<1, N>>>(in, out);
    if (is("endless")) endless<<<1, N>>>(in, out, 0);
    if (is("never-grows")) never_grows<<<1, 2>>>(in, out, 0);
    if (is("divide")) divide<<<1, N>>>(in, out, 0);
    if (is("remainder")) remainder_of<<<1, N>>>(in, out);
    if (is("deep")) recursion<<<1, N>>>(in, out);
    if (is("beyond-memory")) {
        float* large = nullptr;
        cudaMalloc(&large, sizeof(float) << 29);
        through<<<1, N>>>(large, out);
    }
    if (is("roomy")) large_array<<<1, N>>>(in, out);
    if (is("too-many")) divide<<<1, 2048>>>(in, out, 1);                                   // too-many
    if (is("host-crash")) in[0] = 1;                                                       // host-crash
    if (is("sets-host")) cudaMemset(&out, 0, sizeof(float));                               // sets-host
    if (is("frees-host")) cudaFree(&result);                                               // frees-host
    if (is("frees-within")) cudaFree(in + 1);                                              // frees-within
    if (is("direction")) cudaMemcpy(&result, out, sizeof(float), cudaMemcpyHostToDevice);  // direction
    if (is("greedy")) std::vector<double>(1u << 30).swap(*new std::vector<double>);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(&result, out, sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g, %s\n", result, cudaGetErrorString(error));
    return 0;
}
