#include "app/results/measuring.hpp"

#include <algorithm>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warptree::study {
namespace {

constexpr std::uint64_t kNeverCached = std::uint64_t{1} << 25;  // elements that are larger than any cache

/// A measurement under way.
class Measuring {
public:
    Measuring(const MeasurePlan& plan, const MeasureWatch& watch, Measurements& results)
        : plan_(plan), watch_(watch), results_(results) {
        for (const value::Type type : plan.types)
            for (const std::uint64_t n : plan.sizes) all_ += work(n) * names(type, n).size();
    }

    /// Everything on one input.
    Result<void> measure(value::Type type, std::uint64_t n) {
        const std::vector<std::string> names = this->names(type, n, watch_.left_out);
        if (names.empty()) return {};
        if (watch_.input) watch_.input(type, n, names);
        auto bench = kernels::Bench::make(plan_.backend, type, n);
        if (!bench) return tl::unexpected(bench.error());
        for (const bool cold : {false, true})
            for (const std::string& name : names) {
                if (cold && (!twice(n) || name.starts_with("cpu-") || runs_on_several(name))) continue;
                if (watch_.one) watch_.one(name, n, std::min(1.0, done_ / all_));
                const std::uint32_t coarsen = plan_.request(name, type, n).coarsen;
                auto timing = (*bench)->time(name, plan_.block, cold, watch_.stop, coarsen, plan_.devices);
                if (!timing) return tl::unexpected(timing.error());
                results_.runs.push_back(std::move(*timing));
                take(results_, (*bench)->nccl());
                done_ += work(n) / (twice(n) ? 2 : 1);
            }
        if (watch_.took) watch_.took(results_);
        return {};
    }

private:
    bool twice(std::uint64_t n) const { return plan_.backend == kernels::Backend::kCuda && n < kNeverCached; }
    /// Who leaves nothing in a cache that another would find.
    static bool runs_on_several(const std::string& name) {
        const kernels::Kernel* kernel = kernels::find(name);
        return kernel == nullptr ? name.starts_with("nccl-") : kernel->sizes.devices;
    }
    /// About what a kernel takes, in elements.
    static double work(std::uint64_t n) { return static_cast<double>(n) + (1 << 16); }
    /// Kernels that take this input, and the references; none where no kernel does.
    std::vector<std::string> names(value::Type type, std::uint64_t n,
                                   const std::function<void(const std::string&)>& left_out = {}) const {
        std::vector<std::string> names;
        for (const std::string& kernel : plan_.kernels) {
            const auto checked = kernels::check(plan_.request(kernel, type, n), false);
            if (checked) names.push_back(kernel);
            if (!checked && left_out) left_out(checked.error().message);
        }
        if (!names.empty()) names.insert(names.end(), plan_.references.begin(), plan_.references.end());
        return names;
    }

    const MeasurePlan& plan_;
    const MeasureWatch& watch_;
    Measurements& results_;
    double all_ = 0, done_ = 0;
};

}  // namespace

kernels::Request MeasurePlan::request(const std::string& kernel, value::Type type, std::uint64_t n) const {
    const kernels::Kernel* known = kernels::find(kernel);
    const auto chosen = coarsen.find(kernel);
    return {.kernel = kernel,
            .n = n,
            .block = block,
            .coarsen = chosen != coarsen.end() ? chosen->second
                       : known != nullptr      ? kernels::usual_coarsen(*known)
                                               : 1,
            .devices = known != nullptr && known->sizes.devices ? devices : 0,
            .type = type,
            .backend = backend};
}

std::vector<std::string> MeasurePlan::usual_references() const {
    std::vector<std::string> all;
    for (const std::string_view reference : kernels::references(backend))
        if (std::ranges::any_of(kernels, [&](const std::string& name) {
                const kernels::Kernel* kernel = kernels::find(name);
                return kernel != nullptr && kernels::is_for(reference, kernel->problem);
            }))
            all.emplace_back(reference);
    return all;
}

Result<void> check(const MeasurePlan& plan) {
    Result<void> refused;
    bool any = false;
    for (const std::string& kernel : plan.kernels)
        for (const value::Type type : plan.types)
            for (const std::uint64_t n : plan.sizes) {
                const auto checked = kernels::check(plan.request(kernel, type, n), false);
                if (!checked && (kernels::find(kernel) == nullptr || checked.error().kind == Error::Kind::kFailed))
                    return tl::unexpected(checked.error());
                if (!checked && refused) refused = tl::unexpected(checked.error());
                any |= checked.has_value();
            }
    return any ? Result<void>{} : refused;
}

Result<void> measure(const MeasurePlan& plan, const std::string& command, const MeasureWatch& watch,
                     Measurements& results) {
    const bool cuda = plan.backend == kernels::Backend::kCuda;
    if (cuda && !kernels::cuda_status().usable) return failure(kernels::cuda_status().reason);
    const auto rate = kernels::copy_rate(plan.backend);
    if (!rate) return tl::unexpected(rate.error());
    results.device = kernels::device_of(plan.backend);
    if (cuda) results.driver = kernels::cuda_status().driver;
    results.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
    results.command = command;
    results.limit_gb_per_s = *rate;
    Measuring measuring(plan, watch, results);
    for (const value::Type type : plan.types)
        for (const std::uint64_t n : plan.sizes)
            if (auto done = measuring.measure(type, n); !done) {
                if (done.error().kind == Error::Kind::kCancelled)
                    done.error().message = "Stopped; what was measured is kept.";
                return done;
            }
    for (const kernels::Timing& timing : results.runs)
        if (!timing.correct)
            return failure(fmt::format("{} over {} gives a wrong result for N = {}.",
                                       kernels::factored_name(timing.kernel, timing.coarsen), trace::name(timing.type),
                                       timing.n));
    return {};
}

std::string command_of(const MeasurePlan& plan) {
    std::vector<std::string> names;
    for (const std::string& kernel : plan.kernels)
        names.push_back(kernels::factored_name(kernel, plan.request(kernel, {}, 1).coarsen));
    std::vector<std::string_view> types;
    for (const value::Type type : plan.types) types.push_back(value::name(type));
    return fmt::format("warptree bench {} --n {}{} --type {} --backend {}{}", fmt::join(names, ","),
                       size_name(plan.sizes.front()), plan.sizes.size() > 1 ? ".." + size_name(plan.sizes.back()) : "",
                       fmt::join(types, ","), kernels::name(plan.backend),
                       plan.devices == 0 ? "" : fmt::format(" --devices {}", plan.devices));
}

}  // namespace warptree::study
