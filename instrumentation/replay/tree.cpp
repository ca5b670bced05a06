// The reduction tree: every combine, with the cells that fed it and the cell that took its result.
#include "instrumentation/graph/operands.hpp"
#include "instrumentation/replay/replay.hpp"

namespace warptree::replay {
namespace {

Place place_of(const trace::Trace& trace, std::size_t row) {
    return {trace.array(row), trace.index[row]};
}

/// Where an operand was read; none: it was in a register.
std::optional<Place> read_at(const trace::Trace& trace, std::int32_t operand) {
    if (operand == trace::kNoEvent) return std::nullopt;
    const auto row = static_cast<std::size_t>(operand);
    if (trace.kind(row) != trace::Kind::kRead || trace.home(row) != trace.block[row]) return std::nullopt;
    return place_of(trace, row);
}

}  // namespace

std::vector<Node> tree(const graph::Graph& graph, std::size_t launch, std::uint32_t block) {
    const trace::Trace& trace = graph.launches[launch];
    const trace::Trace::Range rows = trace.rows_of(block);
    std::vector<Node> out;
    for (std::uint32_t row = rows.begin; row < rows.end; ++row) {
        if (!graph::is_add(trace.kind(row))) continue;
        const std::uint32_t at = graph.values[launch][row].index();
        if (graph.row[at] != row) continue;
        std::vector<std::int32_t> operands;
        graph::each_operand(trace, row, [&](std::int32_t operand) { operands.push_back(operand); });
        if (operands.size() < 2) operands.push_back(trace::kNoEvent);
        const std::int32_t store = graph.store[at];
        out.push_back({.row = row,
                       .step = trace.step[row],
                       .thread = trace.thread[row],
                       .left = read_at(trace, operands[0]),
                       .right = read_at(trace, operands[1]),
                       .left_from = graph.made_by(launch, operands[0]),
                       .right_from = graph.made_by(launch, operands[1]),
                       .written = {}});
        if (store != trace::kNoEvent) out.back().written = place_of(trace, static_cast<std::size_t>(store));
    }
    return out;
}

}  // namespace warptree::replay
