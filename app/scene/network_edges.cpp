// The network's lines, from operands to what was written, and the marks of adds and of the clear.
#include "app/scene/network_parts.hpp"

#include <algorithm>
#include <set>

namespace warptree::scene {
namespace {

struct Stroke {
    Ink ink;
    float width = 1, drawn = 1;
};

/// An add's operands are bright; a value that goes to another column unchanged is blue, one that stays thin.
Stroke stroke(const Net& n, std::size_t row, const NetworkEdge& edge) {
    const bool stays = n.network.column(edge.from) == n.network.column(*edge.flow->written);
    const bool dense = n.pitch < 2 * kSliver;
    const float thin = edge.flow->combine ? 1.0f : stays ? 0.6f : 0.9f;
    switch (n.when(row)) {
        case When::kPresent: {
            const Role role = edge.flow->combine ? Role::kActive : stays ? Role::kTextDim : Role::kWritten;
            return {{role}, (dense ? 1.5f : 2.6f) * thin, std::clamp(n.at.progress / 0.55f, 0.0f, 1.0f)};
        }
        case When::kPast: {
            const bool copy = !edge.flow->combine && !stays;
            return {copy ? Ink{Role::kWritten, 0.8f} : Ink{Role::kTextDim, dense ? 0.4f : 0.7f}, 1.5f * thin};
        }
        default:
            return {{Role::kTextFaint, dense ? 0.35f : 0.55f}, 1.2f * thin};
    }
}

/// From the operand's cell to the node, or where nothing is added to the cell.
Curve edge_path(const Net& n, std::size_t row, const NetworkEdge& edge, Stroke s) {
    const float end = n.y(row) - (edge.flow->combine ? 2 * n.radius + 1 : 0);
    const Vec to{n.x(*edge.flow->written), end};
    const Id id = edge.flow->combine ? edge_id(edge.flow->row, edge.flow->step) : Id{0};
    if (edge.from_row == row) {  // made by one of the steps that this row shows as one
        const Vec from{n.x(edge.from), n.y(row)};
        return {from, {from.x, end - 4}, {to.x, end - 4}, to, s.ink, s.width, s.drawn, id};
    }
    return edge_curve({n.x(edge.from), n.y(edge.from_row) + n.cell_h}, to, s.ink, s.width, s.drawn, id);
}

void draw_node(const Net& n, std::size_t row, const Flow& flow) {
    const When when = n.when(row);
    const float opacity = when == When::kFuture ? kFaint : when == When::kPast ? 0.75f : 1;
    const Vec at{n.x(*flow.written), n.y(row) - n.radius - 1};
    if (n.radius < 1.5f || (when == When::kPresent && n.at.progress < 0.3f)) return;
    n.pen.disc(at, n.radius, {Role::kActive, opacity}, edge_id(flow.row, flow.step));
    const std::string_view sign = value::sign(n.s.trace.launch.op);
    const float size = std::max(kLeast, 1.7f * n.radius);
    if (n.radius < 6 || n.pen.width(sign, Face::kMonoBold, size) > 1.7f * n.radius) return;
    n.pen.put(at, std::string(sign), {Face::kMonoBold, size, {Role::kOnActive, opacity}}, Align::kCentre);
}

/// A value that comes from nowhere into a cell that had one: the clear.
void draw_clear(const Net& n, std::size_t row, const Flow& flow) {
    const replay::Place p = *flow.written;
    if (n.when(row) == When::kPast && n.radius < 4) return;
    const float opacity = n.when(row) == When::kFuture ? kFaint : 1, r = std::max(3.0f, n.radius);
    const Vec at{n.x(p), n.y(row) - r - 3};
    n.pen.fill({at.x - r, at.y - r, 2 * r, 2 * r}, {Role::kText, opacity}, 2);
    const std::string value = n.shown(row) ? n.s.trace.value.text(flow.row) : "";
    if (value.size() == 1 && r >= 7)
        n.pen.put(at, value, {Face::kMonoBold, kLeast, {Role::kPanel, opacity}}, Align::kCentre);
}

bool clears(const Net& n, const Flow& flow) {
    return !flow.combine && flow.sources.empty() &&
           n.s.memory.cell(flow.written->array, flow.written->index, flow.step).defined;
}

}  // namespace

std::size_t lines_for(const Net& n, std::size_t row) {
    return n.pitch >= kMerged ? 1 : std::max<std::size_t>(1, (n.edges[row].size() + kMostEdges - 1) / kMostEdges);
}

void draw_network_edges(const Net& n, std::size_t row) {
    const auto& edges = n.edges[row];
    if (edges.empty() || n.y(row) < n.area.y - 2 || n.y(row) - n.row_pitch > n.area.bottom()) return;
    const std::size_t every = lines_for(n, row);
    std::size_t flows = 0;
    const Flow* last = nullptr;
    for (const NetworkEdge& edge : edges) {
        if (edge.flow != last) ++flows, last = edge.flow;
        if ((flows - 1) % every == 0) n.pen.add(edge_path(n, row, edge, stroke(n, row, edge)));
    }
}

void draw_network_marks(const Net& n, std::size_t row) {
    if (!n.seen(row) || n.y(row) - 2 * n.radius - 2 < n.area.y || n.pitch < kMerged) return;
    for (const Flow& flow : n.s.flows->of(n.rows[row].steps)) {
        if (!flow.written || !n.rows[row].holds(*flow.written)) continue;
        if (flow.combine) draw_node(n, row, flow);
        if (clears(n, flow)) draw_clear(n, row, flow);
    }
}

void draw_network_traced(const Net& n, const Target& hover) {
    if (hover.kind != Target::Kind::kCell || n.pitch < kMerged) return;
    std::set<std::pair<std::size_t, std::uint32_t>> open;  // (row, index) of cells
    for (std::size_t row = 0; row < n.rows.size(); ++row)
        if (n.rows[row].state == hover.state && n.rows[row].holds({hover.array, hover.index}))
            open.insert({row, hover.index});
    while (!open.empty()) {
        const auto [row, index] = *open.rbegin();
        open.erase(std::prev(open.end()));
        bool made = false;
        for (const NetworkEdge& edge : n.edges[row]) {
            if (edge.flow->written->index != index) continue;
            made = true;
            const bool future = n.when(row) == When::kFuture;
            n.pen.add(edge_path(n, row, edge, {{Role::kText, future ? 0.55f : 1.0f}, 3.4f, 1}));
            if (edge.from_row < row) open.insert({edge.from_row, edge.from.index});
        }
        const auto writes = [&](const Flow& flow) {
            return flow.written && *flow.written == replay::Place{n.rows[row].array, index};
        };
        if (made || std::ranges::any_of(n.s.flows->of(n.rows[row].steps), writes)) continue;
        for (std::size_t above = row; above-- > 0;)
            if (n.rows[above].holds({n.rows[row].array, index})) {
                open.insert({above, index});
                break;
            }
    }
}

}  // namespace warptree::scene
