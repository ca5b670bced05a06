#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kBlock = 256;
constexpr unsigned kAll = 0xffffffff;  // all lanes of a warp

/// Adds the sum of kBlock elements of input a block to *output, which is 0 before.
__global__ void sum(const float* input, float* output) {
    __shared__ float warps[kBlock / 32];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    float mine = input[kBlock * blockIdx.x + t];
    for (int offset = 16; offset > 0; offset /= 2) {
        mine += __shfl_down_sync(kAll, mine, offset);
    }
    if (lane == 0) {
        warps[warp] = mine;
    }
    __syncthreads();
    if (warp == 0) {
        mine = lane < kBlock / 32 ? warps[lane] : 0;
        for (int offset = kBlock / 64; offset > 0; offset /= 2) {
            mine += __shfl_down_sync(kAll, mine, offset);
        }
        if (lane == 0) {
            atomicAdd(output, mine);
        }
    }
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 256, seed = argc > 2 ? atoi(argv[2]) : 1;
    srand(seed);
    std::vector<float> numbers(n);
    float right = 0, result = 0;
    for (float& x : numbers) right += x = rand() % 10;

    float *input, *output;
    cudaMalloc(&input, n * sizeof(float));
    cudaMalloc(&output, sizeof(float));
    cudaMemcpy(input, numbers.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(output, 0, sizeof(float));
    sum<<<n / kBlock, kBlock>>>(input, output);
    cudaMemcpy(&result, output, sizeof(float), cudaMemcpyDeviceToHost);
    if (cudaError_t error = cudaGetLastError()) printf("%s\n", cudaGetErrorString(error));
    cudaFree(input);
    cudaFree(output);

    printf("the sum is %g, right is %g\n", result, right);
    return result == right ? 0 : 1;
}
