// CUDA calls that are checked, device memory and device time, for the CUDA backend alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <cuda.h>
#include <dlfcn.h>

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

/// Calls a function of the driver's library. That is asked for at run time: where there is no GPU there may be none,
/// and the program has to start all the same.
template <class Function, class... Arguments>
void call_driver(const char* name, Arguments... arguments) {
    static void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    const auto function = library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) throw CudaFailure(std::string("The driver has no ") + name + ".");
    if (const CUresult error = function(arguments...); error == CUDA_ERROR_OUT_OF_MEMORY)
        throw CudaFailure("CUDA failed: " + advice(cudaErrorMemoryAllocation) + ".");
    else if (error != CUDA_SUCCESS)
        throw CudaFailure("The driver failed: " + std::string(name) + " gave error " +
                          std::to_string(static_cast<int>(error)) + ".");
}

/// Has calls of CUDA go to a device, for as long as it lives; then they go to the first again.
class OnDevice {
public:
    explicit OnDevice(int device) { CUDA_CHECK(cudaSetDevice(device)); }
    ~OnDevice() { cudaSetDevice(0); }
    OnDevice(const OnDevice&) = delete;
};

/// Memory of the first devices in one range of addresses, which all of them see.
/// stride  bytes from one's part to the next one's; a multiple of what memory is dealt out in, 2 MiB
class PartsMemory {
public:
    PartsMemory(std::size_t bytes_each, std::size_t stride, int devices) : PartsMemory(stride * devices) {
        CUmemAllocationProp kind{};
        kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        kind.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        std::size_t piece = 0;
        call_driver<decltype(&cuMemGetAllocationGranularity)>("cuMemGetAllocationGranularity", &piece, &kind,
                                                              CU_MEM_ALLOC_GRANULARITY_MINIMUM);
        size_ = (bytes_each + piece - 1) / piece * piece;
        for (; mapped_ < devices; ++mapped_) {
            kind.location.id = mapped_;
            CUmemGenericAllocationHandle memory{};
            const CUdeviceptr place = base_ + mapped_ * stride;
            call_driver<decltype(&cuMemCreate)>("cuMemCreate", &memory, size_, &kind, 0ull);
            const auto release = [](auto* of) { call_driver<decltype(&cuMemRelease)>("cuMemRelease", *of); };
            const std::unique_ptr<decltype(memory), decltype(release)> held(&memory, release);  // mapped, it stays
            call_driver<decltype(&cuMemMap)>("cuMemMap", place, size_, std::size_t{0}, memory, 0ull);
            std::vector<CUmemAccessDesc> all(devices, {kind.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE});
            for (int device = 0; device < devices; ++device) all[device].location.id = device;
            call_driver<decltype(&cuMemSetAccess)>("cuMemSetAccess", place, size_, all.data(), all.size());
            stride_ = stride;
        }
    }
    ~PartsMemory() {
        for (; mapped_ > 0; --mapped_)
            call_driver<decltype(&cuMemUnmap)>("cuMemUnmap", base_ + (mapped_ - 1) * stride_, size_);
        call_driver<decltype(&cuMemAddressFree)>("cuMemAddressFree", base_, reserved_);
    }
    PartsMemory(const PartsMemory&) = delete;
    void* get() const { return reinterpret_cast<void*>(base_); }

private:
    explicit PartsMemory(std::size_t reserved) : reserved_(reserved) {
        call_driver<decltype(&cuMemAddressReserve)>("cuMemAddressReserve", &base_, reserved, std::size_t{0},
                                                    CUdeviceptr{0}, 0ull);
    }
    CUdeviceptr base_ = 0;
    std::size_t reserved_, size_ = 0, stride_ = 0;
    int mapped_ = 0;
};

/// How an array is dealt out to the first devices: each has as many elements, a stride of them apart.
struct Split {
    unsigned devices = 1;
    std::size_t stride = 0;
};

