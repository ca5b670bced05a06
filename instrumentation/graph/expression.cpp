// Expressions: a value written out over the elements that it was made of.
#include <fmt/format.h>

#include "instrumentation/graph/folds.hpp"

namespace warptree::graph {
namespace {

constexpr std::string_view kEllipsis = "…";

/// An operand that is no node.
std::string leaf(const Graph& graph, Operand what) {
    if (what.is_element()) return fmt::format("x{}", what.index());
    const Constant& constant = graph.constants[what.index()];
    if (constant.from == From::kIdentity || constant.from == From::kPadding) return "identity";
    if (constant.row == trace::kNoEvent) return constant.from == From::kLiteral ? "literal" : "?";
    const trace::Trace& trace = graph.launches[constant.launch];
    const auto row = static_cast<std::size_t>(constant.row);
    if (constant.from == From::kLiteral) return trace.text(row);
    return fmt::format("{}[{}]", trace.arrays[trace.array(row)].name, trace.index[row]);
}

}  // namespace

std::string operands_text(const Graph& graph, std::size_t node) {
    const trace::Trace& trace = graph.trace(node);
    const std::span<const Operand> operands = graph.operands(node);
    const std::string_view sign = value::sign(graph.op(node));
    if (trace.kind(graph.row[node]) == trace::Kind::kWarpReduce)
        return fmt::format("one instruction: {} of {} lanes", sign, operands.size());
    const auto text = [&](std::size_t i) {
        const std::int32_t row = graph.sources(node)[i];
        return row == trace::kNoEvent ? leaf(graph, operands[i]) : trace.text(static_cast<std::size_t>(row));
    };
    return operands.size() == 1 ? "-" + text(0) : fmt::format("{} {} {}", text(0), sign, text(1));
}

std::string expression(const Graph& graph, std::size_t launch, std::uint32_t row, std::size_t limit) {
    struct Pending {
        std::string text;  // "": the operand
        Operand operand;
    };
    const Operand root = graph.brought(launch, row);
    std::string out;
    std::vector<Pending> stack{{"", root}};
    while (!stack.empty() && out.size() <= limit) {
        const auto [text, operand] = std::move(stack.back());
        stack.pop_back();
        if (!text.empty() || !operand.is_node()) {
            out += !text.empty() ? text : leaf(graph, operand);
            continue;
        }
        const std::string_view op = graph.op(operand.index());
        if (op == trace::name(trace::Operator::kNegate)) {
            out += "-";
            stack.push_back({"", graph.operands(operand.index())[0]});
            continue;
        }
        out += "(";
        stack.push_back({")", root});
        const std::span<const Operand> parts = graph.operands(operand.index());
        for (std::size_t i = parts.size(); i-- > 0;) {
            stack.push_back({"", parts[i]});
            if (i > 0) stack.push_back({fmt::format(" {} ", value::sign(op)), root});
        }
    }
    if (out.size() <= limit) return out;
    out.resize(limit > 0 ? limit - 1 : 0);
    return out + std::string(kEllipsis);
}

}  // namespace warptree::graph
