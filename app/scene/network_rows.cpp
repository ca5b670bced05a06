// The network's rows: what each cell holds, whether it was written, and whether it is finished; the lines from operands
// to what was written, and the marks of adds and of the clear.
#include "app/scene/network_view.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

namespace warptree::scene {
namespace {

Look look_of(const Net& n, const NetworkRow& row, replay::Place p, bool written) {
    if (n.network.padding(p)) return Look::kPadding;
    if (!n.s.memory.cell(p.array, p.index, row.state).defined) return Look::kEmpty;
    if (n.network.finished(p, row.state)) return Look::kFinished;
    return written ? Look::kWritten : Look::kKept;
}

std::set<std::uint32_t> written_in(const Net& n, std::size_t row) {
    std::set<std::uint32_t> written;
    for (const Flow& flow : n.s.flows->of(n.rows[row].steps))
        if (flow.written && n.rows[row].holds(*flow.written)) written.insert(flow.written->index);
    return written;
}

Rect cell_rect(const Net& n, std::size_t row, Box box, Look look, bool written) {
    const When when = n.when(row);
    const float presence = n.shown(row) ? 1 : kFaint;
    Rect r{.box = box, .radius = std::min(6.0f, 0.2f * box.w), .outline = {Role::kLine, presence}};
    const bool bright = when == When::kPresent && n.shown(row) && written && n.pitch >= kMerged;
    switch (look) {
        case Look::kPadding:
            r.ink = {Role::kIdle, 0.5f * presence};
            r.fill = Fill::kHatched;
            r.radius = 0;
            return r;
        case Look::kEmpty:
            r.ink = {Role::kPanel};
            r.outline_width = 1;
            r.dashed = n.pitch >= kSliver;
            return r;
        case Look::kKept:
            r.ink = {n.rows[row].steps.steps() == 0 ? Role::kRaised : Role::kPanel};
            r.outline_width = n.pitch < kMerged ? 0.8f : 1.2f;
            break;
        case Look::kWritten:
            r.ink = {Role::kWritten, presence};
            break;
        case Look::kFinished:
            r.ink = {Role::kSegment, presence};
            break;
    }
    if (bright) r.outline = {Role::kText}, r.outline_width = std::min(3.0f, 0.12f * box.w);
    return r;
}

/// The size at which all values of a row fit into its cells; 0: they do not.
float value_size(const Net& n, std::size_t row) {
    if (n.pitch < kSliver || !n.shown(row)) return 0;
    std::size_t longest = 1;
    bool digits = true;
    for (std::uint32_t i = 0; i < n.rows[row].extent; ++i) {
        const std::string text = n.s.memory.text(n.rows[row].array, n.rows[row].first + i, n.rows[row].state);
        longest = std::max(longest, text.size());
        digits = digits && text.find_first_not_of("0123456789") == std::string::npos;
    }
    const float digit = n.pen.width("0", Face::kMonoBold, 100) / 100;
    const float room = n.pitch - n.gap() - 0.04f * n.pitch * (n.pitch > 30 ? 1 : 0);
    const float size = std::floor(std::min({22.0f, 0.68f * n.cell_h, room / (digit * longest)}));
    return size >= (digits ? kIndex : kLeast) ? size : 0;
}

void draw_cell(const Net& n, std::size_t row, replay::Place p, Look look, bool written, float size) {
    const NetworkRow& r = n.rows[row];
    const Box box = n.cell(row, p);
    const Id id = cell_id(r.state, p.array, p.index);
    Rect rect = cell_rect(n, row, box, look, written);
    rect.id = id;
    n.pen.add(rect);
    if (look == Look::kFinished && box.w >= 9) {  // its mark: a corner cut off
        const float side = std::clamp(0.2f * box.w, 4.0f, 9.0f);
        draw_corner(n.pen, box, side, {Role::kPanel});
        n.pen.add(Triangle{{box.right() - side, box.y},
                           {box.right() - side, box.y + side},
                           {box.right(), box.y + side},
                           {Role::kText}});
    }
    if (size == 0 || look == Look::kPadding || look == Look::kEmpty) return;
    const bool strong = look == Look::kWritten || look == Look::kFinished;
    const Role role = look == Look::kFinished  ? Role::kOnSegment
                      : look == Look::kWritten ? Role::kOnWritten
                      : r.steps.steps() == 0   ? Role::kText
                                               : Role::kTextDim;
    const std::string text = n.s.memory.text(p.array, p.index, r.state);
    if (!text.empty())
        n.pen.put(box.centre(), text, {strong ? Face::kMonoBold : Face::kMono, size, {role}}, Align::kCentre, id);
}

/// Neighbours that look alike, too narrow to be told apart. Finished ones reach to the top, others do not.
void draw_run(const Net& n, std::size_t row, std::uint32_t begin, std::uint32_t end, Look look) {
    const NetworkRow& r = n.rows[row];
    const float from = n.x({r.array, begin}) - n.pitch / 2, to = n.x({r.array, end - 1}) + n.pitch / 2;
    const float h = look == Look::kFinished ? n.cell_h : look == Look::kWritten ? 0.65f * n.cell_h : n.cell_h - 4;
    Rect rect = cell_rect(n, row, {from, n.y(row) + n.cell_h - h, to - from, h}, look, false);
    rect.radius = 0;
    n.pen.add(rect);
}

/// Columns of cells as shares: from below the finished ones, above them what else was written.
void draw_shares(const Net& n, std::size_t row, const std::vector<Look>& looks) {
    const NetworkRow& r = n.rows[row];
    const float presence = n.shown(row) ? 1 : kFaint, first = n.x({r.array, r.first}) - n.pitch / 2;
    const std::size_t group = std::ceil(4 / n.pitch);
    std::vector<ShareColumn> columns;
    for (std::size_t i = 0; i < looks.size(); i += group) {
        const auto of = std::span(looks).subspan(i, std::min(group, looks.size() - i));
        columns.push_back({static_cast<std::size_t>(std::ranges::count(of, Look::kFinished)),
                           static_cast<std::size_t>(std::ranges::count(of, Look::kWritten)), of.size()});
    }
    const auto x = [&](std::size_t column) { return first + std::min(column * group, looks.size()) * n.pitch; };
    const Box box{first, n.y(row), x(columns.size()) - first, n.cell_h};
    n.pen.frame(box, {Role::kLine, presence}, 1);
    draw_share_columns(n.pen, box, columns, x, {Role::kSegment, presence}, {Role::kWritten, presence});
}

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

void draw_network_cells(const Net& n, std::size_t row) {
    if (!n.seen(row)) return;
    const NetworkRow& r = n.rows[row];
    const std::set<std::uint32_t> written = written_in(n, row);
    std::vector<Look> looks(r.extent);
    for (std::uint32_t i = 0; i < r.extent; ++i) {
        const bool now = written.count(r.first + i) > 0;
        looks[i] = look_of(n, r, {r.array, r.first + i}, now);
        if (!n.shown(row) && looks[i] == Look::kFinished)
            looks[i] = now ? Look::kWritten : Look::kKept;  // not told yet
    }
    if (n.pitch < kColumns) return draw_shares(n, row, looks);
    const float size = value_size(n, row);
    for (std::uint32_t i = 0; i < r.extent; ++i) {
        if (n.pitch >= kMerged) {
            draw_cell(n, row, {r.array, r.first + i}, looks[i], written.count(r.first + i) > 0, size);
            continue;
        }
        std::uint32_t end = i + 1;
        while (end < r.extent && looks[end] == looks[i]) ++end;
        draw_run(n, row, r.first + i, r.first + end, looks[i]);
        i = end - 1;
    }
}

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
