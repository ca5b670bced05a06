// In which order a kernel took its operands, derived from the trace: for operators that do not commute or associate.
#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "instrumentation/replay/provenance.hpp"
#include "instrumentation/replay/replay.hpp"
#include "kernels/catalog.hpp"
#include "kernels/operators.hpp"

namespace warptree::kernels {
namespace {

/// What a result is made of, from left to right.
struct Leaves {
    std::vector<std::uint32_t> order;  // indices of the input; those past N are left out
    bool left_to_right = true;         // (((x0 op x1) op x2) op ...: no parentheses on the right
    bool identity_first = false;       // an identity stands left of the first
    std::uint32_t blocks = 0;          // results that were put together at the end
    bool atomic = false;               // they met in an atomic
    std::uint32_t row = 0;             // the store of the first
    bool known = true;                 // every leaf is an element of the input or an identity
};

/// The rows that leave results: stores to the output in order of cells, or atomics in order of blocks.
std::vector<std::uint32_t> stores_of_results(const trace::Trace& trace) {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < trace.rows(); ++row) {
        const trace::Kind kind = trace.kind(row);
        if (kind != trace::Kind::kWrite && kind != trace::Kind::kReduction) continue;
        if (trace.arrays[trace.array(row)].role == trace::Role::kOutput) rows.push_back(row);
    }
    std::stable_sort(rows.begin(), rows.end(), [&](auto x, auto y) { return trace.index[x] < trace.index[y]; });
    return rows;
}

/// Walks one value down to its leaves.
class Walk {
public:
    Walk(const trace::Trace& trace, Leaves& leaves) : trace_(trace), leaves_(leaves) {}

    /// operand  a row; kNoEvent: a literal, which in these kernels is the identity
    void take(std::int32_t operand) {
        struct Pending {
            std::int32_t operand;
            bool on_the_right;
        };
        std::vector<Pending> stack{{operand, !leaves_.order.empty()}};
        while (!stack.empty()) {
            const auto [next, on_the_right] = stack.back();
            stack.pop_back();
            const std::int32_t end = next == trace::kNoEvent ? next : replay::origin(trace_, next);
            if (end == trace::kNoEvent || trace_.kind(static_cast<std::size_t>(end)) != trace::Kind::kCombine) {
                leaf(end);
                continue;
            }
            if (on_the_right && holds_elements(end)) leaves_.left_to_right = false;
            stack.push_back({trace_.b[static_cast<std::size_t>(end)], true});
            stack.push_back({trace_.a[static_cast<std::size_t>(end)], on_the_right});
        }
    }

private:
    void leaf(std::int32_t row) {
        const auto at = static_cast<std::size_t>(row);
        if (row == trace::kNoEvent || trace_.kind(at) != trace::Kind::kRead) {
            leaves_.identity_first |= leaves_.order.empty();
            return;
        }
        if (trace_.arrays[trace_.array(at)].role != trace::Role::kInput) {
            leaves_.known = false;
        } else if (trace_.index[at] < trace_.launch.n) {
            leaves_.order.push_back(trace_.index[at]);
        }
    }
    /// Whether a combine on the right is of two elements or more, and not of what the input was filled up with.
    bool holds_elements(std::int32_t combine) const {
        std::vector<std::int32_t> stack{combine};
        while (!stack.empty()) {
            const std::int32_t operand = stack.back();
            stack.pop_back();
            const std::int32_t end = operand == trace::kNoEvent ? operand : replay::origin(trace_, operand);
            if (end == trace::kNoEvent) continue;
            const auto at = static_cast<std::size_t>(end);
            if (trace_.kind(at) == trace::Kind::kCombine) {
                stack.push_back(trace_.a[at]);
                stack.push_back(trace_.b[at]);
            } else if (trace_.kind(at) == trace::Kind::kRead && trace_.index[at] < trace_.launch.n) {
                return true;
            }
        }
        return false;
    }

    const trace::Trace& trace_;
    Leaves& leaves_;
};

Leaves leaves_of(const trace::Trace& trace) {
    Leaves leaves;
    for (const std::uint32_t row : stores_of_results(trace)) {
        if (leaves.blocks++ == 0) leaves.row = row;
        leaves.atomic |= trace.kind(row) == trace::Kind::kReduction;
        leaves.identity_first |= leaves.atomic;  // what the cell held before
        Walk(trace, leaves).take(trace.a[row]);
    }
    return leaves;
}

/// The first place at which the order is not that of the input.
std::optional<std::size_t> first_change(const Leaves& leaves) {
    for (std::size_t i = 0; i < leaves.order.size(); ++i)
        if (leaves.order[i] != i) return i;
    return std::nullopt;
}

std::string atomics(const Leaves& leaves) {
    if (!leaves.atomic || leaves.blocks < 2) return {};
    return fmt::format(" The results of the {} blocks meet in an atomic, in an order that the hardware chooses.",
                       leaves.blocks);
}

std::string changed(const Leaves& leaves, std::size_t at, const Operator& op) {
    const std::uint32_t came = leaves.order[at];
    const std::string place = at == 0 ? "it begins with" : fmt::format("after x{} comes", at - 1);
    const std::string sentence = fmt::format(
        "The kernel changes the order of the operands: {} x{}, where x{} should stand; x{} and x{} are the "
        "first to change places, and {} does not commute.",
        place, came, at, at, came, op.name);
    return sentence + atomics(leaves);
}

std::string regrouped(const trace::Trace& trace, const Leaves& leaves, const Operator& op) {
    constexpr std::size_t kShown = 60;  // characters
    std::string text =
        fmt::format("The kernel keeps the order of the operands; the parentheses alone differ: it takes {}",
                    replay::expression(trace, leaves.row, kShown));
    text +=
        fmt::format(", left to right is ((x0 {0} x1) {0} x2) {0} ..., and {1} is not associative.", op.symbol, op.name);
    return text + atomics(leaves);
}

}  // namespace

std::string order_note(const trace::Trace& trace) {
    const Operator* op = find_operator(trace.launch);
    if (op == nullptr || any_order_will_do(*op)) return {};
    const Leaves leaves = leaves_of(trace);
    if (leaves.order.empty() || !leaves.known) return {};
    if (const auto at = first_change(leaves)) return changed(leaves, *at, *op);
    if (leaves.order.size() != trace.launch.n)
        return fmt::format("The kernel's result is made of {} of the {} operands.", leaves.order.size(),
                           trace.launch.n);
    if (!op->associative && !leaves.left_to_right) return regrouped(trace, leaves, *op);
    if (!op->associative && leaves.identity_first)
        return fmt::format(
            "The kernel keeps the order, but begins with the identity on the left; {} is that of {} on the "
            "right only.",
            identity_text(*op, trace.launch.type), op->name);
    if (!op->associative) return "The kernel takes the operands from left to right, as the operator asks for.";
    return "The kernel keeps the order of the operands, which is all that an associative operator asks for." +
           atomics(leaves);
}

}  // namespace warptree::kernels
