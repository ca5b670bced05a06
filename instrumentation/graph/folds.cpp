// Folds: each a loop over the nodes.
#include "instrumentation/graph/folds.hpp"

#include <algorithm>

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

/// Whether an operand brings something of the input. carries  carrying()
bool brings(Operand operand, const std::vector<bool>& carries) {
    return operand.is_element() || (operand.is_node() && carries[operand.index()]);
}

/// (nodes,) whether the node's value goes into a result.
std::vector<bool> reaching(const Graph& graph) {
    std::vector<bool> out(graph.size());
    for (const Graph::Store& store : graph.results)
        if (const Operand value = graph.values[store.launch][store.row]; value.is_node()) out[value.index()] = true;
    for (std::size_t node = graph.size(); node-- > 0;)
        for (const Operand operand : graph.operands(node))
            if (out[node] && operand.is_node()) out[operand.index()] = true;
    return out;
}

}  // namespace

Forms::Forms(const Graph& graph) : graph_(graph) {
    for (const trace::Trace& trace : graph.launches)
        for (std::vector<Form>& all = of_site_.emplace_back(); const trace::Site& site : trace.sites)
            all.push_back(form_of(trace, site.op));
}

std::size_t chosen_result(const Graph& graph) {
    if (graph.launches.empty() || graph.results.empty()) return graph.results.size();
    const trace::Launch& launch = graph.launches.front().launch;
    if (launch.scans()) return graph.results.size() - 1;
    const bool one_part = launch.problem == value::Problem::kReduceToRoot;
    const std::uint64_t wanted = launch.is_collective() ? launch.n / (one_part ? launch.devices : 1) - 1 : 0;
    for (std::size_t at = graph.results.size(); at-- > 0;)
        if (const Graph::Store& store = graph.results[at]; graph.launches[store.launch].index[store.row] == wanted)
            return at;
    return graph.results.size();
}

std::optional<Operand> root(const Graph& graph) {
    const std::size_t at = chosen_result(graph);
    if (at == graph.results.size()) return std::nullopt;
    return graph.values[graph.results[at].launch][graph.results[at].row];
}

std::vector<std::uint32_t> depths(const Graph& graph) {
    std::vector<std::uint32_t> out(graph.size(), 1);
    for (std::size_t node = 0; node < graph.size(); ++node)
        for (const Operand operand : graph.operands(node))
            if (operand.is_node()) out[node] = std::max(out[node], out[operand.index()] + 1);
    return out;
}

/// Each element stands for a number of 64 bits, without a pattern; sums and differences of these wrap around. What
/// cancels, whatever the numbers are, is 0. That what does not cancel is 0 by chance happens once in 2^64 nodes.
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

std::vector<Leaves> leaves(const Graph& graph) {
    std::vector<Leaves> out(graph.size());
    const std::vector<bool> carries = carrying(graph);
    for (std::size_t node = 0; node < graph.size(); ++node)
        for (const Operand operand : graph.operands(node)) {
            if (!carries[node]) break;
            const std::uint32_t at = operand.index();
            const Leaves under = operand.is_node() ? out[at] : operand.is_element() ? Leaves{at, at, 1} : Leaves{};
            out[node].first = std::min(out[node].first, under.first);
            out[node].last = std::max(out[node].last, under.last);
            out[node].count += under.count;
        }
    return out;
}

Usefulness usefulness(const Graph& graph) {
    Usefulness out;
    const auto reads_input = [](const trace::Trace& trace) {
        return std::ranges::find(trace.arrays, trace::Role::kInput, &trace::Array::role) != trace.arrays.end();
    };
    if (!graph.complete || std::ranges::none_of(graph.launches, reads_input)) return out;
    const std::vector<bool> reaches = reaching(graph);
    out.of_node.resize(graph.size());
    const std::vector<bool> carries = carrying(graph);
    bool of_elements = false;
    for (std::size_t launch = 0; launch < graph.launches.size(); ++launch) {
        const trace::Trace& trace = graph.launches[launch];
        const std::size_t first = graph.first_step[launch];
        out.operations.resize(first + trace.steps.size());
        out.operates.resize(out.operations.size());
        for (std::uint32_t node = graph.of_launch[launch]; node < graph.of_launch[launch + 1]; ++node) {
            const auto count =
                std::ranges::count_if(graph.operands(node), [&](Operand operand) { return brings(operand, carries); });
            const std::size_t step = first + trace.step[graph.row[node]];
            if (!graph.adds(node)) continue;
            out.operates[step] = true;
            of_elements = of_elements || count > 0;
            if (reaches[node] && carries[node] && count > 1) out.of_node[node] = static_cast<std::uint32_t>(count - 1);
            out.operations[step] += out.of_node[node];
        }
    }
    if (!of_elements) out.operates.assign(out.operates.size(), false);
    return out;
}

std::vector<std::uint32_t> roundings(const Graph& graph, std::size_t elements) {
    const std::vector<bool> carries = carrying(graph);
    std::vector<std::uint32_t> out(elements), above(graph.size());
    std::vector<bool> reaches(graph.size());
    const auto reach = [&](Operand operand, std::uint32_t count) {
        if (!brings(operand, carries) || (operand.is_element() && operand.index() >= elements)) return;
        std::uint32_t& most = operand.is_node() ? above[operand.index()] : out[operand.index()];
        most = std::max(most, count);
        if (operand.is_node()) reaches[operand.index()] = true;
    };
    // Of several results the host makes one, which is rounded once more
    std::uint32_t more = 0;
    for (const Graph::Store& store : graph.results) {
        const trace::Trace& trace = graph.launches[store.launch];
        if (trace.arrays[trace.array(store.row)].role != trace::Role::kOutput || trace.index[store.row] == 0) continue;
        more = 1;
        reach(graph.values[store.launch][store.row], more);
    }
    if (const auto of = root(graph)) reach(*of, more);
    std::vector<Operand> values;
    for (std::size_t node = graph.size(); node-- > 0;) {
        if (!reaches[node]) continue;
        values.clear();
        const auto take = [&](Operand operand) {
            if (brings(operand, carries)) values.push_back(operand);
        };
        // Any of a cell's atomics may have come first, and then its value went through all the others
        std::size_t at = node;
        for (; graph.atomic(at); at = graph.operands(at)[0].index()) {
            const Operand old = graph.operands(at)[0];
            if (!old.is_node() || !graph.atomic(old.index())) break;
            take(graph.operands(at)[1]);
        }
        for (const Operand operand : graph.operands(at)) take(operand);
        for (const Operand value : values) reach(value, above[node] + static_cast<std::uint32_t>(values.size()) - 1);
    }
    return out;
}

}  // namespace warptree::graph
