// The sum of N numbers by one block: a program to start from. Change it and save; the window follows.
#include <cstdio>

constexpr int N = 16;

__global__ void sum(float* input, float* output) {
    unsigned i = 2 * threadIdx.x;
    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
        if (threadIdx.x % stride == 0) {
            input[i] += input[i + stride];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        *output = input[0];
    }
}

int main() {
    float numbers[N], right = 0, result = 0;
    for (int i = 0; i < N; ++i) right += numbers[i] = i + 1;

    float *input, *output;
    cudaMalloc(&input, sizeof numbers);
    cudaMalloc(&output, sizeof result);
    cudaMemcpy(input, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    sum<<<1, N / 2>>>(input, output);
    cudaMemcpy(&result, output, sizeof result, cudaMemcpyDeviceToHost);
    if (cudaError_t error = cudaGetLastError()) printf("%s\n", cudaGetErrorString(error));
    cudaFree(input);
    cudaFree(output);

    printf("the sum is %g, right is %g\n", result, right);
    return result == right ? 0 : 1;
}
