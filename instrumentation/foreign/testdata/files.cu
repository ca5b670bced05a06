// Reads the numbers that it adds up from a file.
#include <cstdio>
#include <cstring>
#include <fstream>

__global__ void add(const int* in, int* out, int n) {
    int i = threadIdx.x;
    if (i < n) atomicAdd(out, in[i]);
}

int main(int argc, char** argv) {
    int numbers[4] = {1, 2, 3, 4}, result = 0;
    if (std::strcmp(argv[1], "stream") == 0) {
        std::ifstream file("four.txt");
        for (int& one : numbers) file >> one;
        if (!file) return 3;
    } else {
        std::FILE* file = std::fopen("four.txt", "r");  // missing
        for (int i = 0; file != nullptr && i < 4; ++i) std::fscanf(file, "%d", numbers + i);
        if (file == nullptr && std::strcmp(argv[1], "needs") == 0) return 3;
    }
    int *in, *out;
    cudaMalloc(&in, sizeof numbers);
    cudaMalloc(&out, sizeof result);
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof result);
    add<<<1, 4>>>(in, out, 4);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    std::printf("%d\n", result);
}
