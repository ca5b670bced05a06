// Expressions: a value written out over the input elements that it was made of.
#include <algorithm>

#include <fmt/format.h>

#include "instrumentation/replay/operands.hpp"
#include "instrumentation/replay/provenance.hpp"
#include "instrumentation/replay/replay.hpp"

namespace warptree::replay {
namespace {

constexpr std::string_view kEllipsis = "…";

std::string infix(std::string_view op) {
    if (op == "sum") return " + ";
    if (op == "product" || op == "matrix") return " * ";
    if (op == "subtract") return " - ";
    if (op == "and") return " & ";
    if (op == "or") return " | ";
    if (op == "xor") return " ^ ";
    return fmt::format(" {} ", op);
}

/// Still to be written: a piece of text, or (where that is empty) the value of an operand of `parent`.
struct Pending {
    std::string text = {};
    std::int32_t operand = trace::kNoEvent;
    std::size_t parent = 0;
};

/// An operand that no event made is written into the kernel; the identity is known by leaving the other one as it was.
std::string literal(const trace::Trace& trace, const Pending& what) {
    if (trace.kind(what.parent) == trace::Kind::kWarpReduce) return "identity";  // of lanes that have nothing to give
    const std::int32_t left = trace.a[what.parent], right = trace.b[what.parent];
    const std::int32_t other = left == trace::kNoEvent ? right : left;
    if (other == trace::kNoEvent) return "literal";
    const bool neutral = trace.value.same(what.parent, trace.value, static_cast<std::size_t>(other));
    return neutral ? "identity" : "literal";
}

/// A value that is not a combine's: an input element, another array's cell, or a stored literal.
std::string leaf(const trace::Trace& trace, std::size_t row) {
    if (trace.kind(row) != trace::Kind::kRead) return trace.value.text(row);
    const trace::Array& array = trace.arrays[trace.array(row)];
    if (array.role == trace::Role::kInput) return fmt::format("x{}", trace.index[row]);
    return fmt::format("{}[{}]", array.name, trace.index[row]);
}

}  // namespace

std::string expression(const trace::Trace& trace, std::uint32_t row, std::size_t limit) {
    std::string out;
    std::vector<Pending> stack{{"", static_cast<std::int32_t>(row), 0}};
    while (!stack.empty() && out.size() <= limit) {
        const Pending next = stack.back();
        stack.pop_back();
        if (!next.text.empty()) {
            out += next.text;
            continue;
        }
        if (next.operand == trace::kNoEvent) {
            out += literal(trace, next);
            continue;
        }
        const std::int32_t end = origin(trace, next.operand);
        if (end == trace::kNoEvent) continue;
        const auto at = static_cast<std::size_t>(end);
        if (!is_add(trace.kind(at))) {
            out += leaf(trace, at);
            continue;
        }
        if (trace.sites[trace.site[at]].op == trace::Operator::kNegate) {
            out += "-";
            stack.push_back({"", trace.a[at], at});
            continue;
        }
        out += "(";
        stack.push_back({")"});
        const std::size_t first = stack.size();
        each_operand(trace, static_cast<std::uint32_t>(at), [&](std::int32_t operand) {
            if (stack.size() > first) stack.push_back({infix(trace.op(at))});
            stack.push_back({"", operand, at});
        });
        std::reverse(stack.begin() + static_cast<std::ptrdiff_t>(first), stack.end());
    }
    if (out.size() <= limit) return out;
    out.resize(limit > 0 ? limit - 1 : 0);
    return out + std::string(kEllipsis);
}

}  // namespace warptree::replay
