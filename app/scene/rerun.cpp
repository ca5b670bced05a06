// Further runs on a trace's input.
#include "app/scene/rerun.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace warptree::scene {
namespace {

/// Whether two traces reduce the same elements; what stands past N does not count.
bool same_input(const trace::Trace& x, const trace::Trace& y) {
    if (x.initial.empty() || y.initial.empty() || x.launch.n != y.launch.n) return false;
    const trace::Values &a = x.initial.front(), &b = y.initial.front();
    if (a.type() != b.type() || std::min(a.size(), b.size()) < x.launch.n) return false;
    for (std::size_t i = 0; i < x.launch.n; ++i)
        if (!a.same(i, b, i)) return false;
    return true;
}

}  // namespace

kernels::Request request_of(const trace::Launch& launch) {
    return {.kernel = launch.kernel,
            .n = launch.n,
            .warp_size = launch.warp_size,
            .coarsen = launch.coarsen,
            .type = launch.type,
            .op = launch.op,
            .input = launch.input,
            .seed = launch.seed};
}

Result<trace::Trace> rerun(const trace::Trace& of, kernels::Request wanted) {
    auto trace = kernels::record(wanted);
    if (!trace) return trace;
    if (!same_input(of, *trace))
        return failure(fmt::format("{} cannot be run on this input again: the trace keeps only a part of its text, {}.",
                                   wanted.kernel, of.launch.input));
    return trace;
}

}  // namespace warptree::scene
