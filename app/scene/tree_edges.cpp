// Edges of the tree: from the cells that a lane read to the lane, and from the lane to the cell that it wrote; and what
// hovering adds: the adds that a value is made of, and those that it goes into.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "app/scene/tree_parts.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

struct EdgeStyle {
    Ink ink;
    float width = 1, drawn = 1;
};

EdgeStyle style(const TreeContext& c, std::size_t step, bool read) {
    const When when = c.when(step);
    const Clock clock = c.clock(step);
    const bool dense = c.layout.pitch < 8;
    const float thin = std::clamp(c.layout.pitch / 10, 0.8f, 1.0f);
    switch (when) {
        case When::kPresent:
            return {{read ? Role::kActive : Role::kWritten},
                    3 * std::clamp(c.layout.pitch / 24, 0.5f, 1.0f),
                    read ? clock.reads : clock.writes};
        case When::kPast:
            return {read ? Ink{Role::kTextDim, dense ? 0.3f : 0.75f} : Ink{Role::kWritten, 0.75f}, 1.6f * thin, 1};
        default:
            return {{Role::kTextFaint, dense ? 0.4f : 0.6f}, 1.2f * thin, 1};
    }
}

bool outside(const TreeLayout& l, Vec a, Vec b) {
    return std::max(a.x, b.x) < l.area.x || std::min(a.x, b.x) > l.area.right() || std::max(a.y, b.y) < l.area.y - 4 ||
           std::min(a.y, b.y) > l.area.bottom() + 4;
}

