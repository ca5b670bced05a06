// Errors on the tree: threads in the colour of how far their sums are off, and where most was lost, in words.
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

/// "step 3, thread 0 of block 2": where a value was made.
std::string maker_text(const graph::Graph& graph, std::uint32_t node, bool step) {
    const trace::Trace& trace = graph.trace(node);
    const std::uint32_t row = graph.row[node];
    return (step ? fmt::format("step {}, ", graph.step(node) + 1) : "") + fmt::format("thread {}", trace.thread[row]) +
           (trace.launch.grid > 1 ? " of block " + grouped(trace.block[row]) : "");
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

std::string error_caption(const Subject& s, const graph::Errors& errors, Playhead at) {
    if (errors.path.empty() || errors.result == 0 || at.position == 0 || at.hides(at.position - 1)) return "";
    const graph::Graph& graph = s.facts->graph;
    const auto here = std::ranges::find(errors.path, s.first_step + at.position - 1,
                                        [&](std::uint32_t node) { return graph.step(node); });
    if (here == errors.path.end())
        return fmt::format(" Most is lost on the path from {}.", maker_text(graph, errors.path.back(), true));
    const double made = std::abs(errors.made[*here]) / errors.ulp;
    return fmt::format(" Most is lost on this path: {} loses {}.", maker_text(graph, *here, false),
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
    const std::string off = "Off by " + ulps_text(std::abs(errors.result) / errors.ulp);
    if (errors.path.empty()) return {off + "."};
    const std::uint32_t end = errors.path.back();
    const std::string where = maker_text(s.facts->graph, end, true);
    const double made = std::abs(errors.made[end]) / errors.ulp;
    const std::string lost = std::isnan(made) ? "" : fmt::format("; {} there alone", ulps_text(made));
    return {fmt::format("{}, a unit in its last place each. Most was lost on the marked path, from {} on{}.", off,
                        where, lost),
            fmt::format("{}. Most was lost on the marked path, from {} on.", off, where),
            fmt::format("{}; most was lost from {} on.", off, where), fmt::format("{}, most from {}.", off, where),
            off + "."};
}

}  // namespace warptree::scene
