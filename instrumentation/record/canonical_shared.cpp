// Several workers, one set of columns: each part writes its rows where they will stand, so that nothing is copied.
#include "instrumentation/record/canonical_state.hpp"

namespace warptree::record {
namespace {

/// Calls something with each column of two traces.
template <class Do>
void each_column(Trace& x, Trace& y, Do&& with) {
    with(x.step, y.step);
    with(x.site, y.site);
    with(x.thread, y.thread);
    with(x.barrier, y.barrier);
    with(x.warp_sync, y.warp_sync);
    with(x.block, y.block);
    with(x.index, y.index);
    with(x.a, y.a);
    with(x.b, y.b);
}

/// Copies rows from one trace's columns to another's, which have room for them; operands move along.
void copy_rows(Trace& from, std::size_t from_row, Trace& to, std::size_t to_row, std::size_t rows) {
    each_column(from, to, [&](const auto& source, auto& target) {
        std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(from_row), rows,
                    target.begin() + static_cast<std::ptrdiff_t>(to_row));
    });
    const std::size_t size = size_bytes(from.value.type());
    std::copy_n(from.value.bytes.begin() + static_cast<std::ptrdiff_t>(from_row * size), rows * size,
                to.value.bytes.begin() + static_cast<std::ptrdiff_t>(to_row * size));
    const auto shift = static_cast<std::int32_t>(to_row) - static_cast<std::int32_t>(from_row);
    for (auto* operands : {&to.a, &to.b}) {
        for (std::size_t row = to_row; row < to_row + rows; ++row)
            if ((*operands)[row] >= 0) (*operands)[row] += shift;
    }
}

void resize(Trace& trace, std::size_t rows) {
    each_column(trace, trace, [&](auto& column, auto&) { column.resize(rows); });
    trace.value.resize(rows);
}

}  // namespace

WholeColumns::WholeColumns(Type type, std::uint32_t blocks) : blocks_(blocks) {
    columns_.value = Values(type);
}

bool WholeColumns::reserve(std::uint32_t rows) {
    const std::lock_guard lock(mutex_);
    if (rows_per_block_ == 0 && rows != 0 && std::uint64_t{rows} * blocks_ <= 0x7fffffffu) {
        resize(columns_, std::size_t{rows} * blocks_);
        rows_per_block_ = rows;  // now that the memory is there
    }
    return rows != 0 && rows_per_block_ == rows;
}

/// After the first block: moves to the whole's columns, if that is where this part's rows can be foreseen.
void Assembler::State::share(std::uint32_t first_block) {
    if (!whole || is_shared() || !whole->reserve(rows)) return;
    first_row = first_block * rows;
    most_rows = expected_blocks * rows;
    copy_rows(part, 0, whole->columns(), first_row, rows);
    for (auto& write : global_writes) write.row += first_row;
    for (auto& read : foreign_reads) read.row += first_row;
    for (auto& ticket : tickets) ticket.row += first_row;
    for (auto& read : remote_reads) read.row += first_row;
    for (auto& own : own_values) own.row += first_row;
    resize(part, 0);
}

/// This part is not as was foreseen: its rows go back to columns of its own.
void Assembler::State::unshare() {
    resize(part, rows);
    copy_rows(whole->columns(), first_row, part, 0, rows);
    for (auto& write : global_writes) write.row -= first_row;
    for (auto& read : foreign_reads) read.row -= first_row;
    for (auto& ticket : tickets) ticket.row -= first_row;
    for (auto& read : remote_reads) read.row -= first_row;
    for (auto& own : own_values) own.row -= first_row;
    first_row = most_rows = 0;
    whole.reset();
}

}  // namespace warptree::record
