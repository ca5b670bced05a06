// CUDA's errors, enumerations, and what it says of a device.
#pragma once

#include "warptree/launch.hpp"

#define WT_ERRORS(X)                                                                    \
    X(cudaSuccess, 0, "no error")                                                       \
    X(cudaErrorInvalidValue, 1, "invalid argument")                                     \
    X(cudaErrorMemoryAllocation, 2, "out of memory")                                    \
    X(cudaErrorInitializationError, 3, "initialization error")                          \
    X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")               \
    X(cudaErrorInvalidSymbol, 13, "invalid device symbol")                              \
    X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                      \
    X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")         \
    X(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                    \
    X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                     \
    X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                            \
    X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                   \
    X(cudaErrorNotReady, 600, "device not ready")                                       \
    X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")         \
    X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")    \
    X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")           \
    X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")         \
    X(cudaErrorLaunchFailure, 719, "unspecified launch failure")                        \
    X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch") \
    X(cudaErrorNotSupported, 801, "operation not supported")                            \
    X(cudaErrorUnknown, 999, "unknown error")
enum cudaError_t : int {
#define WT_ERROR(name, number, text) name = number,
    WT_ERRORS(WT_ERROR)
#undef WT_ERROR
};
using cudaError = cudaError_t;
inline const char* cudaGetErrorString(cudaError_t e) {
    switch (e) {
#define WT_ERROR(name, number, text) \
    case name:                       \
        return text;
        WT_ERRORS(WT_ERROR)
#undef WT_ERROR
    }
    return "unrecognized error code";
}
inline const char* cudaGetErrorName(cudaError_t e) {
    switch (e) {
#define WT_ERROR(name, number, text) \
    case name:                       \
        return #name;
        WT_ERRORS(WT_ERROR)
#undef WT_ERROR
    }
    return "unrecognized error code";
}
#undef WT_ERRORS
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
    cudaMemAttachHost = 2,
    cudaHostRegisterDefault = 0,
    cudaHostRegisterPortable = 1,
    cudaHostRegisterMapped = 2,
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
    cudaDeviceScheduleSpin = 1,
    cudaDeviceScheduleYield = 2,
    cudaDeviceScheduleBlockingSync = 4,
    cudaDeviceMapHost = 8,
    cudaCpuDeviceId = -1,
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseSetAccessedBy = 5
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
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged };
struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
};
enum cudaLimit {
    cudaLimitStackSize,
    cudaLimitPrintfFifoSize,
    cudaLimitMallocHeapSize,
    cudaLimitDevRuntimeSyncDepth,
    cudaLimitDevRuntimePendingLaunchCount,
    cudaLimitMaxL2FetchGranularity,
    cudaLimitPersistingL2CacheSize
};
struct cudaDeviceProp {
    char name[256] = "Warptree's CPU executor";
    unsigned char uuid[16] = {};
    std::size_t totalGlobalMem = std::size_t{1} << 30, sharedMemPerBlock = 49152, sharedMemPerBlockOptin = 101376,
                sharedMemPerMultiprocessor = 102400, reservedSharedMemPerBlock = 1024, totalConstMem = 65536,
                memPitch = 2147483647, textureAlignment = 512, texturePitchAlignment = 32, surfaceAlignment = 512;
    int regsPerBlock = 65536, regsPerMultiprocessor = 65536, warpSize = 32, maxThreadsPerBlock = 1024;
    int maxThreadsDim[3] = {1024, 1024, 64}, maxGridSize[3] = {2147483647, 65535, 65535};
    int maxTexture1D = 131072, maxTexture1DLinear = 268435456, maxTexture2D[2] = {131072, 65536},
        maxTexture3D[3] = {16384, 16384, 16384}, maxTexture1DLayered[2] = {32768, 2048},
        maxTexture2DLayered[3] = {32768, 32768, 2048};
    int clockRate = 1000000, memoryClockRate = 1000000, memoryBusWidth = 256, l2CacheSize = 1 << 20, major = 8,
        minor = 0, multiProcessorCount = 4, maxThreadsPerMultiProcessor = 2048, maxBlocksPerMultiProcessor = 16,
        concurrentKernels = 1, canMapHostMemory = 1, cooperativeLaunch = 1, asyncEngineCount = 1, unifiedAddressing = 1,
        managedMemory = 1, concurrentManagedAccess = 1, kernelExecTimeoutEnabled = 0, integrated = 0, computeMode = 0,
        ECCEnabled = 0, pciBusID = 0, pciDeviceID = 0, pciDomainID = 0, deviceOverlap = 1, tccDriver = 0,
        isMultiGpuBoard = 0, multiGpuBoardGroupID = 0, streamPrioritiesSupported = 1, globalL1CacheSupported = 1,
        localL1CacheSupported = 1, hostNativeAtomicSupported = 0, pageableMemoryAccess = 0,
        pageableMemoryAccessUsesHostPageTables = 0, directManagedMemAccessFromHost = 0, computePreemptionSupported = 1,
        canUseHostPointerForRegisteredMem = 1, cooperativeMultiDeviceLaunch = 0, singleToDoublePrecisionPerfRatio = 2,
        persistingL2CacheMaxSize = 0, accessPolicyMaxWindowSize = 0;
};
#define WT_ATTRIBUTES(X)                                                           \
    X(cudaDevAttrMaxThreadsPerBlock, 1, maxThreadsPerBlock)                        \
    X(cudaDevAttrMaxBlockDimX, 2, maxThreadsDim[0])                                \
    X(cudaDevAttrMaxBlockDimY, 3, maxThreadsDim[1])                                \
    X(cudaDevAttrMaxBlockDimZ, 4, maxThreadsDim[2])                                \
    X(cudaDevAttrMaxGridDimX, 5, maxGridSize[0])                                   \
    X(cudaDevAttrMaxGridDimY, 6, maxGridSize[1])                                   \
    X(cudaDevAttrMaxGridDimZ, 7, maxGridSize[2])                                   \
    X(cudaDevAttrMaxSharedMemoryPerBlock, 8, sharedMemPerBlock)                    \
    X(cudaDevAttrTotalConstantMemory, 9, totalConstMem)                            \
    X(cudaDevAttrWarpSize, 10, warpSize)                                           \
    X(cudaDevAttrMaxRegistersPerBlock, 12, regsPerBlock)                           \
    X(cudaDevAttrClockRate, 13, clockRate)                                         \
    X(cudaDevAttrGpuOverlap, 15, deviceOverlap)                                    \
    X(cudaDevAttrMultiProcessorCount, 16, multiProcessorCount)                     \
    X(cudaDevAttrKernelExecTimeout, 17, kernelExecTimeoutEnabled)                  \
    X(cudaDevAttrIntegrated, 18, integrated)                                       \
    X(cudaDevAttrCanMapHostMemory, 19, canMapHostMemory)                           \
    X(cudaDevAttrComputeMode, 20, computeMode)                                     \
    X(cudaDevAttrConcurrentKernels, 31, concurrentKernels)                         \
    X(cudaDevAttrEccEnabled, 32, ECCEnabled)                                       \
    X(cudaDevAttrMemoryClockRate, 36, memoryClockRate)                             \
    X(cudaDevAttrGlobalMemoryBusWidth, 37, memoryBusWidth)                         \
    X(cudaDevAttrL2CacheSize, 38, l2CacheSize)                                     \
    X(cudaDevAttrMaxThreadsPerMultiProcessor, 39, maxThreadsPerMultiProcessor)     \
    X(cudaDevAttrAsyncEngineCount, 40, asyncEngineCount)                           \
    X(cudaDevAttrUnifiedAddressing, 41, unifiedAddressing)                         \
    X(cudaDevAttrComputeCapabilityMajor, 75, major)                                \
    X(cudaDevAttrComputeCapabilityMinor, 76, minor)                                \
    X(cudaDevAttrStreamPrioritiesSupported, 78, streamPrioritiesSupported)         \
    X(cudaDevAttrMaxSharedMemoryPerMultiprocessor, 81, sharedMemPerMultiprocessor) \
    X(cudaDevAttrMaxRegistersPerMultiprocessor, 82, regsPerMultiprocessor)         \
    X(cudaDevAttrManagedMemory, 83, managedMemory)                                 \
    X(cudaDevAttrPageableMemoryAccess, 88, pageableMemoryAccess)                   \
    X(cudaDevAttrConcurrentManagedAccess, 89, concurrentManagedAccess)             \
    X(cudaDevAttrComputePreemptionSupported, 90, computePreemptionSupported)       \
    X(cudaDevAttrCooperativeLaunch, 95, cooperativeLaunch)                         \
    X(cudaDevAttrMaxSharedMemoryPerBlockOptin, 97, sharedMemPerBlockOptin)         \
    X(cudaDevAttrMaxBlocksPerMultiprocessor, 106, maxBlocksPerMultiProcessor)
enum cudaDeviceAttr {
#define WT_ATTRIBUTE(name, number, of) name = number,
    WT_ATTRIBUTES(WT_ATTRIBUTE)
#undef WT_ATTRIBUTE
};
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
    const cudaDeviceProp all;
    switch (attribute) {
#define WT_ATTRIBUTE(name, number, of) \
    case name:                         \
        return *value = static_cast<int>(all.of), cudaSuccess;
        WT_ATTRIBUTES(WT_ATTRIBUTE)
#undef WT_ATTRIBUTE
    }
    return *value = 0, cudaSuccess;
}
#undef WT_ATTRIBUTES
struct cudaFuncAttributes {
    std::size_t sharedSizeBytes = 0, constSizeBytes = 0, localSizeBytes = 0;
    int maxThreadsPerBlock = 1024, numRegs = 32, ptxVersion = 80, binaryVersion = 80, maxDynamicSharedSizeBytes = 49152,
        preferredShmemCarveout = -1;
};
