// CUDA's host API, as far as programs that reduce and scan use it.
#pragma once

#include <cassert>
#include <cfloat>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "warptree/devices.hpp"

namespace wt {
struct Event {
    double ms = 0;
};
inline cudaError_t error(int code = 0) {
    return static_cast<cudaError_t>(code);
}
}  // namespace wt
using cudaEvent_t = wt::Event*;

// ---- memory

inline cudaError_t cudaMalloc(void** p, std::size_t n) {
    *p = wt::allocate(n, wt::Space::kDevice);
    return wt::error(*p == nullptr && n != 0 ? cudaErrorMemoryAllocation : 0);
}
template <class T>
cudaError_t cudaMalloc(T** p, std::size_t n) {
    return cudaMalloc(reinterpret_cast<void**>(p), n);
}
template <class T>
cudaError_t cudaMallocManaged(T** p, std::size_t n, unsigned = 1) {
    *p = static_cast<T*>(wt::allocate(n, wt::Space::kManaged));
    return wt::error(*p == nullptr && n != 0 ? cudaErrorMemoryAllocation : 0);
}
template <class T>
cudaError_t cudaMallocAsync(T** p, std::size_t n, cudaStream_t) {
    return cudaMalloc(p, n);
}
template <class T>
cudaError_t cudaMallocHost(T** p, std::size_t n, unsigned = 0) {
    *p = static_cast<T*>(wt::allocate(n, wt::Space::kPinned));
    return wt::error(*p == nullptr && n != 0 ? cudaErrorMemoryAllocation : 0);
}
template <class T>
cudaError_t cudaHostAlloc(T** p, std::size_t n, unsigned = 0) {
    return cudaMallocHost(p, n);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** d, void* h, unsigned) {
    *d = static_cast<T*>(h);
    return wt::error();
}
template <class T>
cudaError_t cudaMallocPitch(T** p, std::size_t* pitch, std::size_t w, std::size_t h) {
    *pitch = (w + 255) / 256 * 256;
    return cudaMalloc(p, *pitch * h);
}
inline cudaError_t cudaFree(void* p) {
    return wt::error(wt::release(p, false));
}
inline cudaError_t cudaFreeAsync(void* p, cudaStream_t) {
    return cudaFree(p);
}
inline cudaError_t cudaFreeHost(void* p) {
    return wt::error(wt::release(p, true));
}
inline cudaError_t cudaMemcpy(void* d, const void* s, std::size_t n, cudaMemcpyKind kind) {
    return wt::error(wt::copy(d, s, n, kind));
}
inline cudaError_t cudaMemcpyAsync(void* d, const void* s, std::size_t n, cudaMemcpyKind kind, cudaStream_t = nullptr) {
    if (wt::captured([=] { cudaMemcpy(d, s, n, kind); })) return wt::error();
    return cudaMemcpy(d, s, n, kind);
}
inline cudaError_t cudaMemcpyPeer(void* d, int, const void* s, int, std::size_t n) {
    return cudaMemcpy(d, s, n, cudaMemcpyDeviceToDevice);
}
inline cudaError_t cudaMemcpyPeerAsync(void* d, int, const void* s, int, std::size_t n, cudaStream_t = nullptr) {
    return cudaMemcpyAsync(d, s, n, cudaMemcpyDeviceToDevice);
}
// A symbol's place is known, so no direction is: __constant__ ones are no arrays of the device here
template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* s, std::size_t n, std::size_t offset = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice) {
    return cudaMemcpy(reinterpret_cast<char*>(&symbol) + offset, s, n, cudaMemcpyDefault);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* d, const T& symbol, std::size_t n, std::size_t offset = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost) {
    return cudaMemcpy(d, reinterpret_cast<const char*>(&symbol) + offset, n, cudaMemcpyDefault);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T& symbol, const void* s, std::size_t n, std::size_t offset = 0,
                                    cudaMemcpyKind = cudaMemcpyHostToDevice, cudaStream_t = nullptr) {
    return cudaMemcpyToSymbol(symbol, s, n, offset);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* d, const T& symbol, std::size_t n, std::size_t offset = 0,
                                      cudaMemcpyKind = cudaMemcpyDeviceToHost, cudaStream_t = nullptr) {
    return cudaMemcpyFromSymbol(d, symbol, n, offset);
}
template <class P, class T>
cudaError_t cudaGetSymbolAddress(P** p, T& symbol) {
    *p = reinterpret_cast<P*>(&symbol);
    return wt::error();
}
inline cudaError_t cudaMemset(void* d, int byte, std::size_t n) {
    return wt::error(wt::fill(d, byte, n));
}
inline cudaError_t cudaMemsetAsync(void* d, int byte, std::size_t n, cudaStream_t = nullptr) {
    if (wt::captured([=] { cudaMemset(d, byte, n); })) return wt::error();
    return cudaMemset(d, byte, n);
}
inline cudaError_t cudaMemcpy2D(void* d, std::size_t dp, const void* s, std::size_t sp, std::size_t w, std::size_t h,
                                cudaMemcpyKind kind) {
    for (std::size_t i = 0; i < h; ++i)
        cudaMemcpy(static_cast<char*>(d) + i * dp, static_cast<const char*>(s) + i * sp, w, kind);
    return wt::error();
}

