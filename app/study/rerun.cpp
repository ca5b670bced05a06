// Further runs on a trace's input.
#include "app/study/rerun.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace warptree::study {
namespace {

/// Whether two traces reduce the same elements; what stands past N does not count.
bool same_input(const trace::Trace& x, const trace::Trace& y) {
    if (x.initial.empty() || y.initial.empty() || x.launch.n != y.launch.n) return false;
    const value::Values &a = x.initial.front(), &b = y.initial.front();
    if (a.type() != b.type() || std::min(a.size(), b.size()) < x.launch.n) return false;
    for (std::size_t i = 0; i < x.launch.n; ++i)
        if (!a.same(i, b, i)) return false;
    return true;
}

}  // namespace

Result<trace::Trace> rerun(const trace::Trace& of, kernels::Request wanted, const Recorder& record) {
    auto trace = record ? record(wanted) : kernels::record(wanted);
    if (!trace) return trace;
    if (!same_input(of, *trace))
        return failure(fmt::format("The input of this run is known by its trace alone, so {} cannot be run on it.",
                                   wanted.kernel));
    return trace;
}

}  // namespace warptree::study
