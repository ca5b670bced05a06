// Headers of CUDA's that programs include for a few words of theirs.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <curand_kernel.h>
#include <mma.h>
#include <nvtx3/nvToolsExt.h>
#include <cstdio>
#include <cstring>
#include <cuda/cmath>
#if __has_include(<fmt/core.h>)
#include <fmt/core.h>
#else
#include <string>
namespace fmt {
std::string format(const char*, int n) {
    return std::to_string(n);
}
}  // namespace fmt
#endif

using namespace nvcuda;
constexpr int kN = 4096;

const char* name_of(cublasStatus_t status) {
    return status == CUBLAS_STATUS_SUCCESS ? "fine" : cublasGetStatusString(status);
}
__global__ void sum(const float* in, float* out) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) s[t] += s[t + d];
    }
    if (t == 0) atomicAdd(out, s[0]);
}
__global__ void begin(curandState* states, unsigned long long seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(seed, i, 0, &states[i]);
}
__global__ void uniform(curandState* states, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandState own = states[i];
    out[i] = curand_uniform(&own);
    states[i] = own;
}
__global__ void normal(float* out) {
    curandStatePhilox4_32_10_t state;
    curand_init(1234, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
    float4 four = curand_normal4(&state);
    out[blockIdx.x * blockDim.x + threadIdx.x] = four.w;
}
/// Of a sequence what is drawn after some; 1: as from its offset on.
__global__ void repeats(float* out) {
    curandStateXORWOW_t one, other;
    curand_init(7, 3, 0, &one), curand_init(7, 3, 2, &other);
    curand(&one), curand(&one);
    bool same = curand(&one) == curand(&other);
    curand_init(7, 4, 2, &one), curand_init(8, 3, 2, &other);
    out[0] = same && curand(&one) != curand(&other) ? 1 : 0;
}

int main(int, char** argv) {
    auto is = [&](const char* name) { return strcmp(argv[1], name) == 0; };
    static float host[kN];
    float *in, *out, result = 0;
    cudaMalloc(&in, sizeof(host)), cudaMalloc(&out, 4), cudaMemset(out, 0, 4);
    for (int i = 0; i < kN; ++i) host[i] = i % 7;
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    cublasHandle_t handle;
    if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS || handle == nullptr) return 1;
    cublasLtHandle_t light = nullptr;
    nvtxRangePushA("all");
    curandState* states;
    cudaMalloc(&states, kN * sizeof(*states));
    if (is("uniform")) {
        begin<<<cuda::ceil_div(kN, 256), 256>>>(states, 7);
        for (int i = 0; i < 2; ++i) uniform<<<kN / 256, 256>>>(states, in);
    }
    if (is("normal")) normal<<<kN / 256, 256>>>(in);
    if (is("repeats")) repeats<<<1, 1>>>(out);
    if (!is("repeats")) sum<<<cuda::ceil_div(kN, 256), 256>>>(in, out);
    cudaMemcpy(&result, out, 4, cudaMemcpyDeviceToHost);
    double squares = 0;
    if (is("uniform") || is("normal")) {
        cudaMemcpy(host, in, sizeof(host), cudaMemcpyDeviceToHost);
        for (float x : host) squares += x * x;
        result = fabs(result / kN), squares = squares / kN - result * result;
    }
    nvtxRangePop();
    printf("%.1f %.1f %s %s %d\n", result, squares, name_of(cublasDestroy(handle)), fmt::format("{}", kN).c_str(),
           light == nullptr);
}
