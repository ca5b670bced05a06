// Flows of one block: the nodes of the graph that its rows stand for, and the stores that add nothing.
#include "app/subject/flows.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "app/subject/words.hpp"

namespace warptree::study {
namespace {

using trace::Kind;

replay::Place place_of(const trace::Trace& t, std::size_t row) {
    return {t.array(row), t.index[row]};
}

/// What a row that brings a value stands for: a cell that it read, or a lane's register.
Source source_of(const trace::Trace& t, std::uint32_t row) {
    const bool read = t.kind(row) == Kind::kRead, own = t.home(row) == t.block[row];
    return {.in_cell = read && own,
            .cell = read ? place_of(t, row) : replay::Place{},
            .block = own ? std::nullopt : std::optional(t.home(row)),
            .step = t.step[row],
            .thread = t.thread[row],
            .row = row};
}

/// An add with its operands, and where its step stored it.
Flow combine_of(const graph::Graph& graph, const trace::Trace& t, std::uint32_t node) {
    const std::uint32_t row = graph.row[node];
    Flow flow{.row = row, .step = t.step[row], .thread = t.thread[row], .combine = true, .sources = {}, .written = {}};
    for (const std::int32_t source : graph.sources(node))
        if (source != trace::kNoEvent) flow.sources.push_back(source_of(t, static_cast<std::uint32_t>(source)));
    const auto store = static_cast<std::size_t>(graph.store[node]);
    if (graph.store[node] != trace::kNoEvent && t.step[store] == flow.step) flow.written = place_of(t, store);
    return flow;
}

}  // namespace

Flows::Flows(const Subject& subject) {
    const trace::Trace& t = subject.trace;
    const graph::Graph& graph = subject.facts->graph;
    const auto rows = t.rows_of(subject.block);
    for (std::uint32_t row = rows.begin; row < rows.end; ++row) {
        const auto node = graph.node_at(subject.launch, row);
        if (node && !graph.atomic(*node)) {
            flows_.push_back(combine_of(graph, t, *node));
        } else if (t.kind(row) == Kind::kWrite || t.kind(row) == Kind::kReduction) {
            const auto made = graph.maker(subject.launch, row);
            const bool by_its_add = made && graph.store[*made] == static_cast<std::int32_t>(row);
            if (by_its_add && t.step[graph.row[*made]] == t.step[row]) continue;
            Flow move{row, t.step[row], t.thread[row], false, {}, place_of(t, row)};
            const std::int32_t from = graph::source(t, row);
            if (from != trace::kNoEvent) move.sources.push_back(source_of(t, static_cast<std::uint32_t>(from)));
            flows_.push_back(std::move(move));
        }
    }
    const auto in_order = [](const Flow& flow) { return std::tuple(flow.step, flow.thread, !flow.combine); };
    std::ranges::stable_sort(flows_, {}, in_order);
    begin_.assign(subject.steps() + 1, flows_.size());
    for (std::size_t i = flows_.size(); i-- > 0;) begin_[flows_[i].step] = i;
    for (std::size_t s = subject.steps(); s-- > 0;) begin_[s] = std::min(begin_[s], begin_[s + 1]);
}

std::span<const Flow> Flows::of(Fold row) const {
    return std::span(flows_).subspan(begin_[row.first], begin_[row.end] - begin_[row.first]);
}

std::string step_name(const trace::Step& s) {
    if (s.phase == trace::Phase::kTree && s.stride > 0) return fmt::format("stride {}", s.stride);
    if (s.stride > 0) return fmt::format("{} {}", trace::name(s.phase), s.stride);
    return std::string(trace::name(s.phase));
}

std::string step_name(const Subject& subject, std::size_t step) {
    return step_name(subject.trace.steps[step]);
}

std::string row_name(const Subject& subject, Fold row) {
    const std::string name = step_name(subject, row.first);
    return row.steps() == 1 ? name : fmt::format("{}, {} times", name, grouped(row.steps()));
}

bool is_tree_step(const trace::Step& step) {
    return counters::is_tree(step.phase);
}

bool is_tree_step(const Subject& subject, std::size_t step) {
    return is_tree_step(subject.trace.steps[step]);
}

std::uint32_t step_of(const Subject& s, const replay::Hazard& hazard) {
    return std::max(s.trace.step[hazard.first], s.trace.step[hazard.second]);
}

counters::LaneState warp_state(const std::vector<counters::LaneState>& lanes, std::size_t first, std::size_t end) {
    using counters::LaneState;
    if (lanes[first] == LaneState::kIdleWarp) return LaneState::kIdleWarp;
    for (std::size_t i = first; i < end; ++i) {
        if (lanes[i] == LaneState::kDiverged) return LaneState::kDiverged;
    }
    return LaneState::kActive;
}

WarpCount count_warps(const std::vector<counters::LaneState>& lanes, std::size_t warp_size) {
    using counters::LaneState;
    WarpCount w;
    for (std::size_t first = 0; first < lanes.size(); first += warp_size) {
        const LaneState state = warp_state(lanes, first, std::min(first + warp_size, lanes.size()));
        ++(state == LaneState::kActive ? w.full : state == LaneState::kDiverged ? w.diverged : w.idle);
    }
    return w;
}

}  // namespace warptree::study
