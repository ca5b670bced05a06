// Fails: line 16, no fault: undefined: ; correct: 
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kMost = 256;  // threads

/// Leaves in output[i] the sum of input[0] to input[i], for i < blockDim.x. One block.
__global__ void scan(const float* input, float* output) {
    __shared__ float sums[2][kMost];
    int t = threadIdx.x, from = 0;
    sums[from][t] = input[t];
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        if (t >= stride) {
            sums[from][t] += sums[from][t - stride];
        }
    }
    output[t] = sums[from][t];
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 64, seed = argc > 2 ? atoi(argv[2]) : 1;
    srand(seed);
    std::vector<float> numbers(n), results(n);
    for (float& x : numbers) x = rand() % 10;

    float *input, *output;
    cudaMalloc(&input, n * sizeof(float));
    cudaMalloc(&output, n * sizeof(float));
    cudaMemcpy(input, numbers.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    scan<<<1, n>>>(input, output);
    cudaMemcpy(results.data(), output, n * sizeof(float), cudaMemcpyDeviceToHost);
    if (cudaError_t error = cudaGetLastError()) printf("%s\n", cudaGetErrorString(error));
    cudaFree(input);
    cudaFree(output);

    int wrong = 0;
    float right = 0;
    for (int i = 0; i < n; ++i) wrong += results[i] != (right += numbers[i]);
    printf("%d of %d results are wrong\n", wrong, n);
    return wrong == 0 ? 0 : 1;
}
