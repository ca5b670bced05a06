// CUDA calls that are checked, device memory and device time, for the CUDA backend alone.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "instrumentation/result.hpp"

namespace warptree::kernels {

/// What ends a run on the GPU: a CUDA call that failed, as a sentence with its expression and place, or what else went
/// wrong on the way. Caught by the CUDA backend.
struct CudaFailure {
    explicit CudaFailure(std::string message) : error{Error::Kind::kFailed, std::move(message)} {}
    explicit CudaFailure(Error why) : error(std::move(why)) {}
    Error error;
};
/// What a call gave; where that is an error, the run ends with it.
template <class T>
T given(Result<T> result) {
    if (!result) throw CudaFailure(std::move(result.error()));
    return std::move(*result);
}

inline std::string advice(cudaError_t error) {
    switch (error) {
        case cudaErrorMemoryAllocation:
            return "the GPU has too little free memory; choose a smaller N or free some";
        case cudaErrorDevicesUnavailable:
            return "the GPU is busy with another program that holds it alone";
        case cudaErrorNoKernelImageForDevice:
            return "this build has no code for this GPU; Warptree needs compute capability 7.5 or newer";
        case cudaErrorInsufficientDriver:
            return "the NVIDIA driver is older than the CUDA Toolkit of this build; update the driver";
        case cudaErrorLaunchOutOfResources:
            return "a block of so many threads needs more registers than the GPU has; choose a smaller block";
        default:
            return cudaGetErrorString(error);
    }
}

inline void check_cuda(cudaError_t error, const char* expression, std::string_view file, int line) {
    if (error == cudaSuccess) return;
    cudaGetLastError();  // else the next run finds it
    file.remove_prefix(file.rfind('/') + 1);
    throw CudaFailure("CUDA failed: " + advice(error) + " (" + cudaGetErrorName(error) + " from " + expression + ", " +
                      std::string(file) + ":" + std::to_string(line) + ").");
}
#define CUDA_CHECK(call) check_cuda((call), #call, __FILE__, __LINE__)

/// Device memory of `count` elements, freed with its owner. Copies are made on the device.
template <class T>
class DeviceArray {
public:
    explicit DeviceArray(std::size_t count) : count_(count) {
        if (count != 0) CUDA_CHECK(cudaMalloc(&data_, count * sizeof(T)));
    }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(const DeviceArray& other) : DeviceArray(other.count_) { *this = other; }
    /// other  of as many elements
    DeviceArray& operator=(const DeviceArray& other) {
        CUDA_CHECK(cudaMemcpy(data_, other.data_, count_ * sizeof(T), cudaMemcpyDeviceToDevice));
        return *this;
    }
    T* get() const { return data_; }
    std::size_t bytes() const { return count_ * sizeof(T); }
    void zero() { CUDA_CHECK(cudaMemset(data_, 0, count_ * sizeof(T))); }
    void upload(const void* from) { CUDA_CHECK(cudaMemcpy(data_, from, count_ * sizeof(T), cudaMemcpyHostToDevice)); }
    void download(std::vector<T>& to) const {
        to.resize(count_);
        download(to.data());
    }
    void download(void* to) const { CUDA_CHECK(cudaMemcpy(to, data_, count_ * sizeof(T), cudaMemcpyDeviceToHost)); }

private:
    T* data_ = nullptr;
    std::size_t count_;
};

/// How long the device worked between two calls.
class Timer {
public:
    Timer() {
        CUDA_CHECK(cudaEventCreate(&begin_));
        CUDA_CHECK(cudaEventCreate(&end_));
    }
    ~Timer() {
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
    }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;
    void start() { CUDA_CHECK(cudaEventRecord(begin_)); }
    void stop() { CUDA_CHECK(cudaEventRecord(end_)); }
    double milliseconds() const {
        float ms = 0;
        CUDA_CHECK(cudaEventSynchronize(end_));
        CUDA_CHECK(cudaEventElapsedTime(&ms, begin_, end_));
        return static_cast<double>(ms);
    }

private:
    cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

}  // namespace warptree::kernels
