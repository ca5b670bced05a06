// Fails: line 11, no fault: 
#include <cstdio>
#include <cstdlib>
#include <vector>

/// Leaves the sum of the 2 * blockDim.x elements of input in *output. One block; what is in input afterwards does not matter.
__global__ void sum(float* input, float* output) {
    unsigned t = threadIdx.x;
    for (unsigned stride = blockDim.x; stride > 0; stride /= 2) {
        if (t <= stride) {
            input[t] += input[t + stride];
        }
        __syncthreads();
    }
    if (t == 0) {
        *output = input[0];
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
    sum<<<1, n / 2>>>(input, output);
    cudaMemcpy(&result, output, sizeof(float), cudaMemcpyDeviceToHost);
    if (cudaError_t error = cudaGetLastError()) printf("%s\n", cudaGetErrorString(error));
    cudaFree(input);
    cudaFree(output);

    printf("the sum is %g, right is %g\n", result, right);
    return result == right ? 0 : 1;
}
