// CUB and Thrust, as their documentation says to call them.
#include <bit>
#include <memory>

#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include "instrumentation/run/device.cuh"
#include "instrumentation/run/references_cuda.cuh"

namespace warptree::kernels {
namespace {

/// What a call of CUB takes besides its input: scratch memory, ready, and an array for what it gives.
template <class T, class Call>
class Cub {
public:
    /// call     (scratch, its bytes, input, output): without scratch it says how much it needs
    /// results  elements that it gives
    Cub(Call call, std::uint64_t results) : call_(call), scratch_(needed()), output_(results), results_(results) {}
    void run(const void* input) {
        CUDA_CHECK(call_(scratch_.get(), bytes_, static_cast<const T*>(input), output_.get()));
    }
    T* output() const { return output_.get(); }
    /// The bits of the last.
    std::uint64_t result() const {
        std::uint32_t bits = 0;
        CUDA_CHECK(cudaMemcpy(&bits, output_.get() + results_ - 1, sizeof bits, cudaMemcpyDeviceToHost));
        return bits;
    }

private:
    std::size_t needed() {
        CUDA_CHECK(call_(nullptr, bytes_, static_cast<const T*>(nullptr), static_cast<T*>(nullptr)));
        return bytes_;
    }
    Call call_;
    std::size_t bytes_ = 0;
    DeviceArray<std::byte> scratch_;
    DeviceArray<T> output_;
    std::uint64_t results_;
};

template <class T, class Call>
auto make_cub(Call call, std::uint64_t results) {
    return std::make_shared<Cub<T, Call>>(call, results);
}

template <class T>
DeviceReference scan_over(std::string_view name, std::uint64_t n) {
    const auto scan =
        make_cub<T>([n](void* scratch, std::size_t& bytes, const T* input,
                        T* output) { return cub::DeviceScan::InclusiveSum(scratch, bytes, input, output, n); },
                    n);
    const auto result = [=] { return scan->result(); };
    if (name == "cub-scan") return {[=](const void* input) { scan->run(input); }, result};
    const auto by_thrust = [=](const void* input) {
        const T* begin = static_cast<const T*>(input);
        thrust::inclusive_scan(thrust::device, begin, begin + n, scan->output());
    };
    return {by_thrust, result};
}

template <class T>
DeviceReference reference_over(std::string_view name, std::uint64_t n) {
    if (name.ends_with("-scan")) return scan_over<T>(name, n);
    const auto sum = make_cub<T>(
        [n](void* scratch, std::size_t& bytes, const T* input, T* output) {
            return cub::DeviceReduce::Sum(scratch, bytes, input, output, static_cast<std::uint32_t>(n));
        },
        1);
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

__global__ void note_difference(const unsigned* left, const unsigned* right, std::size_t n, unsigned* differ) {
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x)
        if (left[i] != right[i]) *differ = 1;
}

}  // namespace

DeviceReference device_reference(std::string_view name, value::Type type, std::uint64_t n) {
    return type == value::Type::kInt32 ? reference_over<std::int32_t>(name, n) : reference_over<float>(name, n);
}

bool equal_on_device(const void* left, const void* right, std::size_t bytes) {
    DeviceArray<unsigned> differ(1);
    differ.zero();
    note_difference<<<1024, 256>>>(static_cast<const unsigned*>(left), static_cast<const unsigned*>(right),
                                   bytes / sizeof(unsigned), differ.get());
    CUDA_CHECK(cudaGetLastError());
    unsigned found = 0;
    differ.download(&found);
    return found == 0;
}

}  // namespace warptree::kernels
