// Folding: one application of the operator outside a kernel.
#include "instrumentation/replay/fold.hpp"

#include "instrumentation/probe/operator.hpp"

namespace warptree::replay {

std::optional<Bits> fold(trace::Type type, std::string_view op, Bits left, Bits right) {
    const auto known = probe::op_named(op);
    if (!known) return std::nullopt;
    return probe::apply(type, *known, left, right);
}

}  // namespace warptree::replay
