// What the tests of the executor run through.
#pragma once

#include <cstdint>

#include "instrumentation/simt/executor.hpp"

namespace warptree::simt::testing {

inline constexpr Order kOrders[] = {Order::kAscending, Order::kDescending, Order::kShuffled};
inline constexpr std::uint32_t kWarpSizes[] = {4, 8, 16, 32};

}  // namespace warptree::simt::testing
