// What single accesses cost, counted by the same code as everything else.
#pragma once

#include <span>
#include <vector>

#include "instrumentation/counters/counters.hpp"

namespace warptree::counters {

/// returns  (accesses,) what each adds to the counters of its step: one of the kinds of memory access, or a shuffle.
///          Over all accesses of a step they add up to its requests, segments, sectors, bytes and conflicts.
std::vector<Counters> access_costs(const trace::Trace&, std::span<const Access>);

}  // namespace warptree::counters
