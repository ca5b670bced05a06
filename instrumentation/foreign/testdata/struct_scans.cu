// Scans of structs: of values with flags, of complex numbers, of the largest with its place.
#include <cstdio>
#include <cstring>

constexpr int kN = 64;
struct Pair {
    float value;
    int flag;
};
struct Complex {
    float re, im;
};
struct Best {
    int value, index;
};

__device__ Pair combine(Pair a, Pair b) {
    Pair both;
    both.value = b.flag ? b.value : a.value + b.value;
    both.flag = a.flag | b.flag;
    return both;
}
__global__ void pairs(const Pair* in, Pair* out) {
    __shared__ Pair s[2][kN];
    int t = threadIdx.x, from = 0;
    s[0][t] = in[t];
    __syncthreads();
    for (int d = 1; d < kN; d *= 2, from = 1 - from) {
        s[1 - from][t] = t < d ? s[from][t] : combine(s[from][t - d], s[from][t]);
        __syncthreads();
    }
    out[t] = s[from][t];
}
/// first  the stride that it begins with: 2 leaves neighbours out
__global__ void in_place(Complex* a, int first) {
    int t = threadIdx.x;
    for (int d = 1; d < kN; d *= 2) {
        Complex x = {0, 0};
        if (t >= d) x = a[t - d];
        __syncthreads();
        a[t].re += x.re;
        if (d >= first) a[t].im += x.im;
        __syncthreads();
    }
}
__global__ void exclusive(const Complex* in, Complex* out) {
    __shared__ Complex s[kN];
    int t = threadIdx.x;
    s[t].re = t > 0 ? in[t - 1].re : 0;
    s[t].im = t > 0 ? in[t - 1].im : 0;
    __syncthreads();
    for (int d = 1; d < kN; d *= 2) {
        Complex x = s[t];
        if (t >= d) x.re += s[t - d].re, x.im += s[t - d].im;
        __syncthreads();
        s[t] = x;
        __syncthreads();
    }
    out[t] = s[t];
}
/// skipped  a thread that keeps what it has
__global__ void largest(const Best* in, Best* out, int skipped) {
    __shared__ Best s[kN];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = 1; d < kN; d *= 2) {
        Best x = s[t];
        if (t >= d && t != skipped && s[t - d].value > x.value) x = s[t - d];
        __syncthreads();
        s[t] = x;
        __syncthreads();
    }
    out[t] = s[t];
}

template <class T, class Launch>
void run(T* host, Launch launch) {
    T *in, *out;
    cudaMalloc(&in, kN * sizeof(T));
    cudaMalloc(&out, kN * sizeof(T));
    cudaMemcpy(in, host, kN * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(host, launch(in, out), kN * sizeof(T), cudaMemcpyDeviceToHost);
}

int main(int, char** argv) {
    auto is = [&](const char* name) { return strcmp(argv[1], name) == 0; };
    Pair pair[kN];
    Complex complex[kN];
    Best best[kN];
    for (int i = 0; i < kN; ++i) {
        pair[i] = {i % 7 + 1.0f, is("segments") && i % 10 == 0};
        complex[i] = {i % 7 + 1.0f, i % 5 + 1.0f};
        best[i] = {(i * 37 + 11) % 61, i};
    }
    if (is("pairs") || is("segments")) run(pair, [](Pair* in, Pair* out) { return pairs<<<1, kN>>>(in, out), out; });
    if (is("in-place") || is("lost"))
        run(complex, [&](Complex* in, Complex*) { return in_place<<<1, kN>>>(in, is("lost") ? 2 : 1), in; });
    if (is("exclusive")) run(complex, [](Complex* in, Complex* out) { return exclusive<<<1, kN>>>(in, out), out; });
    if (is("largest") || is("skipped"))
        run(best, [&](Best* in, Best* out) { return largest<<<1, kN>>>(in, out, is("skipped") ? 40 : -1), out; });
    printf("%g %g %d\n", pair[kN - 1].value, complex[kN - 1].im, best[kN - 1].value);
}
