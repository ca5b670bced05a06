// Running again what a trace launched, with something changed: the one place in which a view gets further runs from.
#pragma once

#include "instrumentation/result.hpp"
#include "instrumentation/trace/trace.hpp"
#include "kernels/catalog.hpp"

namespace warptree::scene {

/// The request that a trace answers, for the CPU, with the usual block of its kernel.
kernels::Request request_of(const trace::Launch&);

/// Records another kernel on the same input.
/// errors  why that kernel cannot take it; that the input cannot be had again (values from a file, shortened in a
/// trace)
Result<trace::Trace> rerun(const trace::Trace& of, kernels::Request wanted);

}  // namespace warptree::scene
