// Range: in words, where a run's values left what their type holds, and what a result that is far off is due to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/subject/subject.hpp"

namespace warptree::study {

/// "step 3, thread 0 of block 2": where a value was made.
std::string maker_text(const graph::Graph&, std::uint32_t node, bool step);

/// "60000 + 60000 = inf, more than float16 holds (65504)".
std::string leaving_text(const graph::Graph&, const graph::OutOfRange::First&);

/// A sentence for each kind, the first of it: "Step 1, thread 2: 60000 + 60000 = inf, more than float16 holds
/// (65504)."; then by which standard that is right. Empty: nothing left it, as far as rows are there.
/// steps  of the run that are looked at
std::vector<std::string> range_sentences(const RunFacts&, std::size_t steps = SIZE_MAX);

/// What a sum, a product or differences of floats are off by, in words: "cancellation: the sizes of the numbers are
/// 2e+08 together, 1e+08 times the result; ...".
/// range  none: not known, nothing was recorded
std::string reason_of(const judge::Accuracy&, value::Type, const graph::OutOfRange* range);

/// The sum of the sizes over the result's: what a rounding of every element counts for in the result. Infinite where
/// that is 0.
double condition(const judge::Accuracy&);

}  // namespace warptree::study
