// Provenance: following a value back to the combine that made it. Internal to replay.
#pragma once

#include <cstdint>

#include "instrumentation/trace/trace.hpp"

namespace warptree::replay {

/// Follows a value back through reads, writes and shuffles, which only pass it on.
/// row      a trace row, or kNoEvent
/// returns  the row where it ends: a combine or a part of a warp's reduction; else the last row of the chain, which has
/// no operand: a read of initial
///          contents or a write of a literal. A read of a cell that atomic reductions added to ends the chain too,
///          since no single event made what it saw. kNoEvent in gives kNoEvent out.
std::int32_t origin(const trace::Trace&, std::int32_t row);

/// The combine that made a value, or the warp's reduction.
/// returns  its row, see lead(); kNoEvent where the value is an input element or a literal
std::int32_t made_by(const trace::Trace&, std::int32_t row);

}  // namespace warptree::replay
