// What an add was made of, by rows: the two operands of a combine, or those of all lanes of a warp's reduction.
#pragma once

#include <cstdint>

#include "instrumentation/trace/trace.hpp"

namespace warptree::graph {

/// Whether a row makes a value out of others, by whatever operator: a combine, or a lane's part in a reduction of its
/// warp.
inline bool is_add(trace::Kind kind) {
    return kind == trace::Kind::kCombine || kind == trace::Kind::kWarpReduce;
}

/// The row that stands for an add: of a warp's reduction that of its lowest lane, of a combine itself.
inline std::uint32_t lead(const trace::Trace& trace, std::uint32_t row) {
    if (trace.kind(row) != trace::Kind::kWarpReduce) return row;
    std::uint32_t lowest = row;
    for (std::uint32_t r = row; r-- > 0;) {
        if (trace.block[r] != trace.block[row] || trace.step[r] != trace.step[row] || trace.warp(r) != trace.warp(row))
            break;
        if (trace.site[r] == trace.site[row]) lowest = r;
    }
    return lowest;
}

/// Calls with(row) for each lane's row of the add that `row` belongs to, in order of lanes; of a combine for itself.
template <class With>
void each_part(const trace::Trace& trace, std::uint32_t row, With&& with) {
    if (trace.kind(row) != trace::Kind::kWarpReduce) return with(row);
    for (std::size_t r = lead(trace, row); r < trace.rows(); ++r) {
        if (trace.block[r] != trace.block[row] || trace.step[r] != trace.step[row] || trace.warp(r) != trace.warp(row))
            break;
        if (trace.site[r] == trace.site[row]) with(static_cast<std::uint32_t>(r));
    }
}

/// Calls with(operand) for each operand of an add: rows, or kNoEvent for a literal. A combine has two, left and right,
/// a negation one; a warp's reduction one a lane, which the hardware takes in an order of its own.
template <class With>
void each_operand(const trace::Trace& trace, std::uint32_t row, With&& with) {
    if (trace.kind(row) == trace::Kind::kWarpReduce) {
        each_part(trace, row, [&](std::uint32_t part) { with(trace.a[part]); });
    } else {
        with(trace.a[row]);
        if (trace.sites[trace.site[row]].op != trace::Operator::kNegate) with(trace.b[row]);
    }
}

}  // namespace warptree::graph
