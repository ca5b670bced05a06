// Usefulness: which operations the result needs.
#include <algorithm>

#include "instrumentation/graph/folds.hpp"

namespace warptree::graph {
namespace {

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

Usefulness usefulness(const Graph& graph) {
    Usefulness out;
    if (!graph.complete) return out;
    const std::vector<bool> reaches = reaching(graph);
    out.of_node.resize(graph.size());
    const std::vector<bool> carries = carrying(graph);
    for (std::size_t launch = 0; launch < graph.launches.size(); ++launch) {
        const trace::Trace& trace = graph.launches[launch];
        const std::size_t first = graph.first_step[launch];
        out.operations.resize(first + trace.steps.size());
        out.operates.resize(out.operations.size());
        for (std::uint32_t node = graph.of_launch[launch]; node < graph.of_launch[launch + 1]; ++node) {
            const auto count = std::ranges::count_if(graph.operands(node), [&](Operand operand) {
                return operand.is_element() || (operand.is_node() && carries[operand.index()]);
            });
            const std::size_t step = first + trace.step[graph.row[node]];
            if (!graph.adds(node)) continue;
            out.operates[step] = true;
            if (reaches[node] && carries[node] && count > 1) out.of_node[node] = static_cast<std::uint32_t>(count - 1);
            out.operations[step] += out.of_node[node];
        }
    }
    return out;
}

}  // namespace warptree::graph
