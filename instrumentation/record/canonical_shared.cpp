// Several workers, one set of columns: each part writes its rows where they will stand, so that nothing is copied.
#include "instrumentation/record/canonical_state.hpp"

namespace warptree::record {

void copy_rows(const Trace& from, std::size_t from_row, Trace& to, std::size_t to_row, std::size_t rows) {
    const auto copy = [&](const auto& source, auto& target, std::size_t size = 1) {
        std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(from_row * size), rows * size,
                    target.begin() + static_cast<std::ptrdiff_t>(to_row * size));
    };
    each_column(copy, from, to);
    copy(from.value.bytes, to.value.bytes, size_bytes(from.value.type()));
    const auto shift = static_cast<std::int32_t>(to_row) - static_cast<std::int32_t>(from_row);
    for (auto* operands : {&to.a, &to.b}) {
        for (std::size_t row = to_row; row < to_row + rows; ++row)
            if ((*operands)[row] >= 0) (*operands)[row] += shift;
    }
}

void resize(Trace& trace, std::size_t rows) {
    each_column([rows](auto& column) { column.resize(rows); }, trace);
    trace.value.resize(rows);
}

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
    each_noted([this](auto& noted) {
        for (auto& entry : noted) entry.row += first_row;
    });
    resize(part, 0);
}

/// This part is not as was foreseen: its rows go back to columns of its own.
void Assembler::State::unshare() {
    resize(part, rows);
    copy_rows(whole->columns(), first_row, part, 0, rows);
    each_noted([this](auto& noted) {
        for (auto& entry : noted) entry.row -= first_row;
    });
    first_row = most_rows = 0;
    whole.reset();
}

}  // namespace warptree::record
