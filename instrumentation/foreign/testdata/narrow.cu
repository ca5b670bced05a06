// Chars and shorts as elements, and results of which main() takes a part back.
#include <cstdint>
#include <cstdio>
#include <cstring>

template <class T, class S>
__global__ void sum(const T* in, S* out) {
    __shared__ S s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    for (int d = 32; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) s[t] += s[t + d];
    }
    if (t == 0) *out = s[0];
}
__global__ void flags(const unsigned char* in, unsigned char* out) {
    __shared__ unsigned char s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    for (int d = 32; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) s[t] |= s[t + d];
    }
    if (t == 0) *out = s[0];
}
__global__ void scan(const short* in, short* out) {
    extern __shared__ short cells[];
    int t = threadIdx.x;
    cells[t] = in[t];
    for (int d = 1; d < 64; d *= 2) {
        __syncthreads();
        short before = t >= d ? cells[t - d] : 0;
        __syncthreads();
        cells[t] += before;
    }
    out[t] = cells[t];
}
__global__ void fours(const float4* in, float4* out) {
    float4 sum = make_float4(0, 0, 0, 0);
    for (int i = 0; i < 8; ++i) sum.x += in[i].x, sum.y += in[i].y, sum.z += in[i].z, sum.w += in[i].w;
    *out = sum;
}
__global__ void beside(const int* in, int* out, int* more) {
    *out = 0;
    for (int i = 0; i < 64; ++i) *out += in[i], more[i] = in[i] * 2;
}

template <class T, class R>
void run(void (*kernel)(const T*, R*), const T* host, int many = 1) {
    T* in;
    R *out, got[64];
    cudaMalloc(&in, 64 * sizeof(T));
    cudaMalloc(&out, many * sizeof(R));
    cudaMemcpy(in, host, 64 * sizeof(T), cudaMemcpyHostToDevice);
    kernel<<<1, 64, 64 * sizeof(T)>>>(in, out);
    cudaMemcpy(got, out, many * sizeof(R), cudaMemcpyDeviceToHost);
    printf("%d\n", int(got[many - 1]));
}

int main(int argc, char** argv) {
    auto is = [&](const char* name) { return argc > 1 && strcmp(argv[1], name) == 0; };
    unsigned char bytes[64];
    signed char chars[64];
    short shorts[64];
    int ints[64];
    for (int i = 0; i < 64; ++i) ints[i] = shorts[i] = chars[i] = (i * 37 + 11) % 61 - 30, bytes[i] = 200 + i % 16;
    if (is("bytes")) run(sum<unsigned char, unsigned>, bytes);
    if (is("wrapped")) run(sum<unsigned char, unsigned char>, bytes);
    if (is("chars")) run(sum<signed char, int>, chars);
    if (is("shorts")) run(sum<short, short>, shorts);
    if (is("flags")) run(flags, bytes);
    if (is("scan")) run(scan, shorts, 64);
    if (is("some-bytes")) {
        float4 host[8], *in, *out;
        float got;
        for (int i = 0; i < 8; ++i) host[i] = make_float4(i, 2 * i, 3, 4);
        cudaMalloc(&in, sizeof(host));
        cudaMalloc(&out, sizeof(float4));
        cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
        fours<<<1, 1>>>(in, out);
        cudaMemcpy(&got, out, sizeof(got), cudaMemcpyDeviceToHost);
    }
    if (is("copied")) {
        int *in, *out, *more, got;
        cudaMallocManaged(&in, sizeof(ints));
        cudaMallocManaged(&more, sizeof(ints));
        cudaMalloc(&out, sizeof(int));
        memcpy(in, ints, sizeof(ints));
        beside<<<1, 1>>>(in, out, more);
        cudaMemcpy(&got, out, sizeof(got), cudaMemcpyDeviceToHost);
        cudaDeviceSynchronize();
        printf("%d %d\n", got, more[0]);
    }
}
