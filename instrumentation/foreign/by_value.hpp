// Whether numbers are what others come to by an operator, in whatever order. For judge.cpp.
#pragma once

#include <cstddef>
#include <string>

#include "instrumentation/trace/run.hpp"
#include "instrumentation/value/operator.hpp"
#include "instrumentation/value/values.hpp"

namespace warptree::foreign {

/// The operator of differences, of which sums may be made, too.
inline constexpr std::string_view kLess = value::kOpNames[static_cast<std::size_t>(value::Op::kSubtract)];

/// The first n of the input, and all of the output, each by the operator.
bool folds_to(value::Op, const value::Values& input, std::size_t n, const value::Values& output);
/// Each of the output's n to those of the input up to it, or before it.
bool scans_to(value::Op, const value::Values& input, std::size_t n, const value::Values& output, bool inclusive);
/// "on line 9, 125 and 6 give -125": a row's value is not what its operands make, by another operator or a narrower
/// type, which no row tells of; "": it is.
std::string altered(const trace::Trace&, std::size_t row, value::Op);
/// Whether all rows that are kept, of each kind of blocks one's, do nothing but fold elements into one result, and as
/// many are read as there are, into what began with nothing: then another result than that of all is wrong.
bool folds_elements(const trace::Run&);
bool are_equal(const value::Values&, std::size_t n);

}  // namespace warptree::foreign
