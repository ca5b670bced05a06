// Further runs on a trace's input.
#include "app/subject/rerun.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "instrumentation/request/inputs.hpp"

namespace warptree::study {
namespace {

/// Whether two runs reduce the same elements; what stands past N does not count.
bool same_input(const trace::Run& x, const trace::Run& y) {
    const value::Values *a = x.input(), *b = y.input();
    const std::uint64_t n = x.launch().n;
    if (a == nullptr || b == nullptr || n != y.launch().n) return false;
    if (a->type() != b->type() || std::min(a->size(), b->size()) < n) return false;
    for (std::size_t i = 0; i < n; ++i)
        if (!a->same(i, *b, i)) return false;
    return true;
}

}  // namespace

Result<trace::Run> rerun(const trace::Run& of, kernels::Request wanted, const Recorder& record) {
    if (of.input() == nullptr) return failure(fmt::format("This run has no input that {} could take.", wanted.kernel));
    // A file may call its input whatever it likes: what is reduced again are the values that it holds.
    if (!kernels::is_rule(wanted.input)) wanted.numbers = kernels::numbers_of(of);
    auto run = record ? record(wanted) : kernels::record(wanted);
    if (!run) return run;
    if (!same_input(of, *run))
        return failure(fmt::format("The input of this run is known by its trace alone, so {} cannot be run on it.",
                                   wanted.kernel));
    return run;
}

}  // namespace warptree::study
