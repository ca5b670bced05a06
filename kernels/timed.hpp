// The timed host: plain kernels and what others do with the same input, again and again, and how long each takes.
//
// A run is timed from the input in memory to the result in memory: every launch of the host function, what it clears,
// and the CPU's part. Arrays are made and the input is there beforehand. On a GPU by two events around all of it, on
// the CPU by a steady clock. Nothing that records is timed: such elements are refused (Program::timed).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/backend.hpp"

namespace warptree::kernels {

/// The device of runs that the CPU made.
inline constexpr std::string_view kExecutor = "CPU executor";
/// What a backend's runs are made on.
std::string device_of(Backend);

/// What is timed beside kernels, on the same input: `copy` (within the memory), `cub-reduce` and `thrust-reduce` (the
/// libraries of the CUDA Toolkit), `cpu-serial` (a plain loop), `cpu-parallel` (the same on all cores, by OpenMP); of
/// scans `cub-scan`, `thrust-scan` and `cpu-scan` (a plain loop).
std::span<const std::string_view> references(Backend);
/// Whether a reference stands beside scans, or beside reductions.
bool is_for(std::string_view reference, bool scans);
/// Bytes that a kernel or reference reads of its input, and that scans and a copy write besides.
double bytes_moved(std::string_view name, value::Type, std::uint64_t n);

/// The times of one kernel or reference on one input.
struct Timing {
    std::string kernel;
    value::Type type = value::Type::kFloat32;
    std::uint64_t n = 0;
    std::uint32_t block = 0;    // of the first launch; 0: a reference
    std::uint32_t coarsen = 1;  // of kernels that have no factor, and of references, 1
    bool cold = false;
    double ms_min = 0, ms_median = 0, ms_max = 0;
    double gb_per_s = 0;  // 10^9 bytes a second: of the input, of a copy read and written, by the median
    bool correct = false;
};

/// Whether nobody waits for it any more; looked at between runs.
using Stop = std::function<bool()>;

/// One input that kernels and references are timed on, one after the other.
class Bench {
public:
    /// A sum over float32 or int32, of random values.
    /// errors  another type; too little memory; no GPU
    static Result<Bench> make(Backend, value::Type, std::uint64_t n);
    /// name    of a kernel or a reference
    /// block   0: the usual
    /// cold    no run finds its input in the GPU's cache: each takes another copy of it, and all are larger than the
    /// cache errors  what check() finds; kCancelled where it was stopped
    Result<Timing> time(const std::string& name, std::uint32_t block, bool cold, const Stop& stop,
                        std::uint32_t coarsen = 1);

private:
    explicit Bench(Prepared prepared) : prepared_(std::move(prepared)) {}

    Prepared prepared_;         // its kernel is whatever is timed
    judge::Expectation right_;  // tolerance: of one rounding
    std::shared_ptr<class TimedInput> on_gpu_;
};

/// GB/s of a copy, read plus written: the best of several copies of more than a cache holds.
Result<double> copy_rate(Backend);

// What the backends do for it.

/// Of one kernel or reference.
struct Times {
    std::vector<double> ms;    // of each run
    std::uint64_t result = 0;  // the bits that the last run gave
    LaunchRow first = {};      // launch; of a reference none
};

/// An input in the memory of a GPU.
class TimedInput {
public:
    virtual ~TimedInput() = default;
    virtual Result<Times> kernel(const Prepared&, bool cold, const Stop&) = 0;
    virtual Result<Times> reference(std::string_view name, bool cold, const Stop&) = 0;
};
Result<std::unique_ptr<TimedInput>> timed_input_cuda(const value::Values&);
Result<Times> time_cpu(const Prepared&, const Stop&);
Result<Times> time_cpu(std::string_view reference, const value::Values& input, const Stop&);

/// Calls run(), which says its milliseconds: three times to warm up, then at least 20 times; 3 times what takes
/// seconds.
std::vector<double> repeated(const std::function<double()>& run, const Stop& stop);

}  // namespace warptree::kernels
