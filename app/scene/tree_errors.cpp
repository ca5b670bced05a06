// Errors on the tree: threads in the colour of how far their sums are off, and the path on which most was lost; and
// what a missing barrier did: reads that came too early, and every cell whose value is wrong for it, up to the result.
#include "app/scene/tree_parts.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

/// Errors up to so many ulps of the result look alike. The last are all larger ones.
struct ErrorClass {
    double most;
    Role role, on;
};
constexpr ErrorClass kClasses[] = {{0, Role::kSegment, Role::kOnSegment},
                                   {0.5, Role::kBook, Role::kPanel},
                                   {4, Role::kActive, Role::kOnActive},
                                   {HUGE_VAL, Role::kWrong, Role::kPanel}};
constexpr Marked kNotKnown{Role::kIdle, Role::kPanel};

Marked mark_of(const graph::Errors& errors, std::uint32_t node) {
    const double ulps = std::abs(errors.error[node]) / errors.ulp;
    for (const ErrorClass& each : kClasses)
        if (ulps <= each.most) return {each.role, each.on};
    return kNotKnown;
}

std::string ulps_text(double ulps) {
    return fmt::format("{:.3g} ulp{}", ulps, ulps == 1 ? "" : "s");
}

/// Whether a step's results are to be seen.
bool told(const TreeContext& c, std::size_t step) {
    const When when = c.when(step);
    return when == When::kPast || (when == When::kPresent && c.clock(step).cells > 0.5f);
}

