// Bounds: how far off roundings can move a result. Proven ones, since results are called WRONG by them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "instrumentation/graph/graph.hpp"

namespace warptree::judge {

/// Whether a kernel of this name keeps what additions of floats round away: the bounds of such sums are known by name.
bool compensates(std::string_view kernel);

/// (1 + u)^roundings - 1.
double grown(value::Type, double roundings);

/// What partial products below the normal numbers can add to a product's error, taken in any order: each is rounded to
/// a multiple of the smallest number, and all that are larger than 1 may follow. large, small  the products of what is
/// larger than 1 and of what is smaller
double any_underflow(value::Type, double count, long double large, long double small);
double any_underflow(const value::Values& input, std::size_t count);

/// The same in the order of the product's graph, where what is multiplied with each later is known.
/// returns  none: atomics take them in any order
std::optional<double> underflow_of(const graph::Graph&, const value::Values& input);

/// The most that roundings can have moved a product of `count`: one of each operation. Source: N. J. Higham, Accuracy
/// and Stability of Numerical Algorithms, 2nd ed., ch. 3.1 before its (1 + u)^n are bounded, and (2.8): a product below
/// the normal numbers is a multiple of the smallest.
double product_bound(value::Type, std::size_t count, double want, double underflow);

/// The same of sums and differences, whose partial results never underflow: below the normal numbers they are exact.
/// Each element is rounded with the partial results that it is in: sum of |x_i| ((1 + u)^depth_i - 1); and, in any
/// order, by no more than (n - 1) u. source  N. J. Higham, as above, ch. 4.2; C.-P. Jeannerod, S. M. Rump, Improved
/// Error Bounds for Inner Products in
///         Floating-Point Arithmetic, 2013; of compensated kernels see bounds.cpp
/// depths  (count,), or (1,) for all alike
double sum_bound(const value::Values& input, std::size_t count, const std::vector<std::uint32_t>& depths,
                 std::string_view kernel, double want);

/// About how far off a sum is where roundings are random: they cancel, and count by their root.
/// size     of the elements, without their signs; right: their sum
/// returns  0 of kernels of which it is not known
/// source   N. J. Higham, T. Mary, A New Approach to Probabilistic Rounding Error Analysis, 2019
double likely_error(value::Type, std::string_view kernel, double depth, double size, double right);

}  // namespace warptree::judge
