// What hovering adds to the tree: the adds that a value is made of, and those that it goes into.
#include <algorithm>

#include "app/scene/tree_parts.hpp"

namespace warptree::scene {
namespace {

using Nodes = std::set<std::uint32_t>;

/// The adds that a target stands for.
Nodes nodes_of(const TreeContext& c, const Target& target) {
    Nodes nodes;
    const auto take = [&](std::uint32_t row) {
        if (const auto node = c.subject.facts->graph.maker(c.subject.launch, row)) nodes.insert(*node);
    };
    if (target.kind == Target::Kind::kEdge && target.index < c.subject.trace.rows()) take(target.index);
    if (target.kind == Target::Kind::kLane && target.state < c.subject.steps()) {
        for (const Flow& flow : c.flows.of(c.layout.steps_with(target.state)))
            if (flow.thread == target.index) take(flow.row);
    }
    if (target.kind == Target::Kind::kCell && target.array < c.subject.trace.arrays.size() &&
        target.state <= c.subject.steps()) {
        const auto cells = c.subject.memory.array(target.array, target.state);
        if (target.index < cells.size() && cells[target.index].row != replay::Cell::kInitial &&
            cells[target.index].defined)
            take(cells[target.index].row);
    }
    return nodes;
}

/// Some adds and all of this launch that went into them.
Nodes with_sources(const graph::Graph& graph, std::uint32_t first, Nodes nodes) {
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node)  // operands have lower numbers
        for (const graph::Operand operand : graph.operands(*node))
            if (operand.is_node() && operand.index() >= first && !graph.atomic(operand.index()))
                nodes.insert(operand.index());
    return nodes;
}

/// What some adds, or the input element hovered where there are none, go into later.
Nodes with_results(const TreeContext& c, Nodes nodes, const Target& target) {
    const graph::Graph& graph = c.subject.facts->graph;
    const bool of_cell = nodes.empty() && target.kind == Target::Kind::kCell;
    const replay::Place hovered{target.array, target.index};
    for (const Flow& flow : c.flows.all()) {  // in order of steps: one pass is enough
        if (!flow.combine) continue;
        const std::uint32_t node = *graph.node_at(c.subject.launch, flow.row);
        const bool fed =
            std::ranges::any_of(
                graph.operands(node),
                [&](graph::Operand operand) { return operand.is_node() && nodes.contains(operand.index()); }) ||
            (of_cell && std::any_of(flow.sources.begin(), flow.sources.end(), [&](const Source& source) {
                 return source.in_cell && source.cell == hovered && !graph.maker(c.subject.launch, source.row);
             }));
        if (fed) nodes.insert(node);
    }
    return nodes;
}

}  // namespace

void draw_traced(const TreeContext& c, const Target& hover) {
    if (c.layout.grain == Grain::kColumns) return;
    const bool traced =
        hover.kind == Target::Kind::kEdge || hover.kind == Target::Kind::kLane || hover.kind == Target::Kind::kCell;
    if (!traced) return;
    const graph::Graph& graph = c.subject.facts->graph;
    const Nodes start = nodes_of(c, hover);
    Nodes found = with_sources(graph, graph.of_launch[c.subject.launch], start);
    found.merge(with_results(c, start, hover));
    for (std::size_t i = 0; i < c.layout.rows.size(); ++i) {
        const TreeRow& row = c.layout.rows[i];
        if (row.cells) continue;
        for (const Flow& flow : c.flows.of(c.layout.steps_with(row.state))) {
            if (!flow.combine || !found.contains(*graph.node_at(c.subject.launch, flow.row))) continue;
            const float opacity = c.when(row.state) == When::kFuture ? 0.55f : 1;
            for (const EdgePath& path : edge_paths(c, i, flow)) {
                c.pen.add(edge_curve(path.from, path.to, {Role::kText, opacity}, 3.6f, 1, path.id));
            }
        }
    }
}

}  // namespace warptree::scene
