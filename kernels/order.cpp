// What a kernel did to the order of its operands, in a sentence.
#include <fmt/format.h>

#include "instrumentation/graph/folds.hpp"
#include "kernels/catalog.hpp"
#include "kernels/operators.hpp"
#include "kernels/order.hpp"

namespace warptree::kernels {
namespace {

std::string atomics(const Combination& leaves) {
    if (!leaves.atomic || leaves.roots.size() < 2) return {};
    return fmt::format(" The results of the {} blocks meet in an atomic, in an order that the hardware chooses.",
                       leaves.roots.size());
}

std::string changed(const Combination& leaves, std::size_t at, const Operator& op) {
    const std::uint32_t came = leaves.operands[at];
    const std::string place = at == 0 ? "it begins with" : fmt::format("after x{} comes", at - 1);
    const std::string sentence = fmt::format(
        "The kernel changes the order of the operands: {} x{}, where x{} should stand; x{} and x{} are the "
        "first to change places, and {} does not commute.",
        place, came, at, at, came, op.name);
    return sentence + atomics(leaves);
}

std::string regrouped(const graph::Graph& graph, const Combination& leaves, const Operator& op) {
    constexpr std::size_t kShown = 60;  // characters
    std::string text =
        fmt::format("The kernel keeps the order of the operands; the parentheses alone differ: it takes {}",
                    graph::expression(graph, leaves.launch, leaves.row, kShown));
    text += fmt::format(", left to right is ((x0 {0} x1) {0} x2) {0} ..., and {1} is not associative.",
                        value::sign(op.name), op.name);
    return text + atomics(leaves);
}

}  // namespace

std::string order_note(const trace::Run& run) {
    const trace::Launch& launch = run.launch();
    const Operator* op = find_operator(launch.op);
    if (op == nullptr || any_order_will_do(*op)) return {};
    if (!run.complete())
        return "In which order the kernel takes the operands cannot be told: not all blocks' accesses were kept.";
    const graph::Graph graph = graph::build(run);
    const Combination leaves = combination(graph);
    if (leaves.operands.empty() || !leaves.known) return {};
    if (const auto at = leaves.first_change()) return changed(leaves, *at, *op);
    if (leaves.operands.size() != launch.n - (launch.problem == Problem::kExclusiveScan))
        return fmt::format("The kernel's result is made of {} of the {} operands.", leaves.operands.size(), launch.n);
    if (!op->associative && !leaves.left_to_right()) return regrouped(graph, leaves, *op);
    if (!op->associative && leaves.identity_first)
        return fmt::format(
            "The kernel keeps the order, but begins with the identity on the left; {} is that of {} on the "
            "right only.",
            identity_text(*op, launch.type), op->name);
    if (!op->associative) return "The kernel takes the operands from left to right, as the operator asks for.";
    return "The kernel keeps the order of the operands, which is all that an associative operator asks for." +
           atomics(leaves);
}

Verdict verdict(const trace::Run& run) {
    Verdict out;
    out.wrong = first_wrong(run);
    out.correct = out.wrong.empty();
    const value::Values gave = result(run);
    if (gave.size() > 0) out.result = gave.text(0);
    out.expected = expected_text(run);
    out.note = order_note(run);
    return out;
}

}  // namespace warptree::kernels
