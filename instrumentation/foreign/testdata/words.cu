// Words of device code and of the host that programs have here and there; each prints what it gave.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>

namespace cg = cooperative_groups;

__constant__ int factors[2];

__device__ unsigned lane() {
    unsigned number;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(number));
    return number;
}
__device__ unsigned below() {
    unsigned mask;
    asm("mov.u32 %0, %lanemask_lt;" : "=r"(mask));
    return mask;
}
__device__ unsigned bits(unsigned x, unsigned at, unsigned count) {
    unsigned out;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(out) : "r"(x), "r"(at), "r"(count));
    return out;
}
__global__ void groups(const int* in, int* out) {
    extern __shared__ int s[];
    cg::__v1::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, s, in, sizeof(int) * block.size());
    cg::wait(block);
    int x = s[threadIdx.x];
    auto tile = cg::tiled_partition<32>(block);
    auto active = cg::coalesced_threads();
    int before = cg::exclusive_scan(tile, x, cg::plus<int>()), most = cg::reduce(active, x, cg::greater<int>());
    auto odd = cg::binary_partition(tile, threadIdx.x % 2 == 1), same = cg::labeled_partition(active, x);
    int part = cg::reduce(odd, x, cg::plus<int>());
    if (threadIdx.x == 31)
        out[0] = before, out[1] = most, out[2] = part, out[3] = same.size(), out[4] = odd.thread_rank();
}
__global__ void numbers(const int* in, int* out) {
    int x = in[threadIdx.x];
    unsigned equal = __match_any_sync(0xffffffff, x);
    asm volatile("bar.sync 0;");
    if (threadIdx.x != 5) return;
    out[0] = lane(), out[1] = below(), out[2] = bits(0x3c, 2, 3), out[3] = equal;
    out[4] = __popcll(7ull) + __ffsll(8ll) + __clzll(1ll), out[5] = __byte_perm(0x11223344, 0, 0x0123);
    out[6] = __float2int_rn(2.5f) + __float2int_ru(2.5f), out[7] = __fmaf_rn(2.0f, 3.0f, 4.0f) + rsqrtf(4.0f) * 2;
    out[8] = factors[0] * factors[1], out[9] = log2f(blockDim.x) + fmaxf(1, 2);
}
__global__ void unknown() {
    asm volatile("cp.async.commit_group;");
}

int main(int count, char**) {
    int host[64], results[10], *in, *out;
    for (int i = 0; i < 64; ++i) host[i] = i % 10;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(results));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    if (count > 1) return unknown<<<1, 1>>>(), cudaDeviceSynchronize();
    auto show = [&](int many) {
        cudaMemcpy(results, out, sizeof(int) * many, cudaMemcpyDeviceToHost);
        for (int i = 0; i < many; ++i) printf("%d ", results[i]);
    };
    groups<<<1, 32, sizeof(host)>>>(in, out), show(5);
    const int two[] = {6, 7};
    cudaMemcpyToSymbol(factors, two, sizeof(two));
    numbers<<<1, 32>>>(in, out), show(10);
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    int most = 0, ran = 0;
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxGridDimY, 0);
    cudaLaunchHostFunc(
        nullptr, [](void* at) { *(int*)at = 1; }, &ran);
    printf("%d %d %s\n", most == device.maxGridSize[1], ran, cudaGetErrorName(cudaErrorInvalidConfiguration));
}
