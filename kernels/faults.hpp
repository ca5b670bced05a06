// An access outside an array, as a sentence for the user.
#pragma once

#include <string>

#include "instrumentation/log/raw.hpp"
#include "kernels/backend.hpp"

namespace warptree::kernels {

/// "kernels/reduce/x.cuh, line 20: thread 5 of block 0 reads input[300], which has 256 elements."
std::string describe(const probe::OutOfBounds& fault, const Prepared& prepared);

}  // namespace warptree::kernels
