// Results that are parts of something: which lack elements, overlap, begin anew, or are of two kinds.
#include <cstdio>
#include <cstring>

const int kThreads = 100, kAll = 400;

// 100 threads halve to 50, 25, 12: what the odd one has is lost
__global__ void halved(const int* in, int* out) {
    __shared__ int s[kThreads];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
// What each block adds up for itself; then the sum of the block before alone
__global__ void scan(const int* in, int* out) {
    int begin = blockIdx.x * blockDim.x, sum = 0;
    for (int i = begin; i <= begin + threadIdx.x; ++i) sum += in[i];
    out[begin + threadIdx.x] = sum;
}
__global__ void add_one_before(int* out, const int* in) {
    int begin = blockIdx.x * blockDim.x;
    if (blockIdx.x == 0) return;
    int sum = 0;
    for (int i = begin - blockDim.x; i < begin; ++i) sum += in[i];
    out[begin + threadIdx.x] += sum;
}
__global__ void two(const int* in, int* out) {
    int sum = 0, squares = 0;
    for (int i = 0; i < kAll; ++i) sum += in[i], squares += in[i] * in[i];
    out[0] = sum;
    out[1] = squares;
}
struct Range {
    int low, high;
};
__global__ void range(const int* in, Range* out) {
    Range all = {in[0], in[0]};
    for (int i = 1; i < kAll; ++i) all.low = min(all.low, in[i]), all.high = max(all.high, in[i]);
    *out = all;
}
__global__ void place(const int* in, int* out) {
    int best = 0;
    for (int i = 1; i < kAll; ++i)
        if (in[i] > in[best]) best = i;
    *out = best;
}

int main(int argc, char** argv) {
    static int h[kAll];
    int *in, *out, results = kAll;
    for (int i = 0; i < kAll; ++i) h[i] = i % 7 + 1;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    const char* name = argc > 1 ? argv[1] : "";
    if (!strcmp(name, "halved")) halved<<<4, kThreads>>>(in, out), results = 4;
    if (!strcmp(name, "two")) two<<<1, 1>>>(in, out), results = 2;
    if (!strcmp(name, "place")) place<<<1, 1>>>(in, out), results = 1;
    if (!strcmp(name, "anew") || !strcmp(name, "overlap")) scan<<<4, kThreads>>>(in, out);
    if (!strcmp(name, "overlap")) add_one_before<<<4, kThreads>>>(out, in);
    if (!strcmp(name, "range")) range<<<1, 1>>>(in, (Range*)out), results = 2;
    cudaMemcpy(h, out, results * 4, cudaMemcpyDeviceToHost);
    printf("%d\n", h[results - 1]);
}
