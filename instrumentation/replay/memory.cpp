// Memory: the contents of every array after each step, as one block sees them.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "instrumentation/replay/replay.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::replay {
namespace {

using PagesPointer = std::shared_ptr<const Pages>;

[[noreturn]] void broken(const char* what, std::size_t value, std::size_t end) {
    std::fprintf(stderr, "warptree: replay::Memory was asked for %s %zu of %zu.\n", what, value, end);
    std::abort();
}

/// An array in which every cell is alike: one page, shared.
PagesPointer uniform(std::uint32_t extent, Cell cell) {
    const auto page = std::make_shared<const Page>(kPage, cell);
    return std::make_shared<const Pages>((extent + kPage - 1) / kPage, page);
}

/// Rows of one step that change memory, in the order in which barriers let them happen.
std::vector<std::uint32_t> stores_in_order(const trace::Trace& trace, trace::Trace::Range range) {
    std::vector<std::uint32_t> out;
    for (std::uint32_t row = range.begin; row < range.end; ++row) {
        if (stores(trace.kind(row))) out.push_back(row);
    }
    const auto moment = [&trace](std::uint32_t row) {
        return std::tuple(trace.barrier[row], trace.warp(row), trace.warp_sync[row], row);
    };
    const auto earlier = [&moment](std::uint32_t x, std::uint32_t y) { return moment(x) < moment(y); };
    if (!std::is_sorted(out.begin(), out.end(), earlier)) std::sort(out.begin(), out.end(), earlier);
    return out;
}

/// Rows of one step that read from global memory what another block had written.
std::vector<std::uint32_t> foreign_reads(const trace::Trace& trace, trace::Trace::Range range) {
    std::vector<std::uint32_t> out;
    for (std::uint32_t row = range.begin; row < range.end; ++row) {
        const std::int32_t from = trace.a[row];
        if (trace.kind(row) != trace::Kind::kRead || from == trace::kNoEvent) continue;
        if (trace.space(row) == trace::Space::kGlobal &&
            trace.block[static_cast<std::size_t>(from)] != trace.block[row])
            out.push_back(row);
    }
    return out;
}

/// A new version of an array: pages are copied when first written.
class Version {
public:
    explicit Version(const Pages& before) : pages_(std::make_shared<Pages>(before)) {}

    Cell& operator[](std::uint32_t index) {
        const std::size_t number = index / kPage;
        std::shared_ptr<Page>& page = own_[number];
        if (!page) {
            page = std::make_shared<Page>(*(*pages_)[number]);
            (*pages_)[number] = page;
        }
        return (*page)[index % kPage];
    }
    PagesPointer pages() const { return pages_; }

private:
    std::shared_ptr<Pages> pages_;
    std::map<std::size_t, std::shared_ptr<Page>> own_;
};

}  // namespace

Memory::Memory(const trace::Trace& trace, std::uint32_t block)
    : trace_(&trace), used_(trace.arrays.size()), initial_(trace.arrays.size()) {
    if (block >= trace.launch.grid) broken("block", block, trace.launch.grid);

    // State 0
    std::vector<PagesPointer> now;
    std::uint32_t globals = 0;
    for (std::size_t id = 0; id < trace.arrays.size(); ++id) {
        const bool global = trace.arrays[id].space == trace::Space::kGlobal;
        if (global) initial_[id] = globals++;
        now.push_back(uniform(trace.arrays[id].extent, {global, Cell::kInitial}));
    }
    pages_.push_back(now);

    // One state more after each step; arrays that it leaves alone are shared
    for (std::uint32_t step = 0; step < trace.steps.size(); ++step) {
        std::map<std::uint8_t, Version> changed;
        for (const std::uint32_t row : stores_in_order(trace, trace.range(block, step))) {
            const std::uint8_t id = trace.array(row);
            Version& version = changed.try_emplace(id, *now[id]).first->second;
            Cell& cell = version[trace.index[row]];
            if (trace.kind(row) == trace::Kind::kReduction) note_folded(cell, id, row);
            cell = {true, row};
            used_[id] = std::max(used_[id], trace.index[row] + 1);
        }
        for (const std::uint32_t row : foreign_reads(trace, trace.range(block, step))) {
            const std::uint8_t id = trace.array(row);
            Cell& cell = changed.try_emplace(id, *now[id]).first->second[trace.index[row]];
            if (cell.row == Cell::kInitial) cell = {true, static_cast<std::uint32_t>(trace.a[row])};
        }
        for (const auto& [id, version] : changed) now[id] = version.pages();
        pages_.push_back(now);
    }
}

/// What a cell holds after an atomic reduction, of which the trace has the value added alone.
void Memory::note_folded(const Cell& before, std::uint8_t array, std::uint32_t row) {
    const std::optional<value::Op> op = value::op_named(trace_->op(row));
    const std::optional<std::uint64_t> held = bits(before, array, trace_->index[row]);
    if (op && held) folded_[row] = value::apply(trace_->type_of(array), *op, *held, trace_->bits_at(row));
}

std::optional<std::uint64_t> Memory::bits(const Cell& cell, std::uint8_t array, std::uint32_t index) const {
    if (!cell.defined) return std::nullopt;
    if (cell.row == Cell::kInitial) return trace_->initial[initial_[array]].bits(index);
    if (trace_->kind(cell.row) != trace::Kind::kReduction) return trace_->bits_at(cell.row);
    const auto folded = folded_.find(cell.row);
    return folded == folded_.end() ? std::nullopt : std::optional(folded->second);
}

const Cell& Memory::cell(std::uint8_t array, std::uint32_t index, std::size_t state) const {
    if (state >= pages_.size()) broken("state", state, pages_.size());
    if (array >= trace_->arrays.size()) broken("array", array, trace_->arrays.size());
    if (index >= trace_->arrays[array].extent) broken("cell", index, trace_->arrays[array].extent);
    return (*(*pages_[state][array])[index / kPage])[index % kPage];
}

std::string Memory::text(std::uint8_t array, std::uint32_t index, std::size_t state) const {
    const Cell& at = cell(array, index, state);
    if (!at.defined) return "";
    const auto found = bits(at, array, index);
    return found ? value::value_of(trace_->type_of(array), *found).text(0) : "?";
}

double Memory::value(std::uint8_t array, std::uint32_t index, std::size_t state) const {
    const auto found = bits(cell(array, index, state), array, index);
    return found ? value::value_of(trace_->type_of(array), *found).as_double(0)
                 : std::numeric_limits<double>::quiet_NaN();
}

std::string place_text(const trace::Trace& trace, const Place& place) {
    return fmt::format("{}[{}]", trace.arrays[place.array].name, place.index);
}

std::uint32_t Memory::used(std::uint8_t array) const {
    if (array >= used_.size()) broken("array", array, used_.size());
    return used_[array];
}

}  // namespace warptree::replay
