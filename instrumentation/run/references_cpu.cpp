// What a CPU does with an input by itself: a copy, a plain loop, the same loop on all cores by OpenMP, and a plain
// scan.
#include <bit>
#include <chrono>
#include <cstring>

#include "instrumentation/beside.hpp"
#include "instrumentation/run/timed.hpp"

namespace warptree::kernels {
namespace {

/// Sum: what elements are added up in, wider than a float, or as integers wrap around.
template <class Sum, class T>
Sum serial_sum(const T* values, std::uint64_t n) {
    Sum sum = 0;
    for (std::uint64_t i = 0; i < n; ++i) sum += static_cast<Sum>(values[i]);
    return sum;
}

template <class Sum, class T>
Sum parallel_sum(const T* values, std::uint64_t n) {
    Sum sum = 0;
#if defined(_OPENMP)
#pragma omp parallel for simd reduction(+ : sum)
#endif
    for (std::uint64_t i = 0; i < n; ++i) sum += static_cast<Sum>(values[i]);
    return sum;
}

/// The inclusive scan; as many elements.
template <class Sum, class T>
void scan(const T* values, T* sums, std::uint64_t n) {
    Sum sum = 0;
    for (std::uint64_t i = 0; i < n; ++i) sums[i] = static_cast<T>(sum += static_cast<Sum>(values[i]));
}
void scan(const value::Values& values, value::Values& sums) {
    const auto run = [&]<class Sum, class T>(Sum, T) {
        scan<Sum>(reinterpret_cast<const T*>(values.bytes.data()), reinterpret_cast<T*>(sums.bytes.data()),
                  values.size());
    };
    values.type() == value::Type::kInt32 ? run(std::uint32_t{}, std::uint32_t{}) : run(double{}, float{});
}

std::uint64_t sum_of(const value::Values& values, bool parallel) {
    const std::uint64_t n = values.size();
    if (values.type() == value::Type::kInt32) {
        const auto* integers = reinterpret_cast<const std::uint32_t*>(values.bytes.data());
        return parallel ? parallel_sum<std::uint32_t>(integers, n) : serial_sum<std::uint32_t>(integers, n);
    }
    const auto* floats = reinterpret_cast<const float*>(values.bytes.data());
    const double sum = parallel ? parallel_sum<double>(floats, n) : serial_sum<double>(floats, n);
    return std::bit_cast<std::uint32_t>(static_cast<float>(sum));
}

}  // namespace

Result<Times> time_cpu(std::string_view reference, const value::Values& input, const Stop& stop) {
#if !defined(_OPENMP)
    if (reference == "cpu-parallel")
        return failure("cpu-parallel needs a compiler with OpenMP; this Warptree was built without.");
#endif
    const bool threads = gives_threads(value::cores());  // OpenMP would end the program
    if (reference == "cpu-parallel" && !threads)
        return failure("cpu-parallel needs a thread a core; the system gives no more threads now.");
    value::Values output(input.type());  // of a copy, of a scan
    Times times;
    if (reference == "copy" || reference == "cpu-scan") output = input;
    times.ms = repeated(
        [&] {
            const auto begun = std::chrono::steady_clock::now();
            if (reference == "copy") {
                std::memcpy(output.bytes.data(), input.bytes.data(), input.bytes.size());
            } else if (reference == "cpu-scan") {
                scan(input, output);
            } else {
                times.result = sum_of(input, reference == "cpu-parallel");
            }
            return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
        },
        stop);
    if (reference == "copy") times.result = sum_of(output, threads);
    if (reference == "cpu-scan") times.result = output.bits(output.size() - 1);
    return times;
}

}  // namespace warptree::kernels
