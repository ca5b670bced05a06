// Depth, and the elements under each node.
#include <algorithm>

#include "instrumentation/graph/folds.hpp"

namespace warptree::graph {

std::vector<std::uint32_t> depths(const Graph& graph) {
    std::vector<std::uint32_t> out(graph.size(), 1);
    for (std::size_t node = 0; node < graph.size(); ++node)
        for (const Operand operand : graph.operands(node))
            if (operand.is_node()) out[node] = std::max(out[node], out[operand.index()] + 1);
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

}  // namespace warptree::graph
