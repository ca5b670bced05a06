// What a result is made of: the joins and operands behind each store of a result, the expression they spell, and in a
// sentence what the kernel did to their order.
#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "instrumentation/graph/folds.hpp"
#include "instrumentation/judge/order.hpp"
#include "instrumentation/judge/reference.hpp"
#include "instrumentation/value/operators.hpp"

namespace warptree::judge {
namespace {

using graph::From;
using graph::Operand;

constexpr std::int32_t kNothing = INT32_MIN;  // an identity, or what the input was filled up with

/// Walks values down to their operands, through the graph.
class Walk {
public:
    Walk(const graph::Graph& graph, Combination& out)
        : graph_(graph),
          sums_(graph.launches.front().launch.op == "sum"),
          carries_(graph::carrying(graph)),
          out_(out) {}

    void take(Operand result) {
        stack_ = {{result, kVisit}};
        done_.clear();
        while (!stack_.empty()) {
            const auto [operand, base] = stack_.back();
            stack_.pop_back();
            base == kVisit ? visit(operand) : finish(operand.index(), base);
        }
        if (done_.front() != kNothing) out_.roots.push_back(done_.front());
    }

private:
    struct Pending {
        Operand operand;
        std::size_t base;  // kVisit, or where the parts of this node begin in done_
    };
    static constexpr std::size_t kVisit = SIZE_MAX;

    void visit(Operand operand) {
        if (!operand.is_node()) return done_.push_back(leaf(operand));
        const auto parts = graph_.operands(operand.index());
        if (sums_ && !carries(operand)) return done_.push_back(kNothing);
        if (!graph_.adds(operand.index())) {  // what other operators do is not judged here,
            if (sums_ && parts.size() == 2 && !carries(parts[1]) && graph_.op(operand.index()) == "subtract")
                return stack_.push_back({parts[0], kVisit});  // but where they take off what roundings left
            out_.known = false;
            return done_.push_back(kNothing);
        }
        if (out_.operands.size() >
            2 * graph_.launches.front().launch.n) {  // not a tree: values are used again and again
            out_.known = false;
            return done_.push_back(kNothing);
        }
        stack_.push_back({operand, done_.size()});
        for (std::size_t i = parts.size(); i-- > 0;) stack_.push_back({parts[i], kVisit});
    }

    bool carries(Operand operand) const { return operand.is_node() ? carries_[operand.index()] : operand.is_element(); }

    std::int32_t leaf(Operand operand) {
        const From from = graph_.from(operand);
        if (from == From::kElement) {
            out_.operands.push_back(operand.index());
            return static_cast<std::int32_t>(out_.operands.size() - 1);
        }
        out_.identity_first |= out_.operands.empty() && (from == From::kIdentity || from == From::kLiteral);
        out_.known &= from != From::kUnknown;
        return kNothing;
    }

    /// One node, all of whose parts are known. With a single one that is something, it is that.
    void finish(std::uint32_t node, std::size_t base) {
        Combination::Join join{.launch = static_cast<std::uint32_t>(graph_.launch(node)),
                               .row = graph_.row[node],
                               .step = graph_.step(node)};
        for (std::size_t i = base; i < done_.size(); ++i)
            if (done_[i] != kNothing) join.parts.push_back(done_[i]);
        done_.resize(base);
        if (join.parts.size() < 2) return done_.push_back(join.parts.empty() ? kNothing : join.parts.front());
        out_.joins.push_back(std::move(join));
        done_.push_back(~static_cast<std::int32_t>(out_.joins.size() - 1));
    }

