// What a missing barrier did, drawn over the tree: reads that came too early, and every cell whose value is wrong for
// it, up to the result.
#include <algorithm>

#include "app/scene/tree_parts.hpp"

namespace warptree::scene {
namespace {

/// Whether a step's results are to be seen.
bool told(const TreeContext& c, std::size_t step) {
    const When when = c.when(step);
    return when == When::kPast || (when == When::kPresent && c.clock(step).cells > 0.5f);
}

/// A cell with a wrong value: framed, with a corner cut off, so that colour is not the only sign.
void mark_cell(const TreeContext& c, Box box, bool fresh) {
    const float width = std::min(fresh ? 4.0f : 2.0f, 0.2f * box.w), notch = std::min(15.0f, 0.4f * box.w);
    c.pen.frame(box.inset(-width / 2), {Role::kWrong}, width, std::min(7.0f, 0.2f * box.w));
    if (notch >= 4) {
        c.pen.add(
            Triangle{{box.right() - notch, box.y}, {box.right(), box.y}, {box.right(), box.y + notch}, {Role::kWrong}});
    }
}

bool is_wrong(const TreeContext& c, const graph::Damage& damage, const TreeRow& row, std::uint32_t index, bool& fresh) {
    const replay::Cell& cell = c.subject.memory.cell(row.array, index, row.state);
    if (!cell.defined || cell.row == replay::Cell::kInitial || !damage.wrong(cell.row)) return false;
    fresh = c.subject.trace.step[cell.row] + 1u == row.state;
    return true;
}

/// Columns and slivers: a bar below those that hold a wrong value, neighbours as one; a high one where the step wrote
/// it.
void mark_columns(const TreeContext& c, const graph::Damage& damage, const TreeRow& row, bool fresh_alone) {
    const TreeLayout& l = c.layout;
    const std::uint32_t end = std::min(l.end_column(), row.extent);
    const auto marked = [&](std::uint32_t column) {
        bool fresh = false;
        for (std::uint32_t i = column; i < std::min(column + l.group, row.extent); ++i) {
            if (is_wrong(c, damage, row, row.first + i, fresh) && (fresh || !fresh_alone)) return true;
        }
        return false;
    };
    for (std::uint32_t from = std::min(l.first_column(), row.extent) / l.group * l.group; from < end;) {
        std::uint32_t to = from;
        while (to < end && marked(to)) to += l.group;
        if (to > from) {
            const float left = l.column_x(static_cast<float>(from)), right = l.column_x(static_cast<float>(to));
            c.pen.fill({left, row.bottom() + 2, std::max(2.0f, right - left), fresh_alone ? 6.0f : 2.0f},
                       {Role::kWrong});
        }
        from = to + l.group;
    }
}

void mark_row(const TreeContext& c, const graph::Damage& damage, const TreeRow& row) {
    if (row.state == 0 || !told(c, row.state - 1) || !c.layout.visible(row)) return;
    const TreeLayout& l = c.layout;
    const std::uint32_t begin = std::min(l.first_column(), row.extent), end = std::min(l.end_column(), row.extent);
    bool fresh = false;
    if (l.grain == Grain::kCells) {  // beside narrower ones stand values, which frames would cross out
        for (std::uint32_t i = row.first + begin; i < row.first + end; ++i) {
            if (is_wrong(c, damage, row, i, fresh)) mark_cell(c, cell_box(l, row, i), fresh);
        }
        return;
    }
    mark_columns(c, damage, row, false);
    mark_columns(c, damage, row, true);
}

/// A read that came too early, or that took in a value that was wrong already.
void mark_read(const TreeContext& c, const EdgePath& path, bool stale) {
    const float thin = std::clamp(c.layout.pitch / 24, 0.35f, 1.0f);
    c.pen.add(edge_curve(path.from, path.to, {Role::kWrong}, thin * (stale ? 3.6f : 2.4f), 1, path.id));
    if (!stale || c.layout.pitch < 18) return;
    const Vec middle{(path.from.x + path.to.x) / 2, (path.from.y + path.to.y) / 2};
    const Box& a = c.layout.area;
    if (middle.x < a.x || middle.x > a.right() || middle.y < a.y + 10 || middle.y > a.bottom() - 10) return;
    c.pen.ring(middle, 10, {Role::kPanel}, {Role::kWrong}, 2);
    c.put({middle, "!", Face::kSansBold, kLeast, Align::kCentre, {Role::kWrong}});
}

void mark_edges(const TreeContext& c, const graph::Damage& damage, std::size_t at) {
    const TreeRow& lanes = c.layout.rows[at];
    const When when = c.when(lanes.state);
    if (when == When::kFuture || c.layout.grain == Grain::kColumns) return;
    if (when == When::kPresent && c.clock(lanes.state).reads < 1) return;
    if (lanes.y - 400 > c.layout.area.bottom() || lanes.bottom() + 400 < c.layout.area.y) return;
    for (const Flow& flow : c.flows.of(lanes.state)) {
        const std::vector<EdgePath> paths = edge_paths(c, at, flow);
        if (paths.size() < flow.sources.size()) continue;
        for (std::size_t i = 0; i < flow.sources.size(); ++i) {
            const Source& source = flow.sources[i];
            if (damage.wrong(source.row)) mark_read(c, paths[i], source.in_cell && damage.stale(source.row));
        }
        const bool written = flow.written && paths.size() > flow.sources.size() && told(c, lanes.state);
        if (written && damage.wrong(flow.row)) mark_read(c, paths.back(), false);
    }
}

}  // namespace

void draw_damage(const TreeContext& c, const graph::Damage& damage) {
    for (std::size_t i = 0; i < c.layout.rows.size(); ++i) {
        if (!c.layout.rows[i].cells) mark_edges(c, damage, i);
    }
    for (const TreeRow& row : c.layout.rows) {
        if (row.cells) mark_row(c, damage, row);
    }
}

}  // namespace warptree::scene
