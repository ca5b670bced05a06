// Sums by way of what few programs have: PTX on shared memory, graphs, vectors' operators and complex numbers of
// headers that are not brought, constants of floats, copies between devices.
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <helper_math.h>
#include <cstdint>
#include <cstdio>
#include <cstring>

constexpr float kOne = 1;
__host__ __device__ constexpr float identity(float x) {
    return x;
}

__device__ float load(uint32_t at) {
    float x;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x) : "r"(at));
    return x;
}
__global__ void ptx(const float* in, float* out) {
    __shared__ float s[64];
    int t = threadIdx.x;
    uint32_t begin = static_cast<uint32_t>(__cvta_generic_to_shared(s));
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(begin + 4 * t), "f"(in[t]));
    for (int d = 32; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) s[t] = load(begin + 4 * t) + load(begin + 4 * (t + d));
    }
    __syncthreads();
    float a, b, c, d;
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "r"(begin));
    if (t == 0) out[0] = a;
}
__global__ void sum(const float* in, float* out, int n) {
    constexpr float kZero = 0;
    float x = kZero;
    for (int i = 0; i < n; ++i) x += in[i];
    out[0] = identity(x);
}
__global__ void vectors(const float4* in, float* out) {
    __shared__ float4 s[16];
    int t = threadIdx.x;
    s[t] = in[t];
    for (int d = 8; d > 0; d /= 2) {
        __syncthreads();
        if (t < d) s[t] += s[t + d];
    }
    if (t == 0) out[0] = s[0].x + s[0].y + s[0].z + s[0].w;
}
__global__ void complex(const cuFloatComplex* in, cuFloatComplex* out) {
    cuFloatComplex all = make_cuFloatComplex(0, 0);
    for (int i = 0; i < 32; ++i) all = cuCaddf(all, in[i]);
    *out = all;
}
__global__ void directed(const float* in, float* out) {
    float zero = 0, down = 0, up = 0;
    for (int i = 0; i < 64; ++i) {
        zero = __fadd_rz(zero, 0.1f * (in[i] > -1)), down = __fadd_rd(down, 0.1f * (in[i] > -1));
        up = __fadd_ru(up, 0.1f * (in[i] > -1));
    }
    out[0] = zero - down, out[1] = up;
}
__global__ void chosen(const float* in, float* out) {
    float best = in[0];
    int at = 0;
    for (int i = 1; i < 64; ++i)
        if (in[i] > best) {
            best = in[i];
            at = i;
        }
    out[0] = best, out[1] = at;
}

int main(int argc, char** argv) {
    auto is = [&](const char* name) { return argc > 1 && strcmp(argv[1], name) == 0; };
    float host[64], got[2] = {}, *in, *out, *other;
    for (int i = 0; i < 64; ++i) host[i] = (i * 37 + 11) % 61;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, 8);
    cudaMalloc(&other, 8);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    if (is("ptx")) ptx<<<1, 64>>>(in, out);
    if (is("constants")) sum<<<1, 1>>>(in, out, 64);
    if (is("vectors")) vectors<<<1, 16>>>((const float4*)in, out);
    if (is("complex")) complex<<<1, 1>>>((const cuFloatComplex*)in, (cuFloatComplex*)out);
    if (is("chosen")) chosen<<<1, 1>>>(in, out);
    if (is("directed"))
        directed<<<1, 1>>>(in, out), cudaMemcpy(got, out, 8, cudaMemcpyDeviceToHost), printf("%.9g ", got[1]);
    if (is("graph")) {
        cudaGraph_t graph;
        cudaGraphExec_t run;
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
        cudaMemcpyAsync(in, host, sizeof(host), cudaMemcpyHostToDevice, stream);
        sum<<<1, 1, 0, stream>>>(in, out, 64);
        cudaMemcpyAsync(got, out, 4, cudaMemcpyDeviceToHost, stream);
        cudaStreamEndCapture(stream, &graph);
        cudaGraphInstantiate(&run, graph, nullptr, nullptr, 0);
        host[0] += 100;  // before the graph is launched
        for (int i = 0; i < 3; ++i) cudaGraphLaunch(run, stream);
        host[0] -= 100;
        printf("%g ", got[0] - 100);
    }
    if (is("nodes")) {
        cudaGraph_t graph;
        cudaGraphExec_t run;
        cudaGraphNode_t nodes[2];
        int n = 64;
        void* arguments[] = {&in, &out, &n};
        cudaKernelNodeParams kernel = {(void*)sum, 1, 1, 0, arguments, nullptr};
        cudaGraphCreate(&graph, 0);
        cudaGraphAddKernelNode(&nodes[0], graph, nullptr, 0, &kernel);
        cudaGraphAddMemcpyNode1D(&nodes[1], graph, nodes, 1, got, out, 4, cudaMemcpyDeviceToHost);
        cudaGraphInstantiate(&run, graph, nullptr, nullptr, 0);
        n = 3;  // the node has what it was
        cudaGraphLaunch(run, stream);
    }
    if (is("volume")) {  // 4 x 4 x 4 elements, there by a node, row by row into an array of rows of their own
        cudaGraph_t graph;
        cudaGraphExec_t run;
        cudaGraphNode_t node;
        cudaMemcpy3DParms there = {0};
        there.srcPtr = make_cudaPitchedPtr(host, 16, 16, 4);
        there.dstPtr = make_cudaPitchedPtr(in, 16, 16, 4);
        there.extent = make_cudaExtent(16, 4, 4);
        there.kind = cudaMemcpyHostToDevice;
        cudaMemset(in, 0, sizeof(host));
        cudaGraphCreate(&graph, 0);
        cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &there);
        cudaGraphInstantiate(&run, graph, nullptr, nullptr, 0);
        cudaGraphLaunch(run, stream);
        sum<<<1, 1>>>(in, out, 64);
        there.srcPos = make_cudaPos(4, 1, 2);  // element 2 * 16 + 1 * 4 + 1
        there.dstPtr = make_cudaPitchedPtr(got, 4, 4, 1);
        there.srcPtr = make_cudaPitchedPtr(in, 16, 16, 4);
        there.extent = make_cudaExtent(4, 1, 1);
        there.kind = cudaMemcpyDeviceToHost;
        cudaMemcpy3D(&there);
        printf("%g ", got[0] - host[37]);
    }
    if (is("peer")) {
        sum<<<1, 1>>>(in, other, 64);
        cudaMemcpyPeer(out, 0, other, 0, 4);
    }
    cudaSharedMemConfig banks;
    cudaDeviceGetSharedMemConfig(&banks);
    const float3 up = normalize(cross(make_float3(1, 0, 0), make_float3(0, 2, 0)));
    const cuComplex i = make_cuComplex(0, 1), square = cuCmulf(i, i);
    cudaMemcpy(got, out, is("complex") || is("chosen") ? 8 : 4, cudaMemcpyDeviceToHost);
    printf("%g %g %g %g %g\n", got[0], up.z, square.x, dot(make_float4(2), make_float4(up, 1)),
           __bfloat162float(__float2bfloat16_rn(identity(kOne))));
}
