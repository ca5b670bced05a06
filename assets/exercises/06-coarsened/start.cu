// Exercise coarsened: write the kernel. `warptree grade coarsened FILE` says what to do, and what holds.
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kBlock = 64, kCoarse = 8;

/// Adds the sum of kCoarse * kBlock elements of input a block to *output, which is 0 before.
__global__ void sum(const float* input, float* output) {
    __shared__ float partial[kBlock];
    // Yours
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 1024, seed = argc > 2 ? atoi(argv[2]) : 1;
    srand(seed);
    std::vector<float> numbers(n);
    float right = 0, result = 0;
    for (float& x : numbers) right += x = rand() % 10;

    float *input, *output;
    cudaMalloc(&input, n * sizeof(float));
    cudaMalloc(&output, sizeof(float));
    cudaMemcpy(input, numbers.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(output, 0, sizeof(float));
    sum<<<n / (kCoarse * kBlock), kBlock>>>(input, output);
    cudaMemcpy(&result, output, sizeof(float), cudaMemcpyDeviceToHost);
    if (cudaError_t error = cudaGetLastError()) printf("%s\n", cudaGetErrorString(error));
    cudaFree(input);
    cudaFree(output);

    printf("the sum is %g, right is %g\n", result, right);
    return result == right ? 0 : 1;
}