/// Edges between columns of cells: equal ones are drawn once.
void draw_column_edges(const TreeContext& c, std::size_t row) {
    const TreeLayout& l = c.layout;
    const float group = l.group * l.pitch, origin = l.column_x(0);
    const auto middle = [&](float x) { return origin + (std::floor((x - origin) / group) + 0.5f) * group; };
    std::vector<std::pair<std::pair<float, float>, EdgePath>> paths;
    for (const Flow& flow : c.flows(l.rows[row])) {
        for (EdgePath path : edge_paths(c, row, flow)) {
            path.from.x = middle(path.from.x);
            path.to.x = middle(path.to.x);
            paths.push_back({{path.from.x, path.to.x + (path.read ? 0.0f : 1e6f)}, path});
        }
    }
    std::sort(paths.begin(), paths.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    const auto last =
        std::unique(paths.begin(), paths.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
    for (auto path = paths.begin(); path != last; ++path) {
        const EdgePath& p = path->second;
        if (outside(l, p.from, p.to)) continue;
        const EdgeStyle s = style(c, l.rows[row].state, p.read);
        c.pen.add(edge_curve(p.from, p.to, s.ink, std::min(s.width, 1.4f), s.drawn, 0));
    }
}

/// What another block of the cluster holds comes from where its name stands, above the lane at its right.
void draw_remote(const TreeContext& c, std::size_t row, const Flow& flow, const EdgeStyle& s) {
    const TreeRow& lanes = c.layout.rows[row];
    if (s.drawn <= 0 || row == 0 || c.layout.pitch < 16) return;
    const float top = lanes.middle() - lane_radius(c.layout, lanes), gap = top - c.layout.rows[row - 1].bottom();
    const Vec to{c.layout.lane_x(flow.thread), top}, from{to.x + 0.45f * c.layout.pitch, top - 0.55f * gap};
    for (const Source& source : flow.sources) {
        if (!source.block || outside(c.layout, from, to)) continue;
        c.pen.add(edge_curve(from, to, s.ink, s.width, s.drawn, 0));
        c.put({{from.x + 5, from.y},
               fmt::format("block {}", study::grouped(*source.block)),
               Face::kMono,
               std::min(13.0f, 0.9f * gap),
               Align::kLeft,
               c.when(lanes.state) == When::kPresent ? Ink{Role::kText} : s.ink});
    }
}

using Nodes = std::set<std::uint32_t>;

/// The adds that a target stands for.
Nodes nodes_of(const TreeContext& c, const Target& target) {
    Nodes nodes;
    const auto take = [&](std::uint32_t row) {
        if (const auto node = c.subject.facts->graph.maker(c.subject.launch, row)) nodes.insert(*node);
    };
    if (target.kind == Target::Kind::kEdge && target.index < c.subject.trace.rows()) take(target.index);
    if (target.kind == Target::Kind::kLane && target.state < c.subject.steps()) {
        for (const Flow& flow : c.subject.flows->of(c.layout.steps_with(target.state)))
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
    for (const Flow& flow : c.subject.flows->all()) {  // in order of steps: one pass is enough
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

std::vector<EdgePath> edge_paths(const TreeContext& c, std::size_t row, const Flow& flow) {
    const TreeLayout& l = c.layout;
    const TreeRow& lanes = l.rows[row];
    const float radius = l.grain == Grain::kColumns ? lanes.h / 2 : std::max(lane_radius(l, lanes), 2.0f);
    const bool bars = l.grain != Grain::kColumns && lane_radius(l, lanes) < 2.6f;
    const float reach = bars ? 0.36f * lanes.h : radius;
    const Vec top{l.lane_x(flow.thread), lanes.middle() - reach}, bottom{top.x, lanes.middle() + reach};
    const Id id = flow.combine ? edge_id(flow.row, flow.step) : Id{0};
    std::vector<EdgePath> paths;
    for (const Source& source : flow.sources) {
        if (source.in_cell) {
            if (const TreeRow* cells = l.cells_above(row, source.cell))
                paths.push_back({{l.cell_x(*cells, source.cell.index), cells->bottom()}, top, true, id});
        } else if (source.step < flow.step) {  // from the register of a lane higher up
            const TreeRow* above = l.lanes_of(source.step);
            if (above != nullptr && above != &lanes) {  // within steps shown as one it stays where it is
                paths.push_back({{l.lane_x(source.thread), above->middle() + reach}, top, true, id});
            }
        }
    }
    if (flow.written) {
        if (const TreeRow* cells = l.cells_below(row, *flow.written))
            paths.push_back({bottom, {l.cell_x(*cells, flow.written->index), cells->y}, false, id});
    }
    return paths;
}

void draw_edges(const TreeContext& c, std::size_t row) {
    const TreeLayout& l = c.layout;
    const TreeRow& lanes = l.rows[row];
    const float reach = 400;  // edges from further up than the row before are rare, and short beside this
    if (lanes.y - reach > l.area.bottom() || lanes.bottom() + reach < l.area.y) return;
    if (l.grain == Grain::kColumns) return draw_column_edges(c, row);
    const EdgeStyle read = style(c, lanes.state, true), write = style(c, lanes.state, false);
    for (const Flow& flow : c.flows(lanes)) {
        for (const EdgePath& path : edge_paths(c, row, flow)) {
            if (outside(l, path.from, path.to)) continue;
            const EdgeStyle& s = path.read ? read : write;
            if (s.drawn > 0) c.pen.add(edge_curve(path.from, path.to, s.ink, s.width, s.drawn, path.id));
        }
        draw_remote(c, row, flow, read);
    }
}

void draw_traced(const TreeContext& c, const Target& hover) {
    if (c.layout.grain == Grain::kColumns) return;
    const bool traced =
        hover.kind == Target::Kind::kEdge || hover.kind == Target::Kind::kLane || hover.kind == Target::Kind::kCell;
    if (!traced) return;
    const graph::Graph& graph = c.subject.facts->graph;
    const Nodes start = nodes_of(c, hover);
    Nodes found = with_sources(graph, graph.of_launch[c.subject.launch], start);
    found.merge(with_results(c, start, hover));
    each_made(c, found, [&](std::size_t place, const TreeRow& row, const Flow& flow) {
        const float opacity = c.when(row.state) == When::kFuture ? 0.55f : 1;
        for (const EdgePath& path : edge_paths(c, place, flow))
            c.pen.add(edge_curve(path.from, path.to, {Role::kText, opacity}, 3.6f, 1, path.id));
    });
}

}  // namespace warptree::scene
