// Elements that indices, keys or flags choose, and results that elements choose their places in: main()'s argument says
// which.
#include <cstdio>
#include <cstring>

__global__ void gather(const int* in, const int* index, int* out) {
    atomicAdd(out, in[index[threadIdx.x]]);
}
__global__ void by_key(const int* in, const int* key, int* out) {
    atomicAdd(&out[key[threadIdx.x]], in[threadIdx.x]);
}
__global__ void keep(const int* in, int* out, int* count) {
    const bool good = in[32 * blockIdx.x + threadIdx.x] > 40;
    const unsigned all = __ballot_sync(~0u, good), before = (1u << threadIdx.x) - 1;
    int base = 0;
    if (threadIdx.x == 0) base = atomicAdd(count, __popc(all));
    base = __shfl_sync(~0u, base, 0);
    if (good) out[base + __popc(all & before)] = in[32 * blockIdx.x + threadIdx.x];
}
__global__ void from_the_end(const int* in, int* out, int bad) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        const int v = t + d < 64 ? s[t + d] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    out[t] = s[t == bad ? 0 : t];
}
__global__ void scan(const int* in, int* out) {
    int sum = 0;
    for (int i = 0; i < 48; i++) out[i] = sum += in[i];
}

int main(int argc, char** argv) {
    const auto is = [&](const char* name) { return strcmp(argv[1], name) == 0; };
    int h[64], k[64], r[64] = {}, *in, *other, *out;
    for (int i = 0; i < 64; i++) h[i] = 3 * i % 64 + 1, k[i] = is("gather") ? 5 * i % 64 : i % 4;
    cudaMalloc(&other, sizeof k), cudaMalloc(&in, sizeof h), cudaMalloc(&out, sizeof r);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(other, k, sizeof k, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof r);
    int results = 64;
    if (is("gather")) gather<<<1, 64>>>(in, other, out), results = 1;
    if (is("by-key")) by_key<<<1, 64>>>(in, other, out), results = 4;
    if (is("compaction")) {
        cudaMemset(other, 0, 4);
        keep<<<2, 32>>>(in, out, other);
        cudaMemcpy(&results, other, 4, cudaMemcpyDeviceToHost);
    }
    if (is("from-the-end") || is("one-amiss")) from_the_end<<<1, 64>>>(in, out, is("one-amiss") ? 7 : 64);
    if (is("scan-of-some")) scan<<<1, 1>>>(in, out);
    cudaMemcpy(r, out, 4 * results, cudaMemcpyDeviceToHost);
    printf("%d\n", r[0]);
}
