// The kernel files' own text, compiled in so that the program shows what it ran; and, with CUDA, their PTX.
#pragma once

#include "instrumentation/embedded.hpp"

namespace warptree {

extern const std::span<const Embedded> kListings;  // none is longer than a piece
extern const std::span<const Embedded> kPlainPtx;

}  // namespace warptree
