// The sum of N numbers by blocks that each add up a segment: a program to start from. Change it and save; the window
// follows.
#include <cstdio>

constexpr int N = 256, kBlock = 32;

__global__ void sum(const float* input, float* output) {
    __shared__ float partial[kBlock];
    unsigned t = threadIdx.x, i = 2 * blockDim.x * blockIdx.x + t;
    partial[t] = input[i] + input[i + blockDim.x];
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride) {
            partial[t] += partial[t + stride];
        }
    }
    if (t == 0) {
        atomicAdd(output, partial[0]);
    }
}

int main() {
    float numbers[N], right = 0, result = 0;
    for (int i = 0; i < N; ++i) right += numbers[i] = i + 1;

    float *input, *output;
    cudaMalloc(&input, sizeof numbers);
    cudaMalloc(&output, sizeof result);
    cudaMemcpy(input, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    cudaMemset(output, 0, sizeof result);
    sum<<<N / (2 * kBlock), kBlock>>>(input, output);
    cudaMemcpy(&result, output, sizeof result, cudaMemcpyDeviceToHost);
    if (cudaError_t error = cudaGetLastError()) printf("%s\n", cudaGetErrorString(error));
    cudaFree(input);
    cudaFree(output);

    printf("the sum is %g, right is %g\n", result, right);
    return result == right ? 0 : 1;
}
