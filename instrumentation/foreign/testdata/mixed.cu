// Sums with differences in them, and maxima of which the last one counts.
#include <cstdio>
#include <cstring>

__global__ void kahan(const float* in, float* out, int n) {
    float sum = 0, lost = 0;
    for (int i = 0; i < n; ++i) {
        float next = in[i] - lost;
        float larger = sum + next;
        lost = (larger - sum) - next;
        sum = larger;
    }
    *out = sum;
}
__global__ void neighbours(const float* in, float* out, int n) {
    float sum = 0;
    for (int i = 1; i < n; ++i) sum += in[i] - in[i - 1];
    *out = sum;
}
/// Each result without its own element.
__global__ void before(const float* in, float* out, int n) {
    float sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += in[i];
        out[i] = sum - in[i];
    }
}
__global__ void last_index(const float* in, float* out, int* index, int n) {
    __shared__ float s[64];
    __shared__ int places[64];
    int t = threadIdx.x;
    s[t] = in[t];
    places[t] = t;
    for (int d = 32; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) {
            if (s[t + d] > s[t] || (s[t + d] == s[t] && places[t + d] > places[t])) {
                s[t] = s[t + d];
                places[t] = places[t + d];
            }
        }
    }
    if (t == 0) *out = s[0], *index = places[0];
}
struct Pair {
    float value;
    int index;
};
__global__ void last_pair(const float* in, Pair* out, int n) {
    __shared__ Pair s[64];
    int t = threadIdx.x;
    s[t].value = in[t];
    s[t].index = t;
    for (int d = 32; d > 0; d /= 2) {
        __syncthreads();
        if (t < d && t + d < n) {
            Pair other = s[t + d];
            if (other.value > s[t].value || (other.value == s[t].value && other.index > s[t].index)) s[t] = other;
        }
    }
    if (t == 0) *out = s[0];
}

int main(int argc, char** argv) {
    const int n = 64;
    auto is = [&](const char* name) { return argc > 1 && strcmp(argv[1], name) == 0; };
    float host[n], results[n] = {}, *in, *out;
    for (int i = 0; i < n; ++i) host[i] = (i * 37 + 11) % 19;
    if (is("before-large")) host[1] = 123456789;
    const bool many = is("before") || is("before-large");
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, many ? sizeof(host) : sizeof(float));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    if (is("kahan")) kahan<<<1, 1>>>(in, out, n);
    if (is("neighbours")) neighbours<<<1, 1>>>(in, out, n);
    if (many) before<<<1, 1>>>(in, out, n);
    int *index, place = 0;
    cudaMalloc(&index, sizeof(int));
    if (is("last-index")) {
        last_index<<<1, n>>>(in, out, index, n);
        cudaMemcpy(&place, index, sizeof(int), cudaMemcpyDeviceToHost);
    }
    if (is("last-pair")) {
        Pair *pair, got;
        cudaMalloc(&pair, sizeof(Pair));
        last_pair<<<1, n>>>(in, pair, n);
        cudaMemcpy(&got, pair, sizeof(Pair), cudaMemcpyDeviceToHost);
        printf("%g at %d\n", got.value, got.index);
        return 0;
    }
    cudaMemcpy(results, out, many ? sizeof(host) : sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g at %d\n", results[many ? 1 : 0], place);
}
