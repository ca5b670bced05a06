// The inclusive scan of N numbers by one block (Kogge-Stone): a program to start from. Change it and save; the window
// follows.
#include <cstdio>

constexpr int N = 32;

__global__ void scan(const float* input, float* output) {
    __shared__ float sums[N];
    unsigned t = threadIdx.x;
    sums[t] = input[t];
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        float sum = sums[t];
        if (t >= stride) {
            sum += sums[t - stride];
        }
        __syncthreads();
        sums[t] = sum;
    }
    output[t] = sums[t];
}

int main() {
    float numbers[N], results[N];
    for (int i = 0; i < N; ++i) numbers[i] = i + 1;

    float *input, *output;
    cudaMalloc(&input, sizeof numbers);
    cudaMalloc(&output, sizeof results);
    cudaMemcpy(input, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    scan<<<1, N>>>(input, output);
    cudaMemcpy(results, output, sizeof results, cudaMemcpyDeviceToHost);
    if (cudaError_t error = cudaGetLastError()) printf("%s\n", cudaGetErrorString(error));
    cudaFree(input);
    cudaFree(output);

    int wrong = 0;
    float right = 0;
    for (int i = 0; i < N; ++i) wrong += results[i] != (right += numbers[i]);
    printf("%d of %d sums are wrong\n", wrong, N);
    return wrong == 0 ? 0 : 1;
}
