// Flows of one block, from the trace's provenance.
#include "app/study/flows.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "app/study/words.hpp"
#include "instrumentation/graph/operands.hpp"

namespace warptree::study {
namespace {

using trace::Kind;

replay::Place place_of(const trace::Trace& t, std::size_t row) {
    return {t.array(row), t.index[row]};
}

Source register_of(const trace::Trace& t, std::int32_t row) {
    const auto at = static_cast<std::size_t>(row);
    return {.in_cell = false,
            .cell = {},
            .block = {},
            .step = t.step[at],
            .thread = t.thread[at],
            .row = static_cast<std::uint32_t>(row)};
}

/// What an operand's row stands for.
std::optional<Source> source_of(const trace::Trace& t, std::int32_t row) {
    if (row == trace::kNoEvent) return std::nullopt;
    const auto at = static_cast<std::size_t>(row);
    switch (t.kind(at)) {
        case Kind::kRead:
            return Source{.in_cell = t.home(at) == t.block[at],
                          .cell = place_of(t, at),
                          .block = t.home(at) == t.block[at] ? std::nullopt : std::optional(t.home(at)),
                          .step = t.step[at],
                          .thread = t.thread[at],
                          .row = static_cast<std::uint32_t>(row)};
        case Kind::kShuffle:  // the lane that made the value
            return t.a[at] == trace::kNoEvent ? std::nullopt : source_of(t, t.a[at]);
        default:
            return register_of(t, row);
    }
}

}  // namespace

Flows::Flows(const Subject& subject) {
    add_combines(subject);
    add_stores(subject);
    std::stable_sort(flows_.begin(), flows_.end(), [](const Flow& x, const Flow& y) {
        return x.step != y.step ? x.step < y.step : x.thread < y.thread;
    });
    begin_.assign(subject.steps() + 1, flows_.size());
    for (std::size_t i = flows_.size(); i-- > 0;) begin_[flows_[i].step] = i;
    for (std::size_t s = subject.steps(); s-- > 0;) begin_[s] = std::min(begin_[s], begin_[s + 1]);
}

void Flows::add_combines(const Subject& subject) {
    const trace::Trace& t = subject.trace;
    const graph::Graph& graph = subject.facts->graph;
    const auto rows = t.rows_of(subject.block);
    for (std::uint32_t row = rows.begin; row < rows.end; ++row) {
        if (!graph::is_add(t.kind(row)) || graph::lead(t, row) != row) continue;
        Flow flow{
            .row = row, .step = t.step[row], .thread = t.thread[row], .combine = true, .sources = {}, .written = {}};
        graph::each_operand(t, row, [&](std::int32_t operand) {
            if (const auto source = source_of(t, operand)) flow.sources.push_back(*source);
        });
        const std::int32_t store = graph.stored_by(subject.launch, row);
        if (store != trace::kNoEvent && t.step[static_cast<std::size_t>(store)] == flow.step)
            flow.written = place_of(t, static_cast<std::size_t>(store));
        flows_.push_back(std::move(flow));
    }
}

void Flows::add_stores(const Subject& subject) {
    const trace::Trace& t = subject.trace;
    const auto rows = t.rows_of(subject.block);
    for (std::uint32_t row = rows.begin; row < rows.end; ++row) {
        if (t.kind(row) != Kind::kWrite && t.kind(row) != Kind::kReduction) continue;
        std::int32_t from = t.a[row];
        if (from != trace::kNoEvent && graph::is_add(t.kind(static_cast<std::size_t>(from)))) {
            from = static_cast<std::int32_t>(graph::lead(t, static_cast<std::uint32_t>(from)));
            const auto combine = static_cast<std::uint32_t>(from);
            const bool first =
                subject.facts->graph.stored_by(subject.launch, combine) == static_cast<std::int32_t>(row);
            if (first && t.step[combine] == t.step[row]) continue;  // written by that flow
        }
        Flow move{.row = row,
                  .step = t.step[row],
                  .thread = t.thread[row],
                  .combine = false,
                  .sources = {},
                  .written = place_of(t, row)};
        if (const auto source = source_of(t, from)) move.sources.push_back(*source);
        flows_.push_back(std::move(move));
    }
}

std::span<const Flow> Flows::of(Fold row) const {
    return std::span(flows_).subspan(begin_[row.first], begin_[row.end] - begin_[row.first]);
}

const Flow* Flows::find(std::uint32_t combine_row) const {
    for (const Flow& flow : flows_) {
        if (flow.combine && flow.row == combine_row) return &flow;
    }
    return nullptr;
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

counters::Counters tree_up_to(const Subject& subject, std::size_t position) {
    counters::Counters sum;
    for (std::size_t s = 0; s < position; ++s) {
        if (is_tree_step(subject, s)) sum += subject.summary.steps[s];
    }
    return sum;
}

}  // namespace warptree::study
