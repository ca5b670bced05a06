// CUB and Thrust, as their documentation says to call them.
#include <bit>
#include <memory>

#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include "kernels/device.cuh"
#include "kernels/references_cuda.cuh"

namespace warptree::kernels {
namespace {

/// cub::DeviceReduce::Sum, its scratch memory ready.
template <class T>
class CubSum {
public:
    explicit CubSum(std::uint64_t n) : n_(static_cast<std::uint32_t>(n)), scratch_(scratch_bytes()) {}
    void run(const void* input) {
        std::size_t bytes = scratch_bytes_;
        CUDA_CHECK(cub::DeviceReduce::Sum(scratch_.get(), bytes, static_cast<const T*>(input), output_.get(), n_));
    }
    std::uint64_t result() const {
        std::uint32_t bits = 0;
        output_.download(&bits);
        return bits;
    }

private:
    std::size_t scratch_bytes() {
        CUDA_CHECK(cub::DeviceReduce::Sum(nullptr, scratch_bytes_, static_cast<const T*>(nullptr),
                                          static_cast<T*>(nullptr), n_));
        return scratch_bytes_;
    }
    std::uint32_t n_;
    std::size_t scratch_bytes_ = 0;
    DeviceArray<std::byte> scratch_;
    DeviceArray<T> output_{1};
};

/// cub::DeviceScan::InclusiveSum, its scratch memory ready, or Thrust's.
template <class T>
class Scan {
public:
    explicit Scan(std::uint64_t n) : n_(n), scratch_(scratch_bytes()), output_(n) {}
    void cub(const void* input) {
        CUDA_CHECK(cub::DeviceScan::InclusiveSum(scratch_.get(), scratch_bytes_, static_cast<const T*>(input),
                                                 output_.get(), n_));
    }
    void thrust(const void* input) {
        const T* begin = static_cast<const T*>(input);
        thrust::inclusive_scan(thrust::device, begin, begin + n_, output_.get());
    }
    /// The last element.
    std::uint64_t result() const {
        std::uint32_t bits = 0;
        CUDA_CHECK(cudaMemcpy(&bits, output_.get() + n_ - 1, sizeof bits, cudaMemcpyDeviceToHost));
        return bits;
    }

private:
    std::size_t scratch_bytes() {
        CUDA_CHECK(cub::DeviceScan::InclusiveSum(nullptr, scratch_bytes_, static_cast<const T*>(nullptr),
                                                 static_cast<T*>(nullptr), n_));
        return scratch_bytes_;
    }
    std::uint64_t n_;
    std::size_t scratch_bytes_ = 0;
    DeviceArray<std::byte> scratch_;
    DeviceArray<T> output_;
};

template <class T>
DeviceReference scan_over(std::string_view name, std::uint64_t n) {
    const auto scan = std::make_shared<Scan<T>>(n);
    const bool cub = name == "cub-scan";
    return {[=](const void* input) { cub ? scan->cub(input) : scan->thrust(input); }, [=] { return scan->result(); }};
}

template <class T>
DeviceReference reference_over(std::string_view name, std::uint64_t n) {
    if (name.ends_with("-scan")) return scan_over<T>(name, n);
    auto sum = std::make_shared<CubSum<T>>(n);
    if (name == "cub-reduce") return {[=](const void* input) { sum->run(input); }, [=] { return sum->result(); }};
    if (name == "thrust-reduce") {
        auto result = std::make_shared<T>();
        const auto reduce = [=](const void* input) {
            const T* begin = static_cast<const T*>(input);
            *result = thrust::reduce(thrust::device, begin, begin + n, T{0});
        };
        return {reduce, [=] { return std::uint64_t{std::bit_cast<std::uint32_t>(*result)}; }};
    }
    auto copy = std::make_shared<DeviceArray<T>>(n);
    const auto run = [=](const void* input) {
        CUDA_CHECK(cudaMemcpyAsync(copy->get(), input, n * sizeof(T), cudaMemcpyDeviceToDevice));
    };
    return {run, [=] { return sum->run(copy->get()), sum->result(); }};
}

}  // namespace

DeviceReference device_reference(std::string_view name, value::Type type, std::uint64_t n) {
    return type == value::Type::kInt32 ? reference_over<std::int32_t>(name, n) : reference_over<float>(name, n);
}

bool equal_on_device(const void* left, const void* right, std::size_t bytes) {
    const auto* a = static_cast<const std::uint32_t*>(left);
    return thrust::equal(thrust::device, a, a + bytes / sizeof *a, static_cast<const std::uint32_t*>(right));
}

}  // namespace warptree::kernels