/// Device memory of `count` elements, freed with its owner. Copies are made on the device.
template <class T>
class DeviceArray {
public:
    explicit DeviceArray(std::size_t count, Split split = {}) : count_(count), split_(split) {
        if (count == 0) return;
        if (split.devices > 1) {
            parts_ = std::make_unique<PartsMemory>(count / split.devices * sizeof(T), split.stride * sizeof(T),
                                                   static_cast<int>(split.devices));
            data_ = static_cast<T*>(parts_->get());
        } else {
            CUDA_CHECK(cudaMalloc(&data_, count * sizeof(T)));
        }
    }
    ~DeviceArray() {
        if (!parts_) cudaFree(data_);
    }
    DeviceArray(const DeviceArray& other) : DeviceArray(other.count_, other.split_) { *this = other; }
    /// other  of as many elements
    DeviceArray& operator=(const DeviceArray& other) {
        each_part([&](T* part, std::size_t, std::size_t bytes) {
            CUDA_CHECK(cudaMemcpy(part, other.data_ + (part - data_), bytes, cudaMemcpyDeviceToDevice));
        });
        return *this;
    }
    T* get() const { return data_; }
    std::size_t bytes() const { return count_ * sizeof(T); }
    void zero() {
        each_part([](T* part, std::size_t, std::size_t bytes) { CUDA_CHECK(cudaMemset(part, 0, bytes)); });
    }
    void upload(const void* from) {
        each_part([&](T* part, std::size_t first, std::size_t bytes) {
            CUDA_CHECK(cudaMemcpy(part, static_cast<const T*>(from) + first, bytes, cudaMemcpyHostToDevice));
        });
    }
    void download(std::vector<T>& to) const {
        to.resize(count_);
        download(to.data());
    }
    void download(void* to) const {
        each_part([&](const T* part, std::size_t first, std::size_t bytes) {
            CUDA_CHECK(cudaMemcpy(static_cast<T*>(to) + first, part, bytes, cudaMemcpyDeviceToHost));
        });
    }
    /// Whether another of as many elements, dealt out alike, holds the same.
    /// equal  (two places on the device, bytes)
    template <class Equal>
    bool equals(const DeviceArray& other, Equal equal) const {
        bool all = true;
        each_part([&](const T* part, std::size_t, std::size_t bytes) {
            all = all && equal(part, other.data_ + (part - data_), bytes);
        });
        return all;
    }

private:
    /// use  (the part of a device, its first element, its bytes)
    template <class Use>
    void each_part(Use use) const {
        const std::size_t count = count_ / split_.devices;
        for (unsigned part = 0; part < split_.devices && count != 0; ++part)
            use(data_ + part * split_.stride, part * count, count * sizeof(T));
    }
    std::unique_ptr<PartsMemory> parts_;  // of several devices
    T* data_ = nullptr;
    std::size_t count_;
    Split split_;
};

/// Has devices wait for each other's work so far, without the host.
class Meeting {
public:
    explicit Meeting(unsigned devices) : events_(devices) {
        for (unsigned device = 0; device < devices; ++device) {
            const OnDevice on(static_cast<int>(device));
            CUDA_CHECK(cudaEventCreateWithFlags(&events_[device], cudaEventDisableTiming));
        }
    }
    ~Meeting() {
        for (cudaEvent_t event : events_) cudaEventDestroy(event);
    }
    Meeting(const Meeting&) = delete;
    void meet() const {
        const auto on_each = [&](auto use) {
            for (unsigned device = 0; device < events_.size(); ++device) {
                const OnDevice on(static_cast<int>(device));
                use(device);
            }
        };
        if (events_.size() < 2) return;
        on_each([&](unsigned device) { CUDA_CHECK(cudaEventRecord(events_[device])); });
        on_each([&](unsigned device) {
            for (unsigned other = 0; other < events_.size(); ++other)
                if (other != device) CUDA_CHECK(cudaStreamWaitEvent(nullptr, events_[other]));
        });
    }

private:
    std::vector<cudaEvent_t> events_;
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
    void start() const { CUDA_CHECK(cudaEventRecord(begin_)); }
    void stop() const { CUDA_CHECK(cudaEventRecord(end_)); }
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
