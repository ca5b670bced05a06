// Verification: the counters of a trace against the hardware's own, read by NVIDIA's profiler on the plain kernel.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/machine_code.hpp"
#include "instrumentation/counters/counters.hpp"
#include "instrumentation/request/registry.hpp"
#include "instrumentation/result.hpp"

namespace warptree::cli {

/// One figure of one launch.
struct Figure {
    std::string kernel, counter;
    std::uint64_t n = 0;
    std::uint32_t block = 0, coarsen = 1;
    std::uint64_t ours = 0, hardware = 0;
    std::string reason{};       // why they differ; empty where they are equal, or where nobody knows
    std::string instruction{};  // of the machine code, which shows it: "/*01f0*/ @!P1 STS [R7], R4"
    bool explained() const { return !reason.empty(); }
};

/// A counter that the profiler has: our name, its metric, and our value.
struct Metric {
    std::string_view counter, metric;
    std::uint64_t ours(const counters::Summary&) const;
};
const std::vector<Metric>& metrics();

/// What the profiler counted of one launch.
struct Profile {
    std::string kernel;                           // as it names it: "void sum<float>(float *)"
    std::map<std::string, std::uint64_t> values;  // by metric
};

/// Reads the profiler's CSV (ncu --csv): the launches in their order, one at least.
/// errors  no such table in the text; a value that is no number
Result<std::vector<Profile>> parse_profiles(std::string_view csv);

/// What has to be typed to profile a command.
std::string profiled(const std::string& command, int launches);

/// Whether each store to shared memory is one lane's.
bool one_lane_stores(const trace::Trace& trace, const counters::Summary& summary);

/// What the reasons for a difference ask of a launch.
struct Launched {
    std::uint64_t blocks = 1, warps = 1;  // warps of a block
    bool one_lane_stores = false;         // no warp stores more than one word to shared memory at once
    bool tickets = false;                 // blocks draw them
};

/// Compares one launch with what the profiler counted. A difference gets its reason where the
/// kernel's machine code shows it.
std::vector<Figure> compare(const kernels::Request& request, const Launched& launched, const counters::Summary& summary,
                            const std::map<std::string, std::uint64_t>& profile, const MachineCode& code);

/// Runs kernels under ncu, prints the table, and writes it as JSON where `out` is not empty.
/// names    of kernels; none: the whole catalog
/// program  path of this program, run by ncu as "PROGRAM run KERNEL ..."
/// returns  whether every figure is equal or has a reason
bool verify(const std::string& program, const std::vector<std::string>& names, const std::string& out);

}  // namespace warptree::cli
