// Folding: what a cell holds after an atomic reduction, which the trace records only as the value added. Internal.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "instrumentation/trace/trace.hpp"

namespace warptree::replay {

/// One element of either type, as its four bytes.
using Bits = std::uint32_t;
Bits bits_of(const trace::Values&, std::size_t at);

/// left op right, in the element type; integers wrap.
/// returns  none for an operator other than sum, product, min and max
std::optional<Bits> fold(trace::Type, std::string_view op, Bits left, Bits right);

}  // namespace warptree::replay
