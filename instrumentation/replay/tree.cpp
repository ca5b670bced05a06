// The reduction tree: every combine, with the cells that fed it and the cell that took its result.
#include "instrumentation/replay/operands.hpp"
#include "instrumentation/replay/provenance.hpp"
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

bool stores(trace::Kind kind) {
    return kind == trace::Kind::kWrite || kind == trace::Kind::kReduction;
}

/// For each row of a block, the first row that stores its value; kNoEvent where none does.
std::vector<std::int32_t> first_stores(const trace::Trace& trace, trace::Trace::Range rows) {
    std::vector<std::int32_t> out(rows.end - rows.begin, trace::kNoEvent);
    for (std::uint32_t row = rows.begin; row < rows.end; ++row) {
        const std::int32_t stored = trace.a[row];
        if (stored == trace::kNoEvent || !stores(trace.kind(row))) continue;
        const std::size_t at = static_cast<std::size_t>(stored) - rows.begin;
        if (at < out.size() && out[at] == trace::kNoEvent) out[at] = static_cast<std::int32_t>(row);
    }
    return out;
}

std::pair<std::int32_t, std::int32_t> first_operands(const trace::Trace& trace, std::uint32_t row) {
    std::vector<std::int32_t> all;
    each_operand(trace, row, [&](std::int32_t operand) {
        if (all.size() < 2) all.push_back(operand);
    });
    return {all[0], all.size() > 1 ? all[1] : trace::kNoEvent};
}

}  // namespace

std::vector<Node> tree(const trace::Trace& trace, std::uint32_t block) {
    const trace::Trace::Range rows = trace.rows_of(block);
    const std::vector<std::int32_t> stored = first_stores(trace, rows);
    std::vector<Node> out;
    for (std::uint32_t row = rows.begin; row < rows.end; ++row) {
        if (!is_add(trace.kind(row)) || lead(trace, row) != row) continue;
        Node node{row, trace.step[row], trace.thread[row], {}, {}, trace::kNoEvent, trace::kNoEvent, {}};
        const auto [left, right] = first_operands(trace, row);
        node.left = read_at(trace, left);
        node.right = read_at(trace, right);
        node.left_from = made_by(trace, left);
        node.right_from = made_by(trace, right);
        each_part(trace, row, [&](std::uint32_t part) {
            const std::int32_t store = stored[part - rows.begin];
            if (store != trace::kNoEvent && !node.written)
                node.written = place_of(trace, static_cast<std::size_t>(store));
        });
        out.push_back(node);
    }
    return out;
}

}  // namespace warptree::replay
