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
    *d = static_cast<T*>(wt::device_pointer(h));
    return wt::error(*d == nullptr ? cudaErrorInvalidValue : 0);
}
inline cudaError_t cudaHostRegister(void* p, std::size_t bytes, unsigned) {
    return wt::register_host(p, bytes), wt::error();
}
inline cudaError_t cudaHostUnregister(void* p) {
    return wt::register_host(p, 0), wt::error();
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
struct cudaPitchedPtr {
    void* ptr;
    std::size_t pitch, xsize, ysize;
};
struct cudaExtent {
    std::size_t width, height, depth;
};
struct cudaPos {
    std::size_t x, y, z;
};
inline cudaPitchedPtr make_cudaPitchedPtr(void* at, std::size_t pitch, std::size_t x, std::size_t y) {
    return {at, pitch, x, y};
}
inline cudaExtent make_cudaExtent(std::size_t w, std::size_t h, std::size_t d) {
    return {w, h, d};
}
inline cudaPos make_cudaPos(std::size_t x, std::size_t y, std::size_t z) {
    return {x, y, z};
}
struct cudaMemcpy3DParms {  // arrays of the texture hardware are not there
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};
inline cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t = nullptr) {
    const auto row = [](const cudaPitchedPtr& of, const cudaPos& at, std::size_t y, std::size_t z) {
        return static_cast<char*>(of.ptr) + ((at.z + z) * of.ysize + at.y + y) * of.pitch + at.x;
    };
    for (std::size_t z = 0; z < p->extent.depth; ++z)
        for (std::size_t y = 0; y < p->extent.height; ++y)
            cudaMemcpyAsync(row(p->dstPtr, p->dstPos, y, z), row(p->srcPtr, p->srcPos, y, z), p->extent.width, p->kind);
    return wt::error();
}
inline cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
    return cudaMemcpy3DAsync(p);
}
inline cudaError_t cudaMalloc3D(cudaPitchedPtr* p, cudaExtent extent) {
    *p = {nullptr, (extent.width + 511) / 512 * 512, extent.width, extent.height};
    return cudaMalloc(&p->ptr, p->pitch * extent.height * extent.depth);
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
#include "warptree/graphs.hpp"

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
