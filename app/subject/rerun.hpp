// Running again what a trace launched, with something changed: the one place in which a view gets further runs from.
#pragma once

#include <functional>

#include "instrumentation/request/registry.hpp"
#include "instrumentation/result.hpp"
#include "instrumentation/trace/run.hpp"

namespace warptree::study {

/// Records a request; empty: kernels::record. The app gives one that can be called off.
using Recorder = std::function<Result<trace::Run>(const kernels::Request&)>;

/// Records the input of a run again, with another kernel or in another way.
/// errors  why that kernel cannot take it; that the input cannot be had again (values from a file, shortened in a
/// trace)
Result<trace::Run> rerun(const trace::Run& of, kernels::Request wanted, const Recorder& record = {});

}  // namespace warptree::study
