// Phases of a kernel: what a round is part of. A kernel gives it with step<T>(stride, phase).
#pragma once

#include <cstdint>

namespace warptree::value {

enum class Phase : std::uint8_t { kLoad, kTree, kScan, kUpsweep, kClear, kDownsweep, kAdd, kOutput };

}  // namespace warptree::value
