// What beginners' programs do: main()'s argument says which.
#include <climits>
#include <cstdio>
#include <cstring>

#define least(a, b) (a < b ? a : b)
#define low(a, b) (a < b ? a : b)

__global__ void add(const int* in, int* out) {
    atomicAdd(out, in[threadIdx.x]);
}
__global__ void scan(const int* in, int* out, int bad) {
    __shared__ int s[8];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = 1; d < 8; d *= 2) {
        int v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (t == bad) s[t] += s[3];
    out[t] = s[t];
}
__global__ void halves(const int* in, int* out) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = 64; d > 0; d /= 2) {  // begins at twice of what it should
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) *out = s[0];
}
__global__ void smallest(const int* in, int* out) {
    int m = INT_MAX;
    for (int i = 0; i < 128; i++) m = least(m, in[i]);
    *out = m;
}
__global__ void forgets_to_add(const int* in, int* out) {
    __shared__ int s[128];
    s[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x == 0) *out = 0;
}
__global__ void counts(const int* in, int* out) {
    atomicAdd(&out[in[threadIdx.x] % 4], 1);
}
__global__ void keeps(const int* in) {
    __shared__ int s[128];
    s[threadIdx.x] = in[threadIdx.x] + in[0];
}
__global__ void least_half(const int* in, int* out) {
    int m = INT_MAX;
    for (int i = 0; i < 64; i++) m = min(m, in[i]);
    *out = m;
}
__global__ void odd(const int* in, int* out) {
    int m = 7;
    for (int i = 0; i < 128; i++) m = low(m & 7, in[i] & 7);
    *out = m;
}
__global__ void fold(const int* in, int* out) {
    int sum = 0;
    for (int i = 0; i < 32; i++) sum += in[32 * threadIdx.x + i];
    out[threadIdx.x] = sum;
}
__global__ void makes(int* out) {
    out[threadIdx.x] += threadIdx.x * threadIdx.x;
}
__global__ void step(const int* in, int* out, int d) {
    int i = threadIdx.x;
    out[i] = in[i];
    if (i >= d) out[i] += in[i - d];
}
__device__ int nothing(int x) {
    if (x < 0) return x;
}
__global__ void forgets(const int* in, int* out) {
    *out = nothing(in[0]);
}
__global__ void stuck(const int* in, int* out, bool asks) {
    while (blockIdx.x == 5 && (asks ? in[0] + in[1] + in[2] + in[3] : 10) == 10)
        ;
    out[blockIdx.x] = in[blockIdx.x] + in[blockIdx.x + 8];
}
__global__ void breaks(const int* in, int* out) {
    __shared__ int s[4];
    out[threadIdx.x] = in[threadIdx.x] + in[threadIdx.x + 4];
    s[threadIdx.x + 4] = in[threadIdx.x];
}
__global__ void racy(const int* in, int* out) {
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = s[(threadIdx.x + 1) % 64] + in[threadIdx.x];
}
__global__ void squares(const int* in, int* out) {
    __shared__ int s[4];
    int t = threadIdx.x, sum = in[t] * in[t];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (t % 32 == 0) s[t / 32] = sum;
    __syncthreads();
    if (t >= 4) return;
    sum = s[t];
    for (int d = 2; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);  // of which lanes four are there
    if (t == 0) *out = sum;
}

int main(int argc, char** argv) {
    const char* what = argv[1];
    const auto is = [&](const char* name) { return strcmp(what, name) == 0; };
    int h[128], r[128] = {}, *in, *out;
    for (int i = 0; i < 128; i++) h[i] = is("rest-is-zero") && i >= 64 ? 0 : i + 1;
    cudaMalloc(&in, sizeof h), cudaMalloc(&out, sizeof r);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    int results = 1;
    if (is("half-read") || is("rest-is-zero")) cudaMemset(out, 0, 4), add<<<1, 64>>>(in, out);
    if (is("unwritten")) halves<<<1, 64>>>(in, out);
    if (is("least")) smallest<<<1, 1>>>(in, out);
    if (is("least-half")) least_half<<<1, 1>>>(in, out);
    if (is("gone-lanes")) squares<<<1, 128>>>(in, out);
    if (is("odd")) odd<<<1, 1>>>(in, out);
    if (is("counts")) cudaMemset(out, 0, sizeof r), counts<<<1, 128>>>(in, out), results = 4;
    if (is("keeps")) return keeps<<<1, 128>>>(in), 0;
    if (is("taken-later")) {
        fold<<<1, 4>>>(in, out), smallest<<<1, 1>>>(in, out + 64);
        cudaMemcpy(r, out + 64, 4, cudaMemcpyDeviceToHost);
        results = 4;
    }
    if (is("forgets-to-add")) {
        forgets_to_add<<<1, 128>>>(in, out);
        cudaMemcpy(r, out, 4, cudaMemcpyDeviceToHost);
        cudaMemset(out, 0, 4), add<<<1, 128>>>(in, out);
    }
    if (is("whole-array")) fold<<<1, 4>>>(in, out), results = 128;
    if (is("own-numbers")) cudaMemset(out, 0, sizeof r), makes<<<1, 4>>>(out), results = 4;
    if (is("no-return")) forgets<<<1, 1>>>(in, out);
    if (is("stuck") || is("stuck-for-long")) stuck<<<8, 1>>>(in, out, is("stuck-for-long")), results = 8;
    if (is("breaks")) breaks<<<1, 4>>>(in, out), results = 4;
    if (is("racy")) racy<<<1, 64>>>(in, out), results = 64;
    if (is("leaves")) {
        fold<<<1, 4>>>(in, out);
        return 1;
    }
    if (is("ping-pong")) {
        for (int d = 1; d < 128; d *= 2) {
            step<<<1, 128>>>(in, out, d);
            int* const other = in;
            in = out, out = other;
        }
        cudaMemcpy(r, in, sizeof r, cudaMemcpyDeviceToHost);
        results = 128;
    }
    if (is("loop")) {
        for (int k = 0; k < 2; k++) {
            scan<<<1, 8>>>(in, out, k == 0 ? 6 : 8);
            cudaMemcpy(r, out, 32, cudaMemcpyDeviceToHost);
        }
        results = 8;
    }
    cudaMemcpy(r, out, 4 * results, cudaMemcpyDeviceToHost);
    printf("%d\n", r[0]);
    if (is("freed-twice")) cudaMemset(out, 0, 4), add<<<1, 128>>>(in, out);
    if (is("freed-twice")) cudaMemcpy(r, out, 4, cudaMemcpyDeviceToHost), cudaFree(out);
    cudaFree(out);
}