inline cudaError_t cudaMemcpy2DAsync(void* d, std::size_t dp, const void* s, std::size_t sp, std::size_t w,
                                     std::size_t h, cudaMemcpyKind kind, cudaStream_t = nullptr) {
    return cudaMemcpy2D(d, dp, s, sp, w, h, kind);
}
inline cudaError_t cudaMemset2D(void* d, std::size_t pitch, int byte, std::size_t w, std::size_t h) {
    for (std::size_t i = 0; i < h; ++i) cudaMemset(static_cast<char*>(d) + i * pitch, byte, w);
    return wt::error();
}
inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* a, const void* at) {
    return *a = {cudaMemoryTypeDevice, 0, const_cast<void*>(at), nullptr}, wt::error();
}

// ---- devices, streams, events

inline cudaError_t cudaDeviceSynchronize() {
    return wt::error(wt::synchronise());
}
inline cudaError_t cudaThreadSynchronize() {
    return cudaDeviceSynchronize();
}
inline cudaError_t cudaGetLastError() {
    return wt::error(wt::last_error(true));
}
inline cudaError_t cudaPeekAtLastError() {
    return wt::error(wt::last_error(false));
}
inline cudaError_t cudaGetDeviceCount(int* n) {
    return *n = 1, wt::error();
}
inline cudaError_t cudaGetDevice(int* d) {
    return *d = 0, wt::error();
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int) {
    return *p = {}, wt::error();
}
inline cudaError_t cudaChooseDevice(int* d, const cudaDeviceProp*) {
    return *d = 0, wt::error();
}
inline cudaError_t cudaMemGetInfo(std::size_t* f, std::size_t* t) {
    return *f = *t = cudaDeviceProp().totalGlobalMem, wt::error();
}
inline cudaError_t cudaDriverGetVersion(int* v) {
    return *v = 12000, wt::error();
}
inline cudaError_t cudaRuntimeGetVersion(int* v) {
    return *v = 12000, wt::error();
}
inline cudaError_t cudaEventCreate(cudaEvent_t* e) {
    return *e = new wt::Event, wt::error();
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned) {
    return cudaEventCreate(e);
}
inline cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t = nullptr) {
    return e->ms = wt::now_ms(), wt::error();
}
inline cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t a, cudaEvent_t b) {
    return *ms = static_cast<float>(b->ms - a->ms), wt::error();
}
inline cudaError_t cudaEventDestroy(cudaEvent_t e) {
    return delete e, wt::error();
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t) {
    return cudaDeviceSynchronize();
}
inline cudaError_t cudaEventQuery(cudaEvent_t) {
    return wt::error();
}
inline cudaError_t cudaStreamCreate(cudaStream_t* s) {
    return *s = nullptr, wt::error();
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned) {
    return cudaStreamCreate(s);
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) {
    return cudaDeviceSynchronize();
}
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t* s, unsigned, int) {
    return cudaStreamCreate(s);
}
inline cudaError_t cudaStreamQuery(cudaStream_t) {
    return wt::error();
}
/// What the host does between, done at once.
inline cudaError_t cudaLaunchHostFunc(cudaStream_t, void (*f)(void*), void* data) {
    if (wt::captured([=] { f(data); })) return wt::error();
    return f(data), wt::error();
}
inline cudaError_t cudaStreamAddCallback(cudaStream_t s, void (*f)(cudaStream_t, cudaError_t, void*), void* data,
                                         unsigned) {
    return f(s, cudaSuccess, data), wt::error();
}
inline cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* most) {
    return *least = *most = 0, wt::error();
}
inline cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit) {
    return *value = 1024, wt::error();
}
inline cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    return *config = cudaSharedMemBankSizeFourByte, wt::error();
}
inline cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    return *config = cudaFuncCachePreferNone, wt::error();
}
inline cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
    return *can = 0, wt::error();
}
#define WT_NOTHING(name)       \
    template <class... A>      \
    cudaError_t name(A&&...) { \
        return wt::error();    \
    }
