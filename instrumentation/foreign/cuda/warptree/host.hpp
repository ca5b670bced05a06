// CUDA's host API, as far as programs that reduce and scan use it.
#pragma once

#include <cassert>
#include <cfloat>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "warptree/launch.hpp"

// ---- errors, devices

enum cudaError_t : int {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInitializationError = 3,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidDevice = 101,
    cudaErrorNoDevice = 100,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchFailure = 719,
    cudaErrorNotSupported = 801,
    cudaErrorUnknown = 999
};
using cudaError = cudaError_t;
using CUresult = int;
using CUdevice = int;
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum {
    cudaMemAttachGlobal = 1,
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaHostAllocWriteCombined = 4,
    cudaStreamDefault = 0,
    cudaStreamNonBlocking = 1,
    cudaEventDefault = 0,
    cudaEventBlockingSync = 1,
    cudaEventDisableTiming = 2,
    cudaDeviceScheduleAuto = 0,
    cudaDeviceMapHost = 8,
    cudaCpuDeviceId = -1,
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseSetPreferredLocation = 3
};
enum cudaMemLocationType { cudaMemLocationTypeInvalid, cudaMemLocationTypeDevice, cudaMemLocationTypeHost };
struct cudaMemLocation {
    cudaMemLocationType type;
    int id;
};
enum cudaFuncCache {
    cudaFuncCachePreferNone,
    cudaFuncCachePreferShared,
    cudaFuncCachePreferL1,
    cudaFuncCachePreferEqual
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault,
    cudaSharedMemBankSizeFourByte,
    cudaSharedMemBankSizeEightByte
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxBlockDimX = 2,
    cudaDevAttrMaxGridDimX = 5,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrClockRate = 13,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrMemoryClockRate = 36,
    cudaDevAttrGlobalMemoryBusWidth = 37,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrManagedMemory = 83,
    cudaDevAttrCooperativeLaunch = 95
};
struct cudaDeviceProp {
    char name[256] = "Warptree's CPU executor";
    std::size_t totalGlobalMem = std::size_t{2} << 30, sharedMemPerBlock = 49152, sharedMemPerBlockOptin = 101376,
                sharedMemPerMultiprocessor = 102400, totalConstMem = 65536, memPitch = 2147483647,
                textureAlignment = 512;
    int regsPerBlock = 65536, regsPerMultiprocessor = 65536, warpSize = 32, maxThreadsPerBlock = 1024;
    int maxThreadsDim[3] = {1024, 1024, 64}, maxGridSize[3] = {2147483647, 65535, 65535};
    int clockRate = 1000000, memoryClockRate = 1000000, memoryBusWidth = 256, l2CacheSize = 1 << 20, major = 8,
        minor = 0, multiProcessorCount = 4, maxThreadsPerMultiProcessor = 2048, maxBlocksPerMultiProcessor = 16,
        concurrentKernels = 1, canMapHostMemory = 1, cooperativeLaunch = 1, asyncEngineCount = 1, unifiedAddressing = 1,
        managedMemory = 1, concurrentManagedAccess = 1, kernelExecTimeoutEnabled = 0, integrated = 0, computeMode = 0,
        ECCEnabled = 0, pciBusID = 0, pciDeviceID = 0, deviceOverlap = 1;
};
struct cudaFuncAttributes {
    std::size_t sharedSizeBytes = 0, constSizeBytes = 0, localSizeBytes = 0;
    int maxThreadsPerBlock = 1024, numRegs = 32, ptxVersion = 80, binaryVersion = 80;
};
namespace wt {
struct Event {
    double ms = 0;
};
inline cudaError_t error(int code = 0) {
    return static_cast<cudaError_t>(code);
}
}  // namespace wt
using cudaEvent_t = wt::Event*;

inline const char* cudaGetErrorString(cudaError_t e) {
    switch (e) {
        case cudaSuccess:
            return "no error";
        case cudaErrorInvalidValue:
            return "invalid argument";
        case cudaErrorMemoryAllocation:
            return "out of memory";
        case cudaErrorInvalidConfiguration:
            return "invalid configuration argument";
        case cudaErrorIllegalAddress:
            return "an illegal memory access was encountered";
        case cudaErrorLaunchFailure:
            return "unspecified launch failure";
        default:
            return "unknown error";
    }
}
inline const char* cudaGetErrorName(cudaError_t e) {
    return e == cudaSuccess ? "cudaSuccess" : "cudaError";
}

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
    return cudaMemcpy(d, s, n, kind);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* s, std::size_t n, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return cudaMemcpy(reinterpret_cast<char*>(&symbol) + offset, s, n, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* d, const T& symbol, std::size_t n, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return cudaMemcpy(d, reinterpret_cast<const char*>(&symbol) + offset, n, kind);
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
    return cudaMemset(d, byte, n);
}
inline cudaError_t cudaMemcpy2D(void* d, std::size_t dp, const void* s, std::size_t sp, std::size_t w, std::size_t h,
                                cudaMemcpyKind kind) {
    for (std::size_t i = 0; i < h; ++i)
        cudaMemcpy(static_cast<char*>(d) + i * dp, static_cast<const char*>(s) + i * sp, w, kind);
    return wt::error();
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
inline cudaError_t cudaDeviceGetAttribute(int* v, cudaDeviceAttr a, int) {
    const cudaDeviceProp p;
    *v = a == cudaDevAttrMaxThreadsPerBlock || a == cudaDevAttrMaxBlockDimX ? p.maxThreadsPerBlock
         : a == cudaDevAttrMaxSharedMemoryPerBlock                          ? 49152
         : a == cudaDevAttrWarpSize                                         ? 32
         : a == cudaDevAttrMultiProcessorCount                              ? p.multiProcessorCount
         : a == cudaDevAttrMaxThreadsPerMultiProcessor                      ? 2048
         : a == cudaDevAttrComputeCapabilityMajor                           ? p.major
         : a == cudaDevAttrComputeCapabilityMinor                           ? p.minor
                                                                            : 1;
    return wt::error();
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
#undef WT_NOTHING
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
