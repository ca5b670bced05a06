// Folding: one application of the operator outside a kernel.
#include "instrumentation/replay/fold.hpp"

#include "instrumentation/value/operator.hpp"

namespace warptree::replay {

std::optional<Bits> fold(value::Type type, std::string_view op, Bits left, Bits right) {
    const auto known = value::op_named(op);
    if (!known) return std::nullopt;
    return value::apply(type, *known, left, right);
}

}  // namespace warptree::replay
