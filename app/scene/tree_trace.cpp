// What hovering adds to the tree: the adds that a value is made of, and those that it goes into.
#include <algorithm>

#include "app/scene/tree_parts.hpp"
#include "instrumentation/graph/operands.hpp"

namespace warptree::scene {
namespace {

/// The combines that a target stands for.
std::vector<std::uint32_t> combines_of(const TreeContext& c, const Target& target) {
    const trace::Trace& t = c.subject.trace;
    std::vector<std::uint32_t> rows;
    if (target.kind == Target::Kind::kEdge) rows.push_back(target.index);
    if (target.kind == Target::Kind::kLane && target.state < c.subject.steps()) {
        for (const Flow& flow : c.flows.of(c.layout.steps_with(target.state))) {
            if (flow.thread != target.index) continue;
            if (flow.combine) rows.push_back(flow.row);
            for (const Source& source : flow.sources) {
                const auto behind = c.subject.made_by(static_cast<std::int32_t>(source.row));
                if (!flow.combine && behind != trace::kNoEvent) rows.push_back(static_cast<std::uint32_t>(behind));
            }
        }
    }
    if (target.kind == Target::Kind::kCell && target.array < t.arrays.size() && target.state <= c.subject.steps()) {
        const auto cells = c.subject.memory.array(target.array, target.state);
        if (target.index < cells.size() && cells[target.index].row != replay::Cell::kInitial &&
            cells[target.index].defined) {
            const auto behind = c.subject.made_by(static_cast<std::int32_t>(cells[target.index].row));
            if (behind != trace::kNoEvent) rows.push_back(static_cast<std::uint32_t>(behind));
        }
    }
    return rows;
}

/// A combine and everything that went into it.
void add_sources(const TreeContext& c, std::vector<std::uint32_t> open, std::set<std::uint32_t>& found) {
    const trace::Trace& t = c.subject.trace;
    while (!open.empty()) {
        const std::uint32_t row = open.back();
        open.pop_back();
        if (!found.insert(row).second) continue;
        graph::each_operand(t, row, [&](std::int32_t operand) {
            const auto behind = c.subject.made_by(operand);
            if (behind != trace::kNoEvent) open.push_back(static_cast<std::uint32_t>(behind));
        });
    }
}

/// What some combines, or the input element hovered where there are none, go into later.
void add_results(const TreeContext& c, const std::vector<std::uint32_t>& start, const Target& target,
                 std::set<std::uint32_t>& found) {
    const trace::Trace& t = c.subject.trace;
    std::set<std::uint32_t> chain(start.begin(), start.end());
    for (const Flow& flow : c.flows.all()) {  // in order of steps: one pass is enough
        if (!flow.combine) continue;
        const auto from = [&](std::int32_t operand) {
            const auto behind = c.subject.made_by(operand);
            if (behind != trace::kNoEvent) return chain.count(static_cast<std::uint32_t>(behind)) > 0;
            const bool input_cell = target.kind == Target::Kind::kCell && operand != trace::kNoEvent;
            if (!input_cell || !start.empty()) return false;
            const auto at = static_cast<std::size_t>(operand);
            return t.kind(at) == trace::Kind::kRead && t.array(at) == target.array && t.index[at] == target.index;
        };
        bool fed = false;
        graph::each_operand(t, flow.row, [&](std::int32_t operand) { fed = fed || from(operand); });
        if (fed) chain.insert(flow.row);
    }
    found.insert(chain.begin(), chain.end());
}

}  // namespace

void draw_traced(const TreeContext& c, const Target& hover) {
    if (c.layout.grain == Grain::kColumns) return;
    const bool traced =
        hover.kind == Target::Kind::kEdge || hover.kind == Target::Kind::kLane || hover.kind == Target::Kind::kCell;
    if (!traced) return;
    const std::vector<std::uint32_t> start = combines_of(c, hover);
    std::set<std::uint32_t> found;
    add_sources(c, start, found);
    if (hover.kind != Target::Kind::kLane || !start.empty()) add_results(c, start, hover, found);
    for (std::size_t i = 0; i < c.layout.rows.size(); ++i) {
        const TreeRow& row = c.layout.rows[i];
        if (row.cells) continue;
        for (const Flow& flow : c.flows.of(c.layout.steps_with(row.state))) {
            if (!flow.combine || found.count(flow.row) == 0) continue;
            const float opacity = c.when(row.state) == When::kFuture ? 0.55f : 1;
            for (const EdgePath& path : edge_paths(c, i, flow)) {
                c.pen.add(edge_curve(path.from, path.to, {Role::kText, opacity}, 3.6f, 1, path.id));
            }
        }
    }
}

}  // namespace warptree::scene
