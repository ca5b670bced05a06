// Runs kernels over seeds, and sums up how far they were off.
#include "app/results/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <numeric>

#include <fmt/format.h>

#include "app/subject/words.hpp"
#include "instrumentation/value/exact.hpp"

namespace warptree::study {

double rounding_unit(value::Type type) {
    return value::ulp(1, type) / 2;
}

const std::vector<AccuracyBound>& accuracy_bounds() {
    static const std::vector<AccuracyBound> all = {
        {"N - 1", "one after the other, at worst", "Higham, Accuracy and Stability of Numerical Algorithms, sec. 4.2",
         [](double n) { return n - 1; }},
        {"√N", "one after the other, to expect", "Higham and Mary 2019", [](double n) { return std::sqrt(n); }},
        {"log2 N", "in pairs, at worst", "Higham, sec. 4.2", [](double n) { return std::log2(n); }},
        {"2", "compensated, but for N u²", "Higham, (4.8)", [](double) { return 2.0; }}};
    return all;
}

namespace {

kernels::Request request_for(const AccuracyWanted& wanted, const std::string& kernel, std::uint64_t n) {
    const kernels::Kernel* known = kernels::find(kernel);
    const bool devices = known != nullptr && known->sizes.devices;  // what a result is of lies on as many
    return {.kernel = kernel,
            .n = n,
            .coarsen = known != nullptr ? kernels::usual_coarsen(*known) : 1,
            .devices = devices ? static_cast<std::uint32_t>(std::min<std::uint64_t>(n, ~0u)) : 0,
            .type = wanted.type,
            .input = wanted.input,
            .backend = wanted.backend};
}

Error not_finite(const kernels::Request& request) {
    return {
        Error::Kind::kUsage,
        fmt::format("{} over {} at N = {} of input {} gives no finite number, so there is no error to tell; a smaller "
                    "N, a wider type or another input does.",
                    request.kernel, value::name(request.type), grouped(request.n), request.input)};
}

}  // namespace

Result<AccuracyTable> measure_accuracy(const AccuracyWanted& wanted,
                                       const std::function<bool(std::string_view kernel, std::uint64_t n)>& said) {
    AccuracyTable table{.wanted = wanted, .rows = {}, .left_out = {}};
    Result<void> refused;
    for (const std::string& kernel : wanted.kernels)
        for (const std::uint64_t n : wanted.sizes) {
            kernels::Request request = request_for(wanted, kernel, n);
            if (const auto checked = kernels::check(request, false); !checked) {
                if (kernels::find(kernel) == nullptr || checked.error().kind == Error::Kind::kFailed)
                    return tl::unexpected(checked.error());
                refused = tl::unexpected(checked.error());
                table.left_out.push_back(checked.error().message);
                continue;
            }
            if (said && !said(kernel, n))
                return tl::unexpected<Error>(Error{Error::Kind::kCancelled, "Stopped; nothing is kept."});
            AccuracyRow row{
                .kernel = kernel, .coarsen = request.coarsen, .type = wanted.type, .n = n, .input = wanted.input};
            for (request.seed = 1; request.seed <= wanted.seeds; ++request.seed) {
                const auto run = kernels::run_untraced(request);
                if (!run) return tl::unexpected(run.error());
                if (!run->accuracy || run->accuracy->size == 0) continue;
                const double unit = rounding_unit(wanted.type) * run->accuracy->size;
                const double error = std::abs(run->accuracy->error) / unit;
                row.worst = std::max(row.worst, error);
                row.rms += error * error;
                row.bound = std::max(row.bound, run->accuracy->bound / unit);
                ++row.seeds;
            }
            if (row.seeds == 0) {
                refused = tl::unexpected(not_finite(request));
                table.left_out.push_back(refused.error().message);
                continue;
            }
            row.rms = std::sqrt(row.rms / row.seeds);
            table.rows.push_back(std::move(row));
        }
    if (table.rows.empty() && !refused) return tl::unexpected(refused.error());
    return table;
}

std::uint64_t Repeats::times() const {
    return std::accumulate(results.begin(), results.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Result& result) { return sum + result.count; });
}

Repeats::Result& ResultCount::of(const value::Values& result) {
    Repeats::Result& counted = by_bits_[result.bits(0)];
    counted.value = result.as_double(0);
    counted.bits = result.bits(0);
    ++counted.count;
    return counted;
}

std::vector<Repeats::Result> ResultCount::ascending() const {
    std::vector<Repeats::Result> all;
    for (const auto& [bits, result] : by_bits_) all.push_back(result);
    std::ranges::sort(all,
                      [](const auto& a, const auto& b) { return std::is_lt(std::strong_order(a.value, b.value)); });
    return all;
}

Result<std::vector<Repeats>> repeat(const AccuracyWanted& wanted, std::uint32_t times,
                                    const std::function<bool(std::string_view kernel, std::uint64_t n)>& said) {
    std::vector<Repeats> all;
    for (const std::string& kernel : wanted.kernels)
        for (const std::uint64_t n : wanted.sizes) {
            kernels::Request request = request_for(wanted, kernel, n);
            ResultCount results;
            for (std::uint32_t i = 0; i < times; ++i) {
                request.shuffle_blocks = i + 1;
                if (said && !said(kernel, n))
                    return tl::unexpected<Error>(Error{Error::Kind::kCancelled, "Stopped; nothing is kept."});
                const auto run = kernels::run_untraced(request);
                if (!run) return tl::unexpected(run.error());
                if (!run->accuracy) return tl::unexpected(not_finite(request));
                results.of(run->result).ulps = run->accuracy->ulps;
            }
            all.push_back({kernel, request.coarsen, wanted.type, n, wanted.input, results.ascending()});
        }
    return all;
}

}  // namespace warptree::study
