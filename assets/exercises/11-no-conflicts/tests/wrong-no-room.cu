// Fails: no fault: out-of-bounds: 
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kMost = 512;  // elements
constexpr int kWords = kMost;  // of shared memory

/// Where element i lies in shared memory.
__device__ int place(int i) {
    return i + i / 32;
}

/// Leaves in output[i] the sum of input[0] to input[i - 1], for i < 2 * blockDim.x. One block.
__global__ void scan(const float* input, float* output) {
    __shared__ float sums[kWords];
    int t = threadIdx.x, n = 2 * blockDim.x;
    sums[place(t)] = input[t];
    sums[place(t + blockDim.x)] = input[t + blockDim.x];
    for (int stride = 1; stride < n; stride *= 2) {  // up
        __syncthreads();
        int right = 2 * stride * (t + 1) - 1;
        if (right < n) {
            sums[place(right)] += sums[place(right - stride)];
        }
    }
    if (t == 0) {
        sums[place(n - 1)] = 0;
    }
    for (int stride = n / 2; stride > 0; stride /= 2) {  // down
        __syncthreads();
        int right = 2 * stride * (t + 1) - 1;
        if (right < n) {
            float left = sums[place(right - stride)];
            sums[place(right - stride)] = sums[place(right)];
            sums[place(right)] += left;
        }
    }
    __syncthreads();
    output[t] = sums[place(t)];
    output[t + blockDim.x] = sums[place(t + blockDim.x)];
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
    scan<<<1, n / 2>>>(input, output);
    cudaMemcpy(results.data(), output, n * sizeof(float), cudaMemcpyDeviceToHost);
    if (cudaError_t error = cudaGetLastError()) printf("%s\n", cudaGetErrorString(error));
    cudaFree(input);
    cudaFree(output);

    int wrong = 0;
    float right = 0;
    for (int i = 0; i < n; ++i) wrong += results[i] != right, right += numbers[i];
    printf("%d of %d results are wrong\n", wrong, n);
    return wrong == 0 ? 0 : 1;
}
