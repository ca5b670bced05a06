// The ladder view's menus: which kernels and which N are on show, and measuring these here.
#pragma once

#include <vector>

#include "app/state/menus.hpp"
#include "app/study/measuring.hpp"

namespace warptree::state {

/// A row for each kernel and reference that the results on show have: shown or not.
std::vector<MenuItem> rung_items(const AppState&);
/// The least N and the largest that are shown.
std::vector<MenuItem> size_items(const AppState&);
/// Where these kernels can be measured at these N, and why not.
std::vector<MenuItem> measure_items(const AppState&);

/// The kernels on show at the powers of two that are chosen, or where none are, on show, at one at least; the executor
/// up to kMostMeasured.
study::MeasurePlan plan_of(const AppState&, kernels::Backend);
inline constexpr std::uint64_t kMostMeasured = std::uint64_t{1} << 20;

}  // namespace warptree::state
