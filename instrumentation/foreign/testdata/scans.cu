// Scans of the catalog, typed in plain CUDA: their rows have to be the catalog's, phases and strides too.
//   scans KERNEL N BLOCK [exclusive]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "kernels/testdata/plain_scan.cuh"

void scan(const char* kernel, float* input, float* output, unsigned n, unsigned block, unsigned exclusive) {
    auto is = [&](const char* name) { return strcmp(kernel, name) == 0; };
    unsigned section = is("hillis-steele") || is("kogge-stone") ? block : 2 * block;
    unsigned blocks = (n + section - 1) / section;
    float* sums = output;
    if (blocks > 1) cudaMalloc(&sums, blocks * sizeof(float));
    if (is("hillis-steele")) hillis_steele<<<blocks, block>>>(input, output, sums, n, exclusive);
    if (is("kogge-stone")) kogge_stone<<<blocks, block>>>(input, output, sums, n, exclusive);
    if (is("brent-kung")) brent_kung<<<blocks, block>>>(input, output, sums, n, exclusive);
    if (is("blelloch")) blelloch<<<blocks, block>>>(input, output, sums, n, exclusive);
    if (blocks == 1) return;
    scan(kernel, sums, sums, blocks, block, 0);
    add_sums<<<(n - section + block - 1) / block, block>>>(output, sums, section, n);
}

int main(int argc, char** argv) {
    if (argc < 4) return 2;
    unsigned n = atoi(argv[2]);
    std::vector<float> values(n), results(n);
    for (unsigned i = 0; i < n; ++i) values[i] = i;
    float *input, *output;
    cudaMalloc(&input, n * sizeof(float));
    cudaMalloc(&output, n * sizeof(float));
    cudaMemcpy(input, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    scan(argv[1], input, output, n, atoi(argv[3]), argc > 4);
    cudaMemcpy(results.data(), output, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%s of %u: %g\n", argv[1], n, results[n - 1]);
    return 0;
}