    const graph::Graph& graph_;
    const bool sums_;
    const std::vector<bool> carries_;  // (nodes,)
    Combination& out_;
    std::vector<Pending> stack_;
    std::vector<std::int32_t> done_;
};

std::string infix(const trace::Run& run) {
    const value::Operator* op = value::find_operator(run.launch().op);
    return op == nullptr ? " ? " : fmt::format(" {} ", value::sign(op->name));
}

// What the kernel did to the order

std::string atomics(const Combination& leaves) {
    if (!leaves.atomic || leaves.roots.size() < 2) return {};
    return fmt::format(" The results of the {} blocks meet in an atomic, in an order that the hardware chooses.",
                       leaves.roots.size());
}

std::string changed(const Combination& leaves, std::size_t at, const value::Operator& op) {
    const std::uint32_t came = leaves.operands[at];
    const std::string place = at == 0 ? "it begins with" : fmt::format("after x{} comes", at - 1);
    const std::string sentence = fmt::format(
        "The kernel changes the order of the operands: {} x{}, where x{} should stand; x{} and x{} are the "
        "first to change places, and {} does not commute.",
        place, came, at, at, came, op.name);
    return sentence + atomics(leaves);
}

std::string regrouped(const graph::Graph& graph, const Combination& leaves, const value::Operator& op) {
    constexpr std::size_t kShown = 60;  // characters
    std::string text =
        fmt::format("The kernel keeps the order of the operands; the parentheses alone differ: it takes {}",
                    graph::expression(graph, leaves.launch, leaves.row, kShown));
    text += fmt::format(", left to right is ((x0 {0} x1) {0} x2) {0} ..., and {1} is not associative.",
                        value::sign(op.name), op.name);
    return text + atomics(leaves);
}

}  // namespace

bool Combination::left_to_right() const {
    for (std::size_t i = 1; i < roots.size(); ++i)
        if (roots[i] < 0) return false;
    return std::all_of(joins.begin(), joins.end(), [](const Join& join) {
        return std::all_of(join.parts.begin() + 1, join.parts.end(), [](std::int32_t part) { return part >= 0; });
    });
}

std::optional<std::size_t> Combination::first_change() const {
    for (std::size_t i = 0; i < operands.size(); ++i)
        if (operands[i] != i) return i;
    return std::nullopt;
}

Combination combination(const graph::Graph& graph) {
    Combination out;
    out.known = graph.complete;  // else most of the rows are not there
    if (!graph.complete) return out;
    std::span<const graph::Graph::Store> results = graph.results;
    if (graph.launches.front().launch.has_many_results() && !results.empty())
        results = results.subspan(std::min(graph::chosen_result(graph), results.size() - 1), 1);
    for (const graph::Graph::Store& result : results) {
        if (out.roots.empty()) out.launch = result.launch, out.row = result.row;
        out.atomic |= graph.launches[result.launch].kind(result.row) == trace::Kind::kReduction;
        out.identity_first |= out.atomic;  // what the cell held before
        Walk(graph, out).take(graph.brought(result.launch, result.row));
    }
    return out;
}

std::vector<Token> tokens(const Combination& c, const trace::Run& run, bool values, std::size_t most) {
    const std::string op = infix(run);
    const value::Values* input = values ? run.input() : nullptr;
    std::vector<Token> out;
    struct Pending {
        const char* text;  // null: the part itself
        std::int32_t part, join;
        bool bare;  // no parentheses around it
    };
    std::vector<Pending> stack;
    for (std::size_t i = c.roots.size(); i-- > 0;) {
        stack.push_back({nullptr, c.roots[i], 0, c.roots.size() == 1});
        if (i > 0) stack.push_back({op.c_str(), 0, Token::kBetweenResults, true});
    }
    while (!stack.empty()) {
        const Pending next = stack.back();
        stack.pop_back();
        if (out.size() >= most) {
            out.push_back({"…"});
            break;
        }
        if (next.text != nullptr) {
            out.push_back({next.text, next.join});
        } else if (next.part >= 0) {
            const std::uint32_t index = c.operands[static_cast<std::size_t>(next.part)];
            const bool shown = input != nullptr && index < input->size();
            out.push_back({shown ? input->text(index) : "x" + std::to_string(index)});
        } else {
            const std::int32_t at = ~next.part;
            const Combination::Join& join = c.joins[static_cast<std::size_t>(at)];
            if (!next.bare) out.push_back({"(", at});
            if (!next.bare) stack.push_back({")", 0, at, true});
            for (std::size_t i = join.parts.size(); i-- > 0;) {
                stack.push_back({nullptr, join.parts[i], 0, false});
                if (i > 0) stack.push_back({op.c_str(), 0, at, true});
            }
        }
    }
    return out;
}

std::string expression(const Combination& c, const trace::Run& run, bool values, std::size_t most) {
    std::string text;
    for (const Token& token : tokens(c, run, values, most)) text += token.text;
    return text;
}

std::string order_note(const trace::Run& run) {
    const trace::Launch& launch = run.launch();
    const value::Operator* op = value::find_operator(launch.op);
    if (op == nullptr || value::any_order_will_do(*op)) return {};
    if (!run.complete())
        return "In which order the kernel takes the operands cannot be told: not all blocks' accesses were kept.";
    const graph::Graph graph = graph::build(run);
    Combination leaves = combination(graph);
    if (leaves.operands.empty() || !leaves.known) return {};
    std::uint64_t all = launch.n - (launch.problem == value::Problem::kExclusiveScan);
    if (launch.is_collective()) {  // devices are its operands
        for (std::uint32_t& operand : leaves.operands) operand /= static_cast<std::uint32_t>(launch.n / launch.devices);
        all = launch.devices;
    }
    if (const auto at = leaves.first_change()) return changed(leaves, *at, *op);
    if (leaves.operands.size() != all)
        return fmt::format("The kernel's result is made of {} of the {} operands.", leaves.operands.size(), all);
    if (!op->associative && !leaves.left_to_right()) return regrouped(graph, leaves, *op);
    if (!op->associative && leaves.identity_first)
        return fmt::format(
            "The kernel keeps the order, but begins with the identity on the left; {} is that of {} on the "
            "right only.",
            value::identity_text(*op, launch.type), op->name);
    if (!op->associative) return "The kernel takes the operands from left to right, as the operator asks for.";
    return "The kernel keeps the order of the operands, which is all that an associative operator asks for." +
           atomics(leaves);
}

Verdict verdict(const trace::Run& run) {
    Verdict out;
    out.judged = run.launch().unjudged.empty();
    if (out.judged) out.wrong = first_wrong(run);
    out.correct = out.wrong.empty();
    const value::Values gave = result(run);
    if (gave.size() > 0) out.result = gave.text(0);
    if (out.judged) out.expected = expected_text(run);
    out.note = order_note(run);
    return out;
}

}  // namespace warptree::judge