WT_NOTHING(cudaThreadExit)
WT_NOTHING(cudaDeviceReset)
WT_NOTHING(cudaSetDevice)
WT_NOTHING(cudaSetDeviceFlags)
WT_NOTHING(cudaStreamDestroy)
WT_NOTHING(cudaStreamWaitEvent)
WT_NOTHING(cudaMemPrefetchAsync)
WT_NOTHING(cudaMemAdvise)
WT_NOTHING(cudaHostRegister)
WT_NOTHING(cudaHostUnregister)
WT_NOTHING(cudaProfilerStart)
WT_NOTHING(cudaProfilerStop)
WT_NOTHING(cudaDeviceSetCacheConfig)
WT_NOTHING(cudaDeviceSetSharedMemConfig)
WT_NOTHING(cudaDeviceSetLimit)
WT_NOTHING(cudaFuncSetCacheConfig)
WT_NOTHING(cudaFuncSetAttribute)
WT_NOTHING(cudaFuncSetSharedMemConfig)
WT_NOTHING(cudaThreadSetCacheConfig)
WT_NOTHING(cudaDeviceEnablePeerAccess)
WT_NOTHING(cudaDeviceDisablePeerAccess)
WT_NOTHING(cudaCtxResetPersistingL2Cache)
WT_NOTHING(cudaGraphDestroy)
WT_NOTHING(cudaGraphExecDestroy)
WT_NOTHING(cudaGraphExecUpdate)
WT_NOTHING(cudaGraphUpload)
WT_NOTHING(cudaGraphDebugDotPrint)
WT_NOTHING(cudaGraphAddDependencies)
#undef WT_NOTHING
// ---- graphs: what is captured is done when the graph is launched, in the order in which it came

using cudaGraph_t = wt::Graph*;
using cudaGraphExec_t = wt::Graph*;
using cudaGraphNode_t = wt::Graph::Step*;
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal,
    cudaStreamCaptureModeThreadLocal,
    cudaStreamCaptureModeRelaxed
};
enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive };
inline cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned = 0) {
    return *graph = new wt::Graph, wt::error();
}
inline cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode = cudaStreamCaptureModeGlobal) {
    return cudaGraphCreate(&wt::capturing);
}
inline cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) {
    return *graph = wt::capturing, wt::capturing = nullptr, wt::error();
}
inline cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
    return *status = wt::capturing != nullptr ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone,
           wt::error();
}
template <class... A>
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, A&&...) {
    return *exec = graph, wt::error();
}
inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
    return cudaGraphInstantiate(exec, graph);
}
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t) {
    for (wt::Graph::Step* step = exec->first; step != nullptr; step = step->next) step->run(*step);
    return wt::error(wt::last_error(false));
}
inline cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
    std::size_t n = 0;
    for (wt::Graph::Step* step = graph->first; step != nullptr; step = step->next, ++n)
        if (nodes != nullptr) nodes[n] = step;
    return *count = n, wt::error();
}
/// Adds what a call does to a graph.
template <class Call>
cudaError_t wt_add_node(cudaGraphNode_t* node, cudaGraph_t graph, Call call) {
    wt::capturing = graph;
    const cudaError_t error = call();
    wt::capturing = nullptr;
    return *node = graph->last, error;
}
struct cudaKernelNodeParams {
    void* func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams, **extra;
};
struct cudaHostNodeParams {
    void (*fn)(void*);
    void* userData;
};
struct cudaMemsetParams {
    void* dst;
    std::size_t pitch;
    unsigned value, elementSize;
    std::size_t width, height;
};
inline cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, std::size_t,
                                          const cudaKernelNodeParams* p) {
    return wt_add_node(node, graph, [&] {
        return wt::launch_kernel(0, false, p->func, p->gridDim, p->blockDim, p->kernelParams, p->sharedMemBytes);
    });
}
inline cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*,
                                            std::size_t, void* d, const void* s, std::size_t n, cudaMemcpyKind kind) {
    return wt_add_node(node, graph, [&] { return cudaMemcpyAsync(d, s, n, kind); });
}
inline cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, std::size_t,
                                          const cudaMemsetParams* p) {
    return wt_add_node(node, graph, [&] {
        return cudaMemsetAsync(p->dst, static_cast<int>(p->value), p->width * p->elementSize * p->height);
    });
}
inline cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, std::size_t,
                                        const cudaHostNodeParams* p) {
    return wt_add_node(node, graph, [&] { return cudaLaunchHostFunc(nullptr, p->fn, p->userData); });
}
template <class F>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* a, F) {
    return *a = {}, wt::error();
}
template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* n, F, int block, std::size_t) {
    return *n = 2048 / (block < 1 ? 1 : block), wt::error();
}
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, F, std::size_t = 0, int = 0) {
    return *grid = 8, *block = 256, wt::error();
}
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, F, ...) {
    return *grid = 8, *block = 256, wt::error();
}
struct cudaLaunchAttribute {
    int id;
    union {
        int cooperative, programmaticStreamSerializationAllowed, priority;
        dim3 clusterDim;
    } val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    std::size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute* attrs;
    unsigned numAttrs;
};
template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(P...), A&&... a) {
    return wt::error(wt::launch(
        wt::name_of(kernel, "kernel"), "", 0, {config->gridDim, config->blockDim, config->dynamicSmemBytes},
        [&](auto&... x) { wt::call(kernel, x...); }, P(a)...));
}
