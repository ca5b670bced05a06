#include "instrumentation/request/timing.hpp"

#include <array>

#include "instrumentation/request/registry.hpp"

namespace warptree::kernels {
namespace {

constexpr std::array<std::string_view, 10> kReferences{
    "copy",       "cpu-serial",    "cpu-parallel", "cpu-scan",  // of the CPU, too
    "cub-reduce", "thrust-reduce", "cub-scan",     "thrust-scan", "nccl-all-reduce", "nccl-reduce"};
constexpr std::size_t kOfTheCpu = 4;

}  // namespace

Result<std::unique_ptr<Bench>> Bench::make(Backend backend, value::Type type, std::uint64_t n) {
    return registry().bench(backend, type, n);
}

Result<double> copy_rate(Backend backend) {
    return registry().copy_rate(backend);
}

Result<Schedule> schedule(const Request& request) {
    return registry().schedule(request);
}

Result<std::function<Result<void>()>> ready(const Request& request, bool recorded) {
    return registry().ready(request, recorded);
}

bool is_for(std::string_view reference, Problem problem) {
    if (value::is_collective(problem))
        return reference == (problem == Problem::kAllReduce ? "nccl-all-reduce" : "nccl-reduce");
    if (reference.starts_with("nccl-")) return false;
    return reference == "copy" || reference.ends_with("-scan") == (problem != Problem::kReduction);
}

double bytes_moved(std::string_view name, value::Type type, std::uint64_t n, std::uint32_t devices) {
    const auto bytes = static_cast<double>(n * value::size_bytes(type));
    const Kernel* kernel = find(name);
    const auto is = [&](Problem problem) {
        return kernel == nullptr ? is_for(name, problem) : kernel->problem == problem;
    };
    if (is(Problem::kAllReduce)) return 2 * bytes * (devices - 1) / devices / devices;
    if (is(Problem::kReduceToRoot)) return bytes / devices;
    const bool writes = kernel == nullptr ? is_for(name, Problem::kInclusiveScan) : kernel->scans();
    return bytes * (writes ? 2 : 1);
}

std::span<const std::string_view> references(Backend backend) {
    return std::span(kReferences).first(backend == Backend::kCpu ? kOfTheCpu : kReferences.size());
}

std::string device_of(Backend backend) {
    return backend == Backend::kCuda ? cuda_status().device : std::string(kExecutor);
}

}  // namespace warptree::kernels
