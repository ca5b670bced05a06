// What programs put into macros, one a name: the larger of two, a launch, a kernel's name.
#include <cstdio>
#include <cstring>

#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define SMALLER_THAN(limit, x)          \
    ((x) < (limit) ? (x) /* as it is */ \
                   : (limit))
#define OR_ELSE(condition, x, other) (condition ? x : other)
#define AT(array, i) OR_ELSE(i < kN, array[i], 0)
#define PASTE(a, b) a##b
#define KERNEL(name) PASTE(by_, name)
#define LAUNCH(kernel) kernel<<<1, kN>>>(in, out)
#define LAUNCH_BY(name) by_##name<<<1, kN>>>(in, out)
#define ROOM LARGER(kN, 2)

constexpr int kN = 64;
static float host[ROOM];

__global__ void by_macros(const float* in, float* out) {
    __shared__ float s[ROOM];
    int t = threadIdx.x;
    s[t] = LARGER(in[t], 0);
    s[t] = LARGER(s[t], 1.0);
    for (int d = kN / 2; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) s[t] = LARGER(s[t], s[t + d]);
    }
    if (t == 0) *out = s[0];
}
__global__ void by_least(const float* in, float* out) {
    float least = in[0];
    for (int i = 1; i < kN; ++i) least = SMALLER_THAN(least, in[i]);
    *out = least;
}
__global__ void by_sum(const float* in, float* out) {
    float sum = 0;
    for (int i = threadIdx.x; i < 2 * kN; i += kN) sum += AT(in, i);
    atomicAdd(out, sum);
}

int main(int, char** argv) {
    auto is = [&](const char* name) { return strcmp(argv[1], name) == 0; };
    float *in, *out, result, most = 0;
    const char* words = "";
    for (int i = 0; i < kN; ++i) most = LARGER(most, host[i] = i * 37 % 61 + 2);
    cudaMalloc(&in, sizeof(host)), cudaMalloc(&out, sizeof(float));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice), cudaMemset(out, 0, sizeof(float));
    if (is("larger")) by_macros<<<1, kN>>>(in, out);
    if (is("smaller")) by_least<<<1, 1>>>(in, out);
    if (is("made")) KERNEL(sum)<<<1, kN>>>(in, out);
    if (is("handed")) LAUNCH(by_sum);
    if (is("pasted")) LAUNCH_BY(sum);
    if (is("both")) LAUNCH(KERNEL(sum));
    cudaMemcpy(&result, out, sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g %g%s\n", result, most, OR_ELSE(words != nullptr, words, 0));
}
