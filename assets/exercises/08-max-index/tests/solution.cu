#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kBlock = 64;

/// Leaves the largest of n elements in *value, and the smallest index that it stands at in *index. One block, n >= kBlock.
__global__ void find(const float* input, int n, float* value, int* index) {
    __shared__ float values[kBlock];
    __shared__ int places[kBlock];
    int t = threadIdx.x;
    float best = input[t];
    int place = t;
    for (int i = t + kBlock; i < n; i += kBlock) {
        float next = input[i];
        if (next > best) {
            best = next;
            place = i;
        }
    }
    values[t] = best;
    places[t] = place;
    for (int stride = kBlock / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride) {
            float other = values[t + stride];
            int there = places[t + stride];
            if (other > values[t] || (other == values[t] && there < places[t])) {
                values[t] = other;
                places[t] = there;
            }
        }
    }
    if (t == 0) {
        *value = values[0];
        *index = places[0];
    }
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 256, seed = argc > 2 ? atoi(argv[2]) : 1;
    srand(seed);
    std::vector<float> numbers(n);
    for (float& x : numbers) x = rand() % 20 - 100;
    int right = 0, place = 0;
    for (int i = 0; i < n; ++i)
        if (numbers[i] > numbers[right]) right = i;

    float *input, *value, largest = 0;
    int* index;
    cudaMalloc(&input, n * sizeof(float));
    cudaMalloc(&value, sizeof(float));
    cudaMalloc(&index, sizeof(int));
    cudaMemcpy(input, numbers.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    find<<<1, kBlock>>>(input, n, value, index);
    cudaMemcpy(&place, index, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(&largest, value, sizeof(float), cudaMemcpyDeviceToHost);
    if (cudaError_t error = cudaGetLastError()) printf("%s\n", cudaGetErrorString(error));
    cudaFree(input);
    cudaFree(value);
    cudaFree(index);

    printf("the largest is %g at %d, right is %g at %d\n", largest, place, numbers[right], right);
    return largest == numbers[right] && place == right ? 0 : 1;
}
