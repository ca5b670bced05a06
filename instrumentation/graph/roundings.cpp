// Roundings: how often what an element adds to the result can have been rounded.
#include <algorithm>

#include "instrumentation/graph/folds.hpp"

namespace warptree::graph {
std::optional<Operand> root(const Graph& graph) {
    const bool scans = !graph.launches.empty() && graph.launches.front().launch.scans();
    for (auto store = graph.results.rbegin(); store != graph.results.rend(); ++store) {
        const trace::Trace& trace = graph.launches[store->launch];
        if (trace.arrays[trace.array(store->row)].role == trace::Role::kOutput &&
            (scans || trace.index[store->row] == 0))
            return graph.values[store->launch][store->row];
    }
    return std::nullopt;
}

std::vector<std::uint32_t> roundings(const Graph& graph, std::size_t elements) {
    const std::vector<Leaves> under = leaves(graph);
    const auto carries = [&](Operand operand) {
        return operand.is_element() || (operand.is_node() && under[operand.index()].count > 0);
    };
    std::vector<std::uint32_t> out(elements), above(graph.size());
    std::vector<bool> reaches(graph.size());
    const auto reach = [&](Operand operand, std::uint32_t count) {
        if (!carries(operand) || (operand.is_element() && operand.index() >= elements)) return;
        std::uint32_t& most = operand.is_node() ? above[operand.index()] : out[operand.index()];
        most = std::max(most, count);
        if (operand.is_node()) reaches[operand.index()] = true;
    };
    if (const auto of = root(graph)) reach(*of, 0);
    std::vector<Operand> values;
    for (std::size_t node = graph.size(); node-- > 0;) {
        if (!reaches[node]) continue;
        values.clear();
        const auto take = [&](Operand operand) {
            if (carries(operand)) values.push_back(operand);
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
