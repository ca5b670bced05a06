// Inputs: the arrays that kernels reduce, made by a named rule.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "instrumentation/result.hpp"
#include "instrumentation/trace/trace.hpp"

namespace warptree::kernels {

/// textbook  3 1 7 0 4 1 6 3 5 2 8 1 2 6 4 7, over and over: the sketch's sixteen values, exact in every type
/// ramp      0, 1, 2, ... (in float32 exact sums up to 2^24)
/// ones      1, 1, 1, ...
/// random    integers 0..99 from the seed, the same on every system
std::span<const std::string_view> input_rules();

/// returns  (n,) values of the rule; or a sentence that lists the rules
Result<trace::Values> make_input(std::string_view rule, std::uint64_t n, trace::Type type, std::uint64_t seed);

/// Writes one number into values[i], in the type of values.
void set_value(trace::Values& values, std::size_t i, double value);

}  // namespace warptree::kernels
