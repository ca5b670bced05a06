// Folding: one application of the operator outside a kernel.
#include "instrumentation/replay/fold.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace warptree::replay {
namespace {

std::optional<Bits> fold_float(std::string_view op, float left, float right) {
    if (op == "sum") return std::bit_cast<Bits>(left + right);
    if (op == "product") return std::bit_cast<Bits>(left * right);
    if (op == "min") return std::bit_cast<Bits>(std::min(left, right));
    if (op == "max") return std::bit_cast<Bits>(std::max(left, right));
    return std::nullopt;
}

std::optional<Bits> fold_int(std::string_view op, Bits left, Bits right) {
    const auto a = static_cast<std::int32_t>(left), b = static_cast<std::int32_t>(right);
    if (op == "sum") return left + right;
    if (op == "product") return left * right;
    if (op == "min") return static_cast<Bits>(std::min(a, b));
    if (op == "max") return static_cast<Bits>(std::max(a, b));
    return std::nullopt;
}

}  // namespace

Bits bits_of(const trace::Values& values, std::size_t at) {
    Bits out;
    std::memcpy(&out, values.bytes.data() + at * sizeof out, sizeof out);
    return out;
}

std::optional<Bits> fold(trace::Type type, std::string_view op, Bits left, Bits right) {
    if (type == trace::Type::kInt32) return fold_int(op, left, right);
    return fold_float(op, std::bit_cast<float>(left), std::bit_cast<float>(right));
}

}  // namespace warptree::replay
