// The timed host: plain kernels and what others do with the same input, again and again, and how long each takes.
//
// A run is timed from the input in memory to the result in memory: every launch of the host function, what it clears,
// and the CPU's part. Arrays are made and the input is there beforehand. On a GPU by two events around all of it, on
// the CPU by a steady clock. Nothing that records is timed: such elements are refused (Program::timed).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/request/timing.hpp"
#include "instrumentation/run/backend.hpp"

namespace warptree::kernels {

// What the backends do for it.

/// Of one kernel or reference.
struct Times {
    std::vector<double> ms;    // of each run
    std::uint64_t result = 0;  // the bits that the last run gave
    LaunchRow first = {};      // launch; of a reference none
    NcclNotes nccl = {};       // of NCCL's
};

/// An input in the memory of a GPU.
class TimedInput {
public:
    virtual ~TimedInput() = default;
    virtual Result<Times> kernel(const Prepared&, bool cold, const Stop&) = 0;
    /// devices  of NCCL's
    virtual Result<Times> reference(std::string_view name, bool cold, const Stop&, std::uint32_t devices) = 0;
};
Result<Times> time_cpu(const Prepared&, const Stop&);
Result<Times> time_cpu(std::string_view reference, const value::Values& input, const Stop&);

/// Calls run(), which says its milliseconds: three times to warm up, then at least 20 times; 3 times what takes
/// seconds.
std::vector<double> repeated(const std::function<double()>& run, const Stop& stop);

}  // namespace warptree::kernels
