// Folds: steps that repeat. A loop that loads 128 times is one row of a report and one step of the replay, until it is
// opened.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "instrumentation/counters/counters.hpp"
#include "instrumentation/trace/run.hpp"

namespace warptree::study {

/// Steps [first, end) of a run that are shown as one.
struct Fold {
    std::size_t first = 0, end = 0;
    std::size_t steps() const { return end - first; }
    bool holds(std::size_t step) const { return step >= first && step < end; }
    bool operator==(const Fold&) const = default;
};

inline constexpr std::uint64_t kAllOpen = ~std::uint64_t{0};  // a bit for each fold of a run
inline constexpr std::size_t kMostFolds = 64;                 // further repetitions are not folded

/// Repetitions in a run: up to four steps that follow each other more than three times, alike in phase, stride, line
/// and counters each time. All steps of a fold have one phase and stride, and the same lanes at work. summaries
/// (launches,)
std::vector<Fold> folds(const trace::Run&, const std::vector<counters::Summary>& summaries);

/// The closed fold that a step lies in; else the step alone.
/// open  a bit for each fold: 1 where its steps are shown one by one
Fold row_of(const std::vector<Fold>&, std::uint64_t open, std::size_t step);

}  // namespace warptree::study