/// A cell with a wrong value: framed, with a corner cut off, so that colour is not the only sign.
void mark_cell(const TreeContext& c, Box box, bool fresh) {
    const float width = std::min(fresh ? 4.0f : 2.0f, 0.2f * box.w), notch = std::min(15.0f, 0.4f * box.w);
    c.pen.frame(box.inset(-width / 2), {Role::kWrong}, width, std::min(7.0f, 0.2f * box.w));
    if (notch >= 4) draw_corner(c.pen, box, notch, {Role::kWrong});
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
        for (std::uint32_t i = column; i < std::min(column + l.group, row.extent); ++i)
            if (is_wrong(c, damage, row, row.first + i, fresh) && (fresh || !fresh_alone)) return true;
        return false;
    };
    for (std::uint32_t from = std::min(l.first_column(), row.extent) / l.group * l.group; from < end;) {
        std::uint32_t to = from;
        while (to < end && marked(to)) to += l.group;
        if (to > from) {
            const float left = l.column_x(from), right = l.column_x(to);
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
        for (std::uint32_t i = row.first + begin; i < row.first + end; ++i)
            if (is_wrong(c, damage, row, i, fresh)) mark_cell(c, cell_box(l, row, i), fresh);
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
    for (const Flow& flow : c.subject.flows->of(lanes.state)) {
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

std::span<const LegendItem> error_legend() {
    static constexpr LegendItem kItems[] = {{"exact", Role::kSegment}, {"to ½ ulp", Role::kBook, Fill::kSolid, "½ ulp"},
                                            {"4 ulps", Role::kActive}, {"more", Role::kWrong},
                                            {"path", Role::kText},     {"not known", Role::kIdle, Fill::kSolid, "?"}};
    return kItems;
}

std::vector<Marked> error_marks(const TreeContext& c, const TreeRow& row) {
    std::vector<Marked> marks(c.subject.lanes[row.state].size(), {Role::kActive, Role::kOnActive});
    if (c.errors == nullptr || c.when(row.state) == When::kFuture) return marks;
    std::vector<double> worst(marks.size(), -1);
    for (const Flow& flow : c.flows(row)) {
        if (!flow.combine) continue;
        const std::uint32_t node = *c.subject.facts->graph.node_at(c.subject.launch, flow.row);
        const double error = std::abs(c.errors->error[node]);
        if (error < worst[flow.thread]) continue;
        worst[flow.thread] = std::isnan(error) ? worst[flow.thread] : error;
        marks[flow.thread] = mark_of(*c.errors, node);
    }
    return marks;
}

void draw_error_path(const TreeContext& c) {
    if (c.errors == nullptr || c.layout.grain == Grain::kColumns) return;
    const std::set<std::uint32_t> path(c.errors->path.begin(), c.errors->path.end());
    each_made(c, path, [&](std::size_t place, const TreeRow& row, const Flow& flow) {
        if (c.when(row.state) == When::kFuture) return;
        for (const EdgePath& edge : edge_paths(c, place, flow))
            if (!edge.read) c.pen.add(edge_curve(edge.from, edge.to, {Role::kText}, 3.6f, 1, edge.id));
        const Vec at{c.layout.lane_x(flow.thread), row.middle()};
        if (const float radius = lane_radius(c.layout, row); radius > 0)
            c.pen.add(Disc{at, radius + 3, {}, Fill::kNone, {Role::kText}, 3});
    });
}

std::string error_caption(const Subject& s, const graph::Errors& errors, Playhead at) {
    if (errors.path.empty() || errors.result == 0 || at.position == 0 || at.hides(at.position - 1)) return "";
    const graph::Graph& graph = s.facts->graph;
    const auto here = std::ranges::find(errors.path, s.first_step + at.position - 1,
                                        [&](std::uint32_t node) { return graph.step(node); });
    const std::uint32_t node = here == errors.path.end() ? errors.path.back() : *here;
    const trace::Trace& trace = graph.trace(node);
    const std::uint32_t row = graph.row[node];
    const std::string block = trace.launch.grid > 1 ? fmt::format(" of block {}", grouped(trace.block[row])) : "";
    if (here == errors.path.end())
        return fmt::format(" Most is lost on the path from step {}, thread {}{}.", graph.step(node) + 1,
                           trace.thread[row], block);
    const double made = std::abs(errors.made[node]) / errors.ulp;
    return fmt::format(" Most is lost on this path: thread {}{} loses {}.", trace.thread[row], block,
                       std::isnan(made) ? "what the order decides"
                       : made == 0      ? "nothing here"
                                        : ulps_text(made) + " here");
}

std::vector<std::string> error_sentences(const Subject& s, const graph::Errors& errors) {
    if (!errors.known())
        return {"Errors are known of sums of floats whose accesses are all kept; of this run they are not.",
                "Errors are not known of this run."};
    if (errors.result == 0)
        return {"The result is exact: whatever was rounded away cancelled, or nothing was.", "The result is exact."};
    const std::string off = fmt::format("Off by {}", ulps_text(std::abs(errors.result) / errors.ulp));
    if (errors.path.empty()) return {off + "."};
    const graph::Graph& graph = s.facts->graph;
    const std::uint32_t end = errors.path.back();
    const trace::Trace& trace = graph.trace(end);
    const std::uint32_t row = graph.row[end];
    const std::string block = trace.launch.grid > 1 ? fmt::format(" of block {}", grouped(trace.block[row])) : "";
    const std::string where = fmt::format("step {}, thread {}{}", graph.step(end) + 1, trace.thread[row], block);
    const double made = std::abs(errors.made[end]) / errors.ulp;
    const std::string lost = std::isnan(made) ? "" : fmt::format("; {} there alone", ulps_text(made));
    return {fmt::format("{}, a unit in its last place each. Most was lost on the marked path, from {} on{}.", off,
                        where, lost),
            fmt::format("{}. Most was lost on the marked path, from {} on.", off, where),
            fmt::format("{}; most was lost from {} on.", off, where), fmt::format("{}, most from {}.", off, where),
            off + "."};
}

void draw_damage(const TreeContext& c, const graph::Damage& damage) {
    for (std::size_t i = 0; i < c.layout.rows.size(); ++i)
        if (!c.layout.rows[i].cells) mark_edges(c, damage, i);
    for (const TreeRow& row : c.layout.rows)
        if (row.cells) mark_row(c, damage, row);
}

}  // namespace warptree::scene
