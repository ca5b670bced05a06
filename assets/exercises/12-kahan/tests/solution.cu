#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

/// Leaves the sum of the n elements of input in *output. One thread.
__global__ void sum(const float* input, int n, float* output) {
    float total = 0, lost = 0;
    for (int i = 0; i < n; ++i) {
        float next = input[i] - lost;
        float larger = total + next;
        lost = (larger - total) - next;
        total = larger;
    }
    *output = total;
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 1000, seed = argc > 2 ? atoi(argv[2]) : 1;
    srand(seed);
    std::vector<float> numbers(n);
    double right = 0;
    for (float& x : numbers) right += x = rand() / float(RAND_MAX);

    float *input, *output, result = 0;
    cudaMalloc(&input, n * sizeof(float));
    cudaMalloc(&output, sizeof(float));
    cudaMemcpy(input, numbers.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    sum<<<1, 1>>>(input, n, output);
    cudaMemcpy(&result, output, sizeof(float), cudaMemcpyDeviceToHost);
    if (cudaError_t error = cudaGetLastError()) printf("%s\n", cudaGetErrorString(error));
    cudaFree(input);
    cudaFree(output);

    printf("the sum is %.9g, right is %.9g\n", result, right);
    return std::abs(result - right) < 0.01 ? 0 : 1;
}
