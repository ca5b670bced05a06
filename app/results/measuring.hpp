// Timing plain kernels beside references on the same inputs: what `warptree bench` and the ladder view's menu do.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "app/results/measurements.hpp"

namespace warptree::study {

/// What is timed, and where.
struct MeasurePlan {
    kernels::Backend backend = kernels::Backend::kCpu;
    std::uint32_t block = 0;    // 0: the usual
    std::uint32_t devices = 0;  // of kernels that run on several; 0: the usual
    std::vector<std::string> kernels = {}, references = {};
    std::map<std::string, std::uint32_t, std::less<>> coarsen = {};  // of kernels that are to have no usual factor
    std::vector<value::Type> types = {};
    std::vector<std::uint64_t> sizes = {};

    kernels::Request request(const std::string& kernel, value::Type, std::uint64_t n) const;
    /// All references of the kernels' problems.
    std::vector<std::string> usual_references() const;
};
/// Whether anything can be timed: what some of the kernels do not take is left out for these.
/// errors  a kernel that there is not; what none of them takes
Result<void> check(const MeasurePlan&);

/// Who waits for it. Each may be empty.
struct MeasureWatch {
    /// An input is made; these are timed on it.
    std::function<void(value::Type, std::uint64_t n, const std::vector<std::string>& names)> input = {};
    std::function<void(const std::string& why)> left_out = {};
    /// The next is timed; share: of all that is done, 0..1
    std::function<void(const std::string& name, std::uint64_t n, double share)> one = {};
    /// All of an input is done.
    std::function<void(const Measurements& so_far)> took = {};
    kernels::Stop stop = {};  // looked at between runs
};
/// Times all of a plan into results, which then say where and when; N ascend. On a GPU warm and cold where a cache
/// could hold the input.
/// command  as the results are to say it
/// errors   no GPU; too little memory; a wrong result; kCancelled where it was stopped: what was measured stays
Result<void> measure(const MeasurePlan&, const std::string& command, const MeasureWatch&, Measurements& results);

/// The command line that measures the same; --out FILE is still to be added.
std::string command_of(const MeasurePlan&);

}  // namespace warptree::study
