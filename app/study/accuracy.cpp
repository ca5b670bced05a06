// Runs kernels over seeds, and sums up how far they were off.
#include "app/study/accuracy.hpp"

#include <cmath>
#include <map>
#include <numeric>

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
        {"2", "compensated, at worst", "Higham, sec. 4.3", [](double) { return 2.0; }}};
    return all;
}

Result<AccuracyTable> measure_accuracy(const AccuracyWanted& wanted,
                                       const std::function<bool(std::string_view kernel, std::uint64_t n)>& said) {
    AccuracyTable table{.wanted = wanted, .rows = {}, .left_out = {}};
    Result<void> refused;
    for (const std::string& kernel : wanted.kernels)
        for (const std::uint64_t n : wanted.sizes) {
            kernels::Request request{
                .kernel = kernel, .n = n, .type = wanted.type, .input = wanted.input, .backend = wanted.backend};
            if (const auto checked = kernels::check(request, false); !checked) {
                if (kernels::find(kernel) == nullptr || checked.error().kind == Error::Kind::kFailed)
                    return tl::unexpected(checked.error());
                refused = tl::unexpected(checked.error());
                table.left_out.push_back(checked.error().message);
                continue;
            }
            if (said && !said(kernel, n))
                return tl::unexpected<Error>(Error{Error::Kind::kCancelled, "Stopped; nothing is kept."});
            AccuracyRow row{.kernel = kernel, .type = wanted.type, .n = n, .input = wanted.input};
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
            if (row.seeds > 0) row.rms = std::sqrt(row.rms / row.seeds);
            table.rows.push_back(std::move(row));
        }
    if (table.rows.empty() && !refused) return tl::unexpected(refused.error());
    return table;
}

std::uint64_t Repeats::times() const {
    return std::accumulate(results.begin(), results.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Result& result) { return sum + result.count; });
}

Result<std::vector<Repeats>> repeat(const AccuracyWanted& wanted, std::uint32_t times,
                                    const std::function<bool(std::string_view kernel, std::uint64_t n)>& said) {
    std::vector<Repeats> all;
    for (const std::string& kernel : wanted.kernels)
        for (const std::uint64_t n : wanted.sizes) {
            kernels::Request request{
                .kernel = kernel, .n = n, .type = wanted.type, .input = wanted.input, .backend = wanted.backend};
            std::map<double, Repeats::Result> results;
            for (std::uint32_t i = 0; i < times; ++i) {
                request.shuffle_blocks = i + 1;
                if (said && !said(kernel, n))
                    return tl::unexpected<Error>(Error{Error::Kind::kCancelled, "Stopped; nothing is kept."});
                const auto run = kernels::run_untraced(request);
                if (!run) return tl::unexpected(run.error());
                const double value = run->result.as_double(0);
                Repeats::Result& result = results[value];
                result = {value, run->result.bits(0), result.count + 1, run->accuracy ? run->accuracy->ulps : 0};
            }
            Repeats& of = all.emplace_back(Repeats{kernel, wanted.type, n, wanted.input, {}});
            for (const auto& [value, result] : results) of.results.push_back(result);
        }
    return all;
}

}  // namespace warptree::study
