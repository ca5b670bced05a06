// Errors on the tree: threads in the colour of how far their sums are off, and the path on which most was lost.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "app/scene/tree_parts.hpp"
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
    for (const Flow& flow : c.flows.of(c.layout.steps_with(row.state))) {
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
    for (std::size_t i = 0; i < c.layout.rows.size(); ++i) {
        const TreeRow& row = c.layout.rows[i];
        if (row.cells || c.when(row.state) == When::kFuture) continue;
        for (const Flow& flow : c.flows.of(c.layout.steps_with(row.state))) {
            if (!flow.combine || !path.contains(*c.subject.facts->graph.node_at(c.subject.launch, flow.row))) continue;
            for (const EdgePath& edge : edge_paths(c, i, flow))
                if (!edge.read) c.pen.add(edge_curve(edge.from, edge.to, {Role::kText}, 3.6f, 1, edge.id));
            if (const float radius = lane_radius(c.layout, row); radius > 0)
                c.pen.add(Disc{.centre = {c.layout.lane_x(flow.thread), row.middle()},
                               .radius = radius + 3,
                               .ink = {},
                               .fill = Fill::kNone,
                               .outline = {Role::kText},
                               .outline_width = 3});
        }
    }
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

}  // namespace warptree::scene
