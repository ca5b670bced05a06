// Accuracy: how far plain runs of sums over floating point are off, over many seeds, against N. What `warptree
// accuracy` prints and the view of that name draws.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/request/registry.hpp"
#include "instrumentation/result.hpp"

namespace warptree::study {

/// What is to be run.
struct AccuracyWanted {
    std::vector<std::string> kernels;
    std::vector<std::uint64_t> sizes;  // N
    std::uint32_t seeds = 20;
    value::Type type = value::Type::kFloat32;
    std::string input = "uniform";  // a rule
    kernels::Backend backend = kernels::Backend::kCpu;
    bool operator==(const AccuracyWanted&) const = default;
};

/// One kernel at one N. Errors are told in roundings of every element: of u times the sum of the elements' sizes, where
/// u is half the distance from 1 to the next number of the type. So bounds are numbers: N - 1, log2 N, 2.
struct AccuracyRow {
    std::string kernel;
    std::uint32_t coarsen = 1;
    value::Type type = value::Type::kFloat32;
    std::uint64_t n = 0;
    std::string input;          // its rule
    std::uint32_t seeds = 0;    // whose result is finite
    double worst = 0, rms = 0;  // over the seeds
    double bound = 0;           // that the kernel's own order is judged by
};

struct AccuracyTable {
    AccuracyWanted wanted;
    std::vector<AccuracyRow> rows;      // by kernel, then N
    std::vector<std::string> left_out;  // sentences: what a kernel does not take, and where no result is finite
};

/// said    of each kernel and N before it is run; false: enough
/// errors  an unknown kernel; nothing of it is taken; kCancelled: then nothing is left to show
Result<AccuracyTable> measure_accuracy(const AccuracyWanted&,
                                       const std::function<bool(std::string_view kernel, std::uint64_t n)>& said = {});

/// How often each result came.
struct Repeats {
    struct Result {
        double value = 0;
        std::uint64_t bits = 0;
        std::uint64_t count = 0;
        double ulps = 0;  // that it is off by
    };
    std::string kernel;
    std::uint32_t coarsen = 1;
    value::Type type = value::Type::kFloat32;
    std::uint64_t n = 0;
    std::string input;
    std::vector<Result> results;  // ascending
    std::uint64_t times() const;
};

/// Counts results by their bits, so that zeros of both signs are two.
class ResultCount {
public:
    Repeats::Result& of(const value::Values& result);  // (1,), counted once more
    std::vector<Repeats::Result> ascending() const;

private:
    std::map<std::uint64_t, Repeats::Result> by_bits_;
};
/// Each kernel and N of them `times` on the input of seed 1: on a GPU in whatever order its blocks come, on the CPU in
/// another random order each time.
/// errors  as above; a result that is not finite: there is no error to tell
Result<std::vector<Repeats>> repeat(const AccuracyWanted&, std::uint32_t times,
                                    const std::function<bool(std::string_view kernel, std::uint64_t n)>& said = {});

/// A bound of theory, in the same unit.
struct AccuracyBound {
    std::string_view name;    // "N - 1"
    std::string_view of;      // "sequential, worst"
    std::string_view source;  // of the bound
    double (*at)(double n);
};
const std::vector<AccuracyBound>& accuracy_bounds();

/// u of a type.
double rounding_unit(value::Type);

}  // namespace warptree::study
