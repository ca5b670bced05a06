// Edges of the tree: from the cells that a lane read to the lane, and on to the cell that it wrote; what hovering adds;
// and what a missing barrier did: reads that came too early, and every cell whose value is wrong for it.
#include <map>
#include <tuple>

#include "app/kit/target.hpp"
#include "app/views/tree/parts.hpp"

namespace warptree::scene {
namespace {

/// One edge of a flow on the screen.
struct EdgePath {
    Vec from, to;
    bool read = true;
    Id id = 0;
    Curve curve(Ink ink, float width, float drawn = 1) const { return edge_curve(from, to, ink, width, drawn, id); }
};

std::vector<EdgePath> edge_paths(const TreeContext& c, std::size_t row, const Flow& flow) {
    const TreeLayout& l = c.l;
    const TreeRow& lanes = l.rows[row];
    const bool columns = l.grain == Grain::kColumns;
    const float radius = lane_radius(l, lanes);
    const float reach = columns ? lanes.h / 2 : radius < 2.6f ? 0.36f * lanes.h : radius;
    const Vec top{l.lane_x(flow.thread), lanes.middle() - reach}, bottom{top.x, lanes.middle() + reach};
    const Id id = flow.combine ? edge_id(flow.row, flow.step) : Id{0};
    std::vector<EdgePath> paths;
    for (const Source& source : flow.sources) {
        // Else from the register of a lane higher up; within steps shown as one it stays where it is.
        const TreeRow* above = source.in_cell            ? l.cells_above(row, source.cell)
                               : source.step < flow.step ? l.lanes_of(source.step)
                                                         : nullptr;
        if (above == nullptr || above == &lanes) continue;
        const float x = source.in_cell ? l.cell_x(*above, source.cell.index) : l.lane_x(source.thread);
        paths.push_back({{x, source.in_cell ? above->bottom() : above->middle() + reach}, top, true, id});
    }
    const TreeRow* cells = flow.written ? l.cells_below(row, *flow.written) : nullptr;
    if (cells != nullptr) paths.push_back({bottom, {l.cell_x(*cells, flow.written->index), cells->y}, false, id});
    return paths;
}

/// The edges of flows that made some values: use(row of lanes, its edges, flow).
template <class Use>
void each_made(const TreeContext& c, const std::set<std::uint32_t>& nodes, Use use) {
    for (std::size_t i = 0; i < c.l.rows.size(); ++i) {
        const TreeRow& row = c.l.rows[i];
        if (row.cells) continue;
        for (const Flow& flow : c.flows(row))
            if (flow.combine && nodes.contains(*c.s.facts->graph.node_at(c.s.launch, flow.row)))
                use(row, edge_paths(c, i, flow), flow);
    }
}

struct EdgeStyle {
    Ink ink;
    float width = 1, drawn = 1;
};

EdgeStyle style(const TreeContext& c, std::size_t step, bool read) {
    const Clock clock = c.clock(step);
    const float pitch = c.l.pitch, thin = std::clamp(pitch / 10, 0.8f, 1.0f);
    const bool dense = pitch < 8;
    if (c.when(step) == kFuture) return {{kTextFaint, dense ? 0.4f : 0.6f}, 1.2f * thin};
    if (c.when(step) == kPast) return {read ? Ink{kTextDim, dense ? 0.3f : 0.75f} : Ink{kWritten, 0.75f}, 1.6f * thin};
    return {{read ? kActive : kWritten}, 3 * std::clamp(pitch / 24, 0.5f, 1.0f), read ? clock.reads : clock.writes};
}

bool outside(const TreeLayout& l, Vec a, Vec b) {
    return std::max(a.x, b.x) < l.area.x || std::min(a.x, b.x) > l.area.right() || std::max(a.y, b.y) < l.area.y - 4 ||
           std::min(a.y, b.y) > l.area.bottom() + 4;
}

/// Whether a row's edges are out of sight: those from further up than the row before are rare, and short beside this.
bool far_away(const TreeLayout& l, const TreeRow& lanes) {
    constexpr float kReach = 400;
    return lanes.y - kReach > l.area.bottom() || lanes.bottom() + kReach < l.area.y;
}

/// Edges between columns of cells: equal ones are drawn once.
void draw_column_edges(const TreeContext& c, std::size_t row) {
    const TreeLayout& l = c.l;
    const float group = l.group * l.pitch, origin = l.column_x(0);
    const auto middle = [&](float x) { return origin + (std::floor((x - origin) / group) + 0.5f) * group; };
    std::map<std::tuple<float, float, float>, EdgePath> paths;
    for (const Flow& flow : c.flows(l.rows[row]))
        for (EdgePath path : edge_paths(c, row, flow)) {
            path.from.x = middle(path.from.x), path.to.x = middle(path.to.x), path.id = 0;
            paths.try_emplace({path.from.x, path.to.x + (path.read ? 0.0f : 1e6f), path.from.y}, path);
        }
    for (const auto& [key, path] : paths) {
        const EdgeStyle s = style(c, l.rows[row].state, path.read);
        if (!outside(l, path.from, path.to)) c.pen.add(path.curve(s.ink, std::min(s.width, 1.4f), s.drawn));
    }
}

/// What another block of the cluster holds comes from where its name stands, above the lane at its right.
void draw_remote(const TreeContext& c, std::size_t row, const Flow& flow, const EdgeStyle& s) {
    const TreeRow& lanes = c.l.rows[row];
    if (s.drawn <= 0 || row == 0 || c.l.pitch < 16) return;
    const float top = lanes.middle() - lane_radius(c.l, lanes), gap = top - c.l.rows[row - 1].bottom();
    const Vec to{c.l.lane_x(flow.thread), top}, from{to.x + 0.45f * c.l.pitch, top - 0.55f * gap};
    for (const Source& source : flow.sources) {
        if (!source.block || outside(c.l, from, to)) continue;
        c.pen.add(edge_curve(from, to, s.ink, s.width, s.drawn));
        const Ink ink = c.when(lanes.state) == kPresent ? Ink{kText} : s.ink;
        const float size = std::min(13.0f, 0.9f * gap);
        c.put({{from.x + 5, from.y}, "block " + grouped(*source.block), kMono, size, kLeft, ink});
    }
}

// What hovering adds

using Nodes = std::set<std::uint32_t>;

/// The adds that a target stands for.
Nodes nodes_of(const TreeContext& c, const Target& target) {
    Nodes nodes;
    const Subject& s = c.s;
    const auto take = [&](std::uint32_t row) {
        if (const auto node = s.facts->graph.maker(s.launch, row)) nodes.insert(*node);
    };
    if (target.kind == Target::Kind::kEdge && target.index < s.trace.rows()) take(target.index);
    if (target.kind == Target::Kind::kLane && target.state < s.steps())
        for (const Flow& flow : s.flows->of(c.l.steps_with(target.state)))
            if (flow.thread == target.index) take(flow.row);
    if (target.kind == Target::Kind::kCell && target.array < s.trace.arrays.size() && target.state <= s.steps() &&
        target.index < s.trace.arrays[target.array].extent) {
        const replay::Cell& cell = s.memory.cell(target.array, target.index, target.state);
        if (cell.defined && cell.row != replay::Cell::kInitial) take(cell.row);
    }
    return nodes;
}

/// What some adds, or the input element hovered where there are none, go into later.
Nodes with_results(const TreeContext& c, Nodes nodes, const Target& target) {
    const graph::Graph& graph = c.s.facts->graph;
    const bool of_cell = nodes.empty() && target.kind == Target::Kind::kCell;
    const replay::Place hovered{target.array, target.index};
    for (const Flow& flow : c.s.flows->all()) {  // in order of steps: one pass is enough
        if (!flow.combine) continue;
        const std::uint32_t node = *graph.node_at(c.s.launch, flow.row);
        const auto found = [&](graph::Operand from) { return from.is_node() && nodes.contains(from.index()); };
        const auto here = [&](const Source& from) {
            return from.in_cell && from.cell == hovered && !graph.maker(c.s.launch, from.row);
        };
        if (std::ranges::any_of(graph.operands(node), found) || (of_cell && std::ranges::any_of(flow.sources, here)))
            nodes.insert(node);
    }
    return nodes;
}

// What a missing barrier did

/// Whether a cell's value is wrong: 2 where the row's step wrote it, 1 where an earlier one did.
int wrongness(const TreeContext& c, const graph::Damage& damage, const TreeRow& row, std::uint32_t index) {
    const replay::Cell& cell = c.s.memory.cell(row.array, index, row.state);
    if (!cell.defined || cell.row == replay::Cell::kInitial || !damage.wrong(cell.row)) return 0;
    return c.s.trace.step[cell.row] + 1u == row.state ? 2 : 1;
}

/// Cells with wrong values are framed, with a corner cut off, so that colour is not the only sign.
void mark_row(const TreeContext& c, const graph::Damage& damage, const TreeRow& row) {
    if (row.state == 0 || c.clock(row.state - 1).cells <= 0.5f || !c.l.visible(row)) return;
    const TreeLayout& l = c.l;
    const Shown seen = l.seen(row.extent);
    if (l.grain != Grain::kCells) {  // beside them stand values, which frames would cross out
        // Columns and slivers: a bar below those that hold one, neighbours as one; a high one where the step wrote it.
        for (const int least : {1, 2})
            for (std::uint32_t from = seen.first / l.group * l.group, to = from; from < seen.end;
                 from = to += l.group) {
                const auto marked = [&](std::uint32_t column) {
                    for (std::uint32_t i = column; i < std::min(column + l.group, row.extent); ++i)
                        if (wrongness(c, damage, row, row.first + i) >= least) return true;
                    return false;
                };
                while (to < seen.end && marked(to)) to += l.group;
                const float left = l.column_x(from), width = std::max(2.0f, l.column_x(to) - left);
                if (to > from) c.pen.fill({left, row.bottom() + 2, width, least > 1 ? 6.0f : 2.0f}, {kWrong});
            }
        return;
    }
    for (std::uint32_t i = row.first + seen.first; i < row.first + seen.end; ++i) {
        const int wrong = wrongness(c, damage, row, i);
        if (wrong == 0) continue;
        const Box box = cell_box(l, row, i);
        const float width = std::min(wrong > 1 ? 4.0f : 2.0f, 0.2f * box.w), notch = std::min(15.0f, 0.4f * box.w);
        c.pen.frame(box.inset(-width / 2), {kWrong}, width, std::min(7.0f, 0.2f * box.w));
        if (notch >= 4) draw_corner(c.pen, box, notch, {kWrong});
    }
}

/// A read that came too early, or that took in a value that was wrong already.
void mark_read(const TreeContext& c, const EdgePath& path, bool stale) {
    const float thin = std::clamp(c.l.pitch / 24, 0.35f, 1.0f);
    c.pen.add(path.curve({kWrong}, thin * (stale ? 3.6f : 2.4f)));
    const Vec middle{(path.from.x + path.to.x) / 2, (path.from.y + path.to.y) / 2};
    const Box& a = c.l.area;
    if (!stale || c.l.pitch < 18 || middle.x < a.x || middle.x > a.right() || middle.y < a.y + 10 ||
        middle.y > a.bottom() - 10)
        return;
    c.pen.ring(middle, 10, {kPanel}, {kWrong}, 2);
    c.put({middle, "!", kSansBold, kLeast, kCentre, {kWrong}});
}

void mark_edges(const TreeContext& c, const graph::Damage& damage, std::size_t at) {
    const TreeRow& lanes = c.l.rows[at];
    if (c.clock(lanes.state).reads < 1 || c.l.grain == Grain::kColumns || far_away(c.l, lanes)) return;
    for (const Flow& flow : c.s.flows->of(lanes.state)) {
        const std::vector<EdgePath> paths = edge_paths(c, at, flow);
        if (paths.size() < flow.sources.size()) continue;
        for (std::size_t i = 0; i < flow.sources.size(); ++i) {
            const Source& source = flow.sources[i];
            if (damage.wrong(source.row)) mark_read(c, paths[i], source.in_cell && damage.stale(source.row));
        }
        const bool written = flow.written && paths.size() > flow.sources.size() && c.clock(lanes.state).cells > 0.5f;
        if (written && damage.wrong(flow.row)) mark_read(c, paths.back(), false);
    }
}

}  // namespace

void draw_edges(const TreeContext& c, std::size_t row) {
    const TreeLayout& l = c.l;
    const TreeRow& lanes = l.rows[row];
    if (far_away(l, lanes)) return;
    if (l.grain == Grain::kColumns) return draw_column_edges(c, row);
    const EdgeStyle read = style(c, lanes.state, true), write = style(c, lanes.state, false);
    for (const Flow& flow : c.flows(lanes)) {
        for (const EdgePath& path : edge_paths(c, row, flow)) {
            const EdgeStyle& s = path.read ? read : write;
            if (s.drawn > 0 && !outside(l, path.from, path.to)) c.pen.add(path.curve(s.ink, s.width, s.drawn));
        }
        draw_remote(c, row, flow, read);
    }
}

void draw_traced(const TreeContext& c) {
    const Target& hover = c.hover;
    using Kind = Target::Kind;
    if (c.l.grain == Grain::kColumns) return;
    if (hover.kind != Kind::kEdge && hover.kind != Kind::kLane && hover.kind != Kind::kCell) return;
    const graph::Graph& graph = c.s.facts->graph;
    const Nodes start = nodes_of(c, hover);
    Nodes found = start;                                            // and all of this launch that went into them
    for (auto node = found.rbegin(); node != found.rend(); ++node)  // operands have lower numbers
        for (const graph::Operand operand : graph.operands(*node))
            if (operand.is_node() && operand.index() >= graph.of_launch[c.s.launch] && !graph.atomic(operand.index()))
                found.insert(operand.index());
    found.merge(with_results(c, start, hover));
    each_made(c, found, [&](const TreeRow& row, const std::vector<EdgePath>& paths, const Flow&) {
        const float opacity = c.when(row.state) == kFuture ? 0.55f : 1;
        for (const EdgePath& path : paths) c.pen.add(path.curve({kText, opacity}, 3.6f));
    });
}

void draw_error_path(const TreeContext& c) {
    if (c.errors == nullptr || c.l.grain == Grain::kColumns) return;
    const Nodes path(c.errors->path.begin(), c.errors->path.end());
    each_made(c, path, [&](const TreeRow& row, const std::vector<EdgePath>& paths, const Flow& flow) {
        if (c.when(row.state) == kFuture) return;
        for (const EdgePath& edge : paths)
            if (!edge.read) c.pen.add(edge.curve({kText}, 3.6f));
        const Vec at{c.l.lane_x(flow.thread), row.middle()};
        if (const float radius = lane_radius(c.l, row); radius > 0)
            c.pen.add(Disc{at, radius + 3, {}, kNone, {kText}, 3});
    });
}

void draw_damage(const TreeContext& c, const graph::Damage* damage) {
    if (damage == nullptr) {
        for (const replay::Hazard& hazard : c.s.hazards) {
            const TreeLayout& l = c.l;
            const std::uint32_t step = step_of(c.s, hazard);
            if (c.when(step) == kFuture || l.grain == Grain::kColumns) continue;
            const TreeRow* row = l.cells_above(l.lanes_of(step) - l.rows.data(), hazard.cell);
            if (row == nullptr || !l.visible(*row)) continue;
            const Box box = cell_box(l, *row, hazard.cell.index).inset(-3);
            if (box.right() >= l.area.x && box.x <= l.area.right())
                c.pen.frame(box, {kWrong}, std::min(4.0f, 0.3f * box.w), std::min(9.0f, 0.3f * box.w));
        }
        return;
    }
    const std::vector<TreeRow>& rows = c.l.rows;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (!rows[i].cells) mark_edges(c, *damage, i);
    for (const TreeRow& row : rows)
        if (row.cells) mark_row(c, *damage, row);
}

}  // namespace warptree::scene
