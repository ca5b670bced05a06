// What is timed, how often, and what that says.
#include "instrumentation/run/timed.hpp"

#include <algorithm>
#include <new>

#include <fmt/format.h>

namespace warptree::kernels {
namespace {

constexpr std::uint64_t kRoundings = 4096;  // that a library's sum may make, at most

/// On inputs that stay where they are.
class TimedBench : public Bench {
public:
    explicit TimedBench(Prepared prepared) : prepared_(std::move(prepared)) {}
    Result<Timing> time(const std::string& name, std::uint32_t block, bool cold, const Stop& stop,
                        std::uint32_t coarsen, std::uint32_t devices) override;

    const NcclNotes& nccl() const override { return nccl_; }

    NcclNotes nccl_;
    Prepared prepared_;         // its kernel is whatever is timed
    judge::Expectation right_;  // tolerance: of one rounding
    std::shared_ptr<TimedInput> on_gpu_;
};

}  // namespace

std::vector<double> repeated(const std::function<double()>& run, const Stop& stop) {
    constexpr std::size_t kWarmUps = 3, kLeast = 20, kMost = 200;
    constexpr double kEnough = 100, kSlow = 5000;  // ms
    double spent = 0;
    const auto stopped = [&] { return stop && stop(); };
    for (std::size_t i = 0; i < kWarmUps && spent < kSlow / 5 && !stopped(); ++i) spent += run();
    spent = 0;
    std::vector<double> ms;
    while (ms.size() < kMost && !stopped()) {
        ms.push_back(run());
        spent += ms.back();
        if (spent > (ms.size() < kLeast ? kSlow : kEnough) && ms.size() >= 3) break;
    }
    return ms;
}

Result<std::unique_ptr<Bench>> made_bench(Backend backend, value::Type type, std::uint64_t n) try {
    Request request{.kernel = "two-launch", .n = n, .type = type, .input = "random", .backend = backend};
    auto prepared = check(request, false).and_then([](const Request& checked) { return prepare(checked, false); });
    if (!prepared) return tl::unexpected(prepared.error());
    if (!prepared->native())
        return usage_error(
            fmt::format("Kernels have code of their own for float32 and int32, and only that is timed, not {}; choose "
                        "one of these.",
                        trace::name(type)));
    auto made = std::make_unique<TimedBench>(std::move(*prepared));
    TimedBench& bench = *made;
    const Program& plan = bench.prepared_.plan;
    bench.right_ = judge::expectation(bench.prepared_.header(plan.launches().front()).launch, bench.prepared_.input,
                                      [] { return std::vector<std::uint32_t>{1}; });
    if (backend == Backend::kCpu) return made;
    auto input = cuda_backend().timed_input(bench.prepared_.input);
    if (!input) return tl::unexpected(input.error());
    bench.on_gpu_ = std::move(*input);
    return made;
} catch (const std::bad_alloc&) {
    return failure(fmt::format("There is not enough memory to time N = {}; choose a smaller N.", n));
}

Result<Timing> TimedBench::time(const std::string& name, std::uint32_t block, bool cold, const Stop& stop,
                                std::uint32_t coarsen, std::uint32_t devices) {
    const bool reference = std::ranges::find(references(Backend::kCuda), name) != references(Backend::kCuda).end();
    const std::string_view kernel = !reference                  ? std::string_view(name)
                                    : name == "nccl-all-reduce" ? "all-reduce-ring"  // what it has to give
                                    : name == "nccl-reduce"     ? "reduce-to-root"
                                                                : "two-launch";
    if (prepared_.request.kernel != kernel || !reference) {
        Request request{.kernel = std::string(kernel),
                        .n = prepared_.request.n,
                        .block = reference ? 0 : block,
                        .coarsen = reference ? 1 : coarsen,
                        .devices = find(kernel) != nullptr && find(kernel)->sizes.devices ? devices : 0,
                        .type = prepared_.request.type,
                        .input = prepared_.request.input,
                        .backend = prepared_.request.backend};
        const auto checked = check(request, false);
        if (!checked) return tl::unexpected(checked.error());
        Prepared other = outline(*checked, false);
        other.input = std::move(prepared_.input);
        prepared_ = std::move(other);
    }
    const auto times = on_gpu_ == nullptr || name.starts_with("cpu-")
                           ? (reference ? time_cpu(name, prepared_.input, stop) : time_cpu(prepared_, stop))
                           : (reference ? on_gpu_->reference(name, cold, stop, prepared_.request.devices)
                                        : on_gpu_->kernel(prepared_, cold, stop));
    if (!times) return tl::unexpected(times.error());
    if (stop && stop()) return cancelled();
    if (!times->nccl.version.empty()) nccl_ = times->nccl;
    std::vector<double> ms = times->ms;
    std::ranges::sort(ms);
    const Request& request = prepared_.request;
    Timing timing{.kernel = name,
                  .type = request.type,
                  .n = request.n,
                  .block = reference ? 0 : times->first.block,
                  .coarsen = reference ? 1 : coarsen,
                  .devices = std::max(1u, request.devices),
                  .cold = cold,
                  .ms_min = ms.front(),
                  .ms_median = (ms[ms.size() / 2] + ms[(ms.size() - 1) / 2]) / 2,
                  .ms_max = ms.back()};
    timing.gb_per_s = bytes_moved(name, request.type, request.n, timing.devices) / timing.ms_median / 1e6;
    judge::Expectation right = right_;
    if (value::is_collective(prepared_.kernel->problem)) {  // another sum than that of all
        const trace::Launch launch = prepared_.header(prepared_.plan.launches().front()).launch;
        right = judge::expectation(launch, prepared_.input, [&] { return std::vector{most_roundings(prepared_)}; });
    } else {
        right.tolerance *= static_cast<double>(reference ? kRoundings : most_roundings(prepared_, &times->first));
    }
    timing.correct = right.met_by(value::value_of(request.type, times->result));
    return timing;
}

Result<double> measured_copy_rate(Backend backend) {
    const std::uint64_t bytes = std::uint64_t{1} << (backend == Backend::kCpu ? 27 : 30);
    const value::Values zeros(value::Type::kFloat32, bytes / sizeof(float));
    Result<Times> times;
    if (backend == Backend::kCpu) {
        times = time_cpu("copy", zeros, {});
    } else {
        const auto input = cuda_backend().timed_input(zeros);
        if (!input) return tl::unexpected(input.error());
        times = (*input)->reference("copy", false, {}, 1);
    }
    if (!times) return tl::unexpected(times.error());
    return 2 * static_cast<double>(bytes) / *std::ranges::min_element(times->ms) / 1e6;
}

}  // namespace warptree::kernels
