// Which block draws the last ticket is chance. The rows do not say it: what that block did afterwards is moved to the
// rows of the launch's last block, as if the blocks had come in their order.
#include <algorithm>

#include "instrumentation/record/canonical_state.hpp"

namespace warptree::record {
namespace {

/// The rows that move, [begin, end), and where they go: to the end of all rows.
struct Move {
    std::size_t begin, end, rows;

    std::int32_t renamed(std::int32_t row) const {
        const auto at = static_cast<std::size_t>(row);
        if (row < 0 || at < begin) return row;
        return static_cast<std::int32_t>(at < end ? at + (rows - end) : at - (end - begin));
    }
    template <class T>
    void turn(Column<T>& column, std::size_t size = 1) const {
        std::rotate(column.begin() + begin * size, column.begin() + end * size, column.begin() + rows * size);
    }
};

/// Whether a moved row names a register or shared memory of its block from before its ticket: then none can move.
bool keeps_something(const Trace& trace, const Move& move) {
    for (std::size_t row = move.begin; row < move.end; ++row)
        for (const std::int32_t operand : {trace.a[row], trace.b[row]}) {
            const auto from = static_cast<std::size_t>(operand);
            if (operand < 0 || from >= move.begin || trace.block[from] != trace.block[row]) continue;
            if (trace.kind(row) != Kind::kRead || trace.space(row) != Space::kGlobal) return true;
        }
    return false;
}

}  // namespace

void settle_tickets(Piece& piece, const std::vector<Ticket>& tickets) {
    Trace& trace = piece.trace;
    if (tickets.empty()) return;
    for (const Ticket& ticket : tickets) trace.value.set_bits(ticket.row, 0);  // its number is chance
    const Ticket& last =
        *std::max_element(tickets.begin(), tickets.end(), [](auto& x, auto& y) { return x.number < y.number; });
    const auto went_on = [&trace](const Ticket& one) {
        return trace.range(one.block, trace.step[one.row]).end < trace.rows_of(one.block).end;
    };
    if (std::ranges::any_of(tickets, [&](const Ticket& one) { return one.block != last.block && went_on(one); }))
        return;  // they are places, or turns: each block goes on with its own
    trace.launch.last_block = last.block;
    const Move move{trace.range(last.block, trace.step[last.row]).end, trace.rows_of(last.block).end, trace.rows()};
    if (move.end == move.rows || keeps_something(trace, move)) return;
    each_column([&move](auto& column) { move.turn(column); }, trace);
    if (!trace.owner.empty()) move.turn(trace.owner);
    if (!trace.bits.empty()) move.turn(trace.bits);
    for (auto* operands : {&trace.a, &trace.b})
        for (std::int32_t& row : *operands) row = move.renamed(row);
    for (GlobalWrite& write : piece.writes)
        write.row = static_cast<std::uint32_t>(move.renamed(static_cast<std::int32_t>(write.row)));
    for (ForeignRead& read : piece.unresolved)
        read.row = static_cast<std::uint32_t>(move.renamed(static_cast<std::int32_t>(read.row)));
    move.turn(trace.value.bytes, size_bytes(trace.value.type()));
    for (std::size_t row = move.rows - (move.end - move.begin); row < move.rows; ++row) {
        if (!trace.owner.empty() && trace.owner[row] == trace.block[row]) trace.owner[row] = trace.launch.grid - 1;
        trace.block[row] = trace.launch.grid - 1;
    }
    trace.index_rows();
}

}  // namespace warptree::record
