// Whether numbers are what others come to by an operator, in whatever order. For judge.cpp.
#pragma once

#include <cstddef>

#include "instrumentation/value/operator.hpp"
#include "instrumentation/value/values.hpp"

namespace warptree::foreign {

/// The first n of the input, and all of the output, each by the operator.
bool folds_to(value::Op, const value::Values& input, std::size_t n, const value::Values& output);
/// Each of the output's n to those of the input up to it, or before it.
bool scans_to(value::Op, const value::Values& input, std::size_t n, const value::Values& output, bool inclusive);
bool are_equal(const value::Values&, std::size_t n);

}  // namespace warptree::foreign
