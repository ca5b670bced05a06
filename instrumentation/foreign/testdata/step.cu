// Warps whose lanes nothing keeps in step, and results that lack what lies before or behind them.
#include <cstdio>
#include <cstring>

// Harris' last steps, without volatile
__global__ void last_warp(const int* in, int* out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        s[t] += s[t + 16];
        s[t] += s[t + 8];
        s[t] += s[t + 4];
        s[t] += s[t + 2];
        s[t] += s[t + 1];
    }
    if (t == 0) *out = s[0];
}
// The forgotten atomicAdd
__global__ void lost(const int* in, int* out) {
    *out += in[threadIdx.x];
}
// The first lane goes ahead, without a __syncwarp()
__global__ void ahead(const int* in, int* out) {
    __shared__ int s[33];
    int t = threadIdx.x;
    s[t] = in[t] + in[t + 32];
    if (t == 0) {
        s[32] = 0;
        for (int i = 0; i < 32; ++i) s[32] += s[i];
    }
    if (t == 31) *out = s[32];
}
__global__ void one_of_two(const int* in, int* out) {
    int v = in[threadIdx.x];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x == 0) *out = v;
}
__global__ void but_the_first(const int* in, int* out) {
    if (threadIdx.x > 0) atomicAdd(out, in[threadIdx.x]);
}
// Who has the lock goes on alone, while the others of its warp ask for it
__global__ void locked(const int* in, int* out, int* lock) {
    int t = threadIdx.x;
    bool done = false;
    while (!done)
        if (atomicCAS(lock, 0, 1) == 0) {
            *out += in[t];
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
}
// No add is in it: what is moved between two barriers is a step
__global__ void sort(int* a) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    for (int size = 2; size <= 64; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            int other = t ^ stride;
            if (other > t && (s[t] > s[other]) == ((t & size) == 0)) {
                int x = s[t];
                s[t] = s[other];
                s[other] = x;
            }
            __syncthreads();
        }
    a[t] = s[t];
}

int main(int argc, char** argv) {
    int h[64], *in, *out, *lock, n = 64;
    for (int i = 0; i < n; ++i) h[i] = (37 * i) % 64 + 1;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, 4);
    cudaMalloc(&lock, 4);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, 4);
    cudaMemset(lock, 0, 4);
    const char* name = argc > 1 ? argv[1] : "";
    if (!strcmp(name, "last-warp")) last_warp<<<1, 64>>>(in, out);
    if (!strcmp(name, "lost")) lost<<<1, 64>>>(in, out);
    if (!strcmp(name, "ahead")) ahead<<<1, 32>>>(in, out);
    if (!strcmp(name, "one-of-two")) one_of_two<<<1, 64>>>(in, out);
    if (!strcmp(name, "but-the-first")) but_the_first<<<1, 64>>>(in, out);
    if (!strcmp(name, "locked")) locked<<<1, 64>>>(in, out, lock);
    if (!strcmp(name, "sort")) {
        sort<<<1, 64>>>(in);
        cudaMemcpy(h, in, sizeof h, cudaMemcpyDeviceToHost);
        printf("%d %d\n", h[0], h[63]);
        return 0;
    }
    cudaMemcpy(h, out, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
}
