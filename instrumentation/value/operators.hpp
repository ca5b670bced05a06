// The operators: one row each. The command line, the tests and the app all read it; what they compute is defined in
// instrumentation/value/operator.hpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "instrumentation/value/operator.hpp"

namespace warptree::value {

/// One row of the table.
struct Operator {
    Op op = Op::kSum;
    std::string_view name;      // "sum"
    std::string_view identity;  // "0": in words where it depends on the type
    bool commutative = true;    // a op b = b op a
    bool associative = true;    // (a op b) op c = a op (b op c); over floats up to rounding for sum and product
    std::string_view meaning;   // one sentence
};

std::span<const Operator> operators();                 // in teaching order
const Operator* find_operator(std::string_view name);  // null where it is none of these

/// Whether parallel kernels, which reorder and regroup, may be used with it as they are.
constexpr bool any_order_will_do(const Operator& row) {
    return row.commutative && row.associative;
}

/// The type that the operator is taught with: float32 where it can be, else int32.
Type usual_type(const Operator&);

/// Its identity in a type, as a cell shows it: "0", "-inf", "2147483647@none".
std::string identity_text(const Operator&, Type);

/// Why an operator cannot be used with a type, and what can; "" where it can.
std::string refusal(std::string_view op, Type);

}  // namespace warptree::value
