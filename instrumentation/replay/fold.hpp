// Folding: what a cell holds after an atomic reduction, which the trace records only as the value added. Internal.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "instrumentation/trace/trace.hpp"

namespace warptree::replay {

/// One element of any type: its bytes, zeros above.
using Bits = std::uint64_t;

/// left op right, in the element type; as probe/operator.hpp defines it.
/// type     of the elements, Trace::type_of()
/// returns  none for an operator that is not known
std::optional<Bits> fold(value::Type type, std::string_view op, Bits left, Bits right);

}  // namespace warptree::replay
