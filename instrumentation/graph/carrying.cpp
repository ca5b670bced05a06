// Carrying: whose value would depend on elements of the input if nothing were rounded.
//
// Each element stands for a number of 64 bits, without a pattern; sums and differences of these wrap around. What
// cancels, whatever the numbers are, is 0. That what does not cancel is 0 by chance happens once in 2^64 nodes.
#include "instrumentation/graph/folds.hpp"

namespace warptree::graph {
namespace {

/// Source: G. L. Steele, D. Lea, C. H. Flood, Fast Splittable Pseudorandom Number Generators, 2014 (SplitMix64).
std::uint64_t number_of(std::uint64_t atom) {
    std::uint64_t z = (atom + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

Form form_of(const trace::Trace& trace, trace::Operator op) {
    if (op == trace::Operator::kNegate) return Form::kDifference;
    const auto known =
        op == trace::Operator::kLaunch ? value::op_named(trace.launch.op) : std::optional(static_cast<value::Op>(op));
    return known == value::Op::kSum ? Form::kSum : known == value::Op::kSubtract ? Form::kDifference : Form::kOther;
}

}  // namespace

Forms::Forms(const Graph& graph) : graph_(graph) {
    for (const trace::Trace& trace : graph.launches)
        for (std::vector<Form>& all = of_site_.emplace_back(); const trace::Site& site : trace.sites)
            all.push_back(form_of(trace, site.op));
}

std::vector<bool> carrying(const Graph& graph) {
    const Forms forms(graph);
    std::vector<std::uint64_t> numbers(graph.size());
    std::vector<bool> out(graph.size());
    for (std::size_t node = 0; node < graph.size(); ++node) {
        const Form form = forms[node];
        const std::span<const Operand> operands = graph.operands(node);
        std::uint64_t total = 0;
        bool any = false;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const std::uint32_t at = operands[i].index();
            const std::uint64_t number = operands[i].is_node()      ? numbers[at]
                                         : operands[i].is_element() ? number_of(at)
                                                                    : 0;
            total += form == Form::kDifference && (i > 0 || operands.size() == 1) ? -number : number;
            any = any || number != 0;
        }
        if (form == Form::kOther) total = any ? number_of(std::uint64_t{1} << 32 | node) : 0;
        numbers[node] = total;
        out[node] = total != 0;
    }
    return out;
}

}  // namespace warptree::graph
