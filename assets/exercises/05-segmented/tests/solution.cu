#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kBlock = 64;

/// Adds the sum of 2 * kBlock elements of input a block to *output, which is 0 before.
__global__ void sum(const float* input, float* output) {
    __shared__ float partial[kBlock];
    int t = threadIdx.x, i = 2 * kBlock * blockIdx.x + t;
    partial[t] = input[i] + input[i + kBlock];
    for (int stride = kBlock / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride) {
            partial[t] += partial[t + stride];
        }
    }
    if (t == 0) {
        atomicAdd(output, partial[0]);
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
    sum<<<n / (2 * kBlock), kBlock>>>(input, output);
    cudaMemcpy(&result, output, sizeof(float), cudaMemcpyDeviceToHost);
    if (cudaError_t error = cudaGetLastError()) printf("%s\n", cudaGetErrorString(error));
    cudaFree(input);
    cudaFree(output);

    printf("the sum is %g, right is %g\n", result, right);
    return result == right ? 0 : 1;
}
