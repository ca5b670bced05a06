// What a run's results are made of: beside each node of the graph the sum of its elements' hashes, each as often as it
// is in it. Equal sums are equal sets, but for one case in 2^64. A maximum may take an element twice, and begin
// anywhere. Private to judge.cpp.
#pragma once

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "instrumentation/foreign/by_value.hpp"
#include "instrumentation/graph/graph.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::foreign {

using graph::From;
using graph::Operand;

/// A number that looks random (splitmix64).
inline std::uint64_t hash_of(std::uint64_t element) {
    std::uint64_t x = (element + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

struct Set {
    std::uint64_t hash = 0, count = 0, low = ~std::uint64_t{0}, high = 0;  // low, high: the first element and the last
    bool pure = true;          // nothing but elements, by the launch's operator
    std::uint64_t arrays = 0;  // that they stand in, a bit each
    bool less = false;         // a difference is in it: hashes are those of a sum all the same
    bool squares = false;      // products of two elements each, of one number: a dot product's, or squares
    Set& operator+=(const Set& other) {
        pure = pure && other.pure && (count == 0 || other.count == 0 || squares == other.squares) &&
               (!squares || !other.squares || arrays == other.arrays);
        hash += other.hash, count += std::min(other.count, ~count);
        less = less || other.less;
        low = std::min(low, other.low), high = std::max(high, other.high);
        squares = squares || other.squares;
        arrays |= other.arrays;
        return *this;
    }
};

/// Whether a launch read another element than the run's input has: the host filled it anew meanwhile.
inline bool is_refilled(const trace::Trace& trace, std::size_t row) {
    if (trace.kind(row) != trace::Kind::kRead || trace.a[row] != trace::kNoEvent || trace.is_own(row)) return false;
    const std::uint8_t array = trace.array(row);  // global ones come first
    return trace.arrays[array].role == trace::Role::kInput && trace.index[row] < trace.initial[array].size() &&
           !trace.value.same(row, trace.initial[array], trace.index[row]) &&
           std::ranges::find(trace.carried, row, &trace::Carried::row) == trace.carried.end();
}

inline std::vector<std::uint64_t> elements_never_read(const trace::Run& run, std::uint64_t n) {
    std::vector<bool> read(n);
    for (const trace::Trace& trace : run.launches)
        for (std::size_t row = 0; row < trace.rows(); ++row)
            if (trace.kind(row) == trace::Kind::kRead && trace.arrays[trace.array(row)].role == trace::Role::kInput &&
                trace.index[row] < n)
                read[trace.index[row]] = true;
    std::vector<std::uint64_t> out;
    for (std::uint64_t i = 0; i < n; ++i)
        if (!read[i]) out.push_back(i);
    return out;
}

class Judge {
public:
    explicit Judge(const trace::Run& run)
        : graph_(graph::build(run)),
          n_(run.launch().n),
          op_(value::op_named(run.launch().op).value_or(value::Op::kSum)),
          repeats_(op_ == value::Op::kMin || op_ == value::Op::kMax) {
        for (std::size_t node = 0; node < graph_.size(); ++node) {
            Set set;
            const auto operands = graph_.operands(node);
            for (const Operand operand : operands) set += set_of(operand);
            set.arrays |= arrays_of(node);
            if (op_ == value::Op::kSum && operands.size() == 2 && graph_.op(node) == kLess) {
                set.less = true;
                set.hash -= 2 * set_of(operands[1]).hash;
            } else if (!graph_.adds(node) && !graph_.atomic(node)) {
                set.squares = set.pure = is_product(node);
                if (set.squares) set = {hash_of(set.low), 1, set.low, set.low, true, set.arrays, false, true};
            }
            sets_.push_back(set);
        }
        for (const trace::Trace& trace : run.launches)
            for (std::size_t row = 0; altered_.empty() && row < trace.rows(); ++row) {
                altered_ =
                    is_refilled(trace, row) ? "they were filled anew in between" : foreign::altered(trace, row, op_);
                rounded_otherwise_ = rounded_otherwise_ || is_otherwise(trace, row);
            }
        for (const graph::Graph::Store& store : graph_.results) {
            const trace::Trace& of = graph_.launches[store.launch];
            if (of.arrays[of.array(store.row)].role != trace::Role::kOutput) continue;
            const Operand value = graph_.values[store.launch][store.row];
            cells_.insert_or_assign(of.index[store.row], value);
            made_by_[of.index[store.row]] = value.is_node() ? &graph_.trace(value.index()) : &of;  // not a copy
        }
        find_others(run);
        count_by(1);
    }
    /// From here on prefixes are of every so many elements: of structs each member's own.
    void count_by(std::uint64_t members) {
        prefixes_.assign(members_ = members, 0);
        for (std::uint64_t i = 0; i < n_; ++i) prefixes_.push_back(prefixes_[i] + (is_other(i) ? 0 : hash_of(i)));
    }
    std::uint64_t members() const { return members_; }

    std::size_t cells() const { return cells_.size(); }
    /// Those that elements are in.
    std::size_t made() const {
        return static_cast<std::size_t>(
            std::ranges::count_if(cells_, [&](const auto& one) { return set_of(one.second).count > 0; }));
    }
    Set all_cells() const {
        Set all;
        for (const auto& [cell, value] : cells_) all += set_of(value);
        return all;
    }
    Set first_cell() const {
        return cells_.empty() || cells_.begin()->first != 0 ? Set{} : set_of(cells_.begin()->second);
    }
    /// How many cells, the first ones, the last launch made that made any, where earlier ones made all the others; 0:
    /// they lie otherwise.
    std::size_t of_last_launch() const {
        std::size_t count = 0;
        const trace::Trace* last = nullptr;  // of one run they lie in order
        for (const auto& [cell, launch] : made_by_) last = std::max(last, launch);
        for (const auto& [cell, launch] : made_by_)
            if (launch == last && cell != count++) return 0;
        return count == made_by_.size() ? 0 : count;
    }
    Set first_cells(std::size_t count) const {
        Set all;
        for (const auto& [cell, value] : cells_)
            if (cell < count) all += set_of(value);
        return all;
    }
    std::uint64_t prefix(std::uint64_t count) const { return prefixes_[std::min<std::uint64_t>(count, n_)]; }
    std::uint64_t n() const { return n_; }
    /// Names of arrays that elements of a set stand in.
    std::vector<std::string> arrays(const Set& set) const {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            if ((set.arrays >> i % 64 & 1) != 0) names.push_back(inputs_[i]);
        return names;
    }
    /// How a value became another one on its way; "": none did.
    const std::string& altered() const { return altered_; }
    /// What of memory goes into the results beside elements.
    struct Stranger {
        std::string cell;     // "b[1]"; "": nothing does
        bool shared = false;  // then nobody has written it
        bool given = false;   // no kernel writes to its array: main() gave it
    };
    Stranger stranger() const {
        std::vector<bool> reached(graph_.size());
        Stranger found;
        const auto look = [&](Operand operand) {
            if (operand.is_node()) reached[operand.index()] = true;
            if (operand.is_node() || operand.is_element() || !found.cell.empty()) return;
            const graph::Constant& constant = graph_.constants[operand.index()];
            if (constant.from != From::kUnknown || constant.row == trace::kNoEvent) return;
            const trace::Trace& of = graph_.launches[constant.launch];
            const auto row = static_cast<std::size_t>(constant.row);
            if (const std::uint8_t array = of.array(row); array != trace::Site::kNoArray)
                found = {fmt::format("{}[{}]", of.arrays[array].name, of.index[row]),
                         of.arrays[array].space == trace::Space::kShared, !is_written(of.arrays[array].name)};
        };
        for (const auto& [cell, value] : cells_) look(value);
        for (std::size_t node = graph_.size(); node-- > 0;)
            if (reached[node])
                for (const Operand operand : graph_.operands(node)) look(operand);
        return found;
    }
    /// Whether a kernel writes to a global array.
    bool is_written(const std::string& array) const {
        const auto writes = [&](const trace::Trace& trace) {
            for (std::size_t row = 0; row < trace.rows(); ++row)
                if (trace::stores(trace.kind(row)) && trace.arrays[trace.array(row)].name == array) return true;
            return false;
        };
        return std::ranges::any_of(graph_.launches, writes);
    }
    /// Whether a sum is another one than that to the nearest number, as near as that lies.
    bool is_rounded_otherwise() const { return rounded_otherwise_; }
    bool has_differences() const {
        return std::ranges::any_of(cells_, [&](const auto& one) { return set_of(one.second).less; });
    }
    /// Whether an element is a member of a struct that no kernel uses.
    bool is_other(std::uint64_t element) const { return others_[element % others_.size()]; }
    /// What is to be told of them; "": the input has none.
    std::string others() const {
        const auto used = std::ranges::count(others_, false);
        return others_.size() == 1
                   ? ""
                   : fmt::format(
                         "the input is made of structs: of every {} numbers {} {} used, the others stand for what "
                         "is of no matter",
                         others_.size(), used, used == 1 ? "is" : "are");
    }

    /// Whether the set of all results has each of the elements.
    bool is_all(const Set& set) const {
        if (set.hash == prefix(n_)) return true;
        if (!repeats_) return false;
        const std::vector<std::uint32_t> all = times();
        return std::ranges::find(all, 0u) == all.end();
    }
    /// Whether cells that no element is in change nothing where all are added up.
    bool rest_is_neutral(const value::Values& output) const {
        const value::Type type = output.type();
        std::uint64_t all = value::identity(type, op_);
        for (const auto& [cell, value] : cells_) all = value::apply(type, op_, all, output.bits(cell));
        for (std::uint32_t i = 0; i < output.size(); ++i)
            if (const auto cell = cells_.find(i); (cell == cells_.end() || set_of(cell->second).count == 0) &&
                                                  value::apply(type, op_, all, output.bits(i)) != all)
                return false;
        return true;
    }
    /// Cells whose set is that of the elements up to their own (shift 1), or before it (0).
    std::size_t scanned(std::uint64_t shift) const {
        return static_cast<std::size_t>(
            std::ranges::count_if(cells_, [&](const auto& one) { return is_scanned(one.first, shift); }));
    }
    /// How many cells from the first on are those of an inclusive scan.
    std::size_t scanned_first() const {
        std::size_t count = 0;
        while (cells_.contains(static_cast<std::uint32_t>(count)) && is_scanned(count, 1)) ++count;
        return count;
    }
    /// A cell that is not what a scan makes of it; else the first that is there.
    std::uint64_t first_amiss(std::uint64_t shift) const {
        for (const auto& [cell, value] : cells_)
            if (!is_scanned(cell, shift)) return cell;
        return cells_.begin()->first;
    }
    /// The cells whose set is not that of the elements from their own on.
    std::vector<std::uint64_t> not_from_the_end() const {
        std::vector<std::uint64_t> out;
        for (const auto& [cell, value] : cells_)
            if (set_of(value).hash != prefix(n_) - prefix(cell)) out.push_back(cell);
        return out;
    }
    /// Whether each cell has neighbouring elements up to its own, from those on that the one before has or from its
    /// own.
    bool in_segments() const {
        std::uint64_t first = 0;
        return std::ranges::all_of(cells_, [&](const auto& one) {
            const Set set = set_of(one.second);
            const bool goes_on = members_ > 1 || one.first == 0 || set.low == first || set.low == one.first ||
                                 !cells_.contains(one.first - 1);
            first = set.low;
            return set.pure && set.count > 0 && set.high == one.first && goes_on &&
                   prefixes_[set.high + members_] - prefixes_[set.low] == set.hash;
        });
    }
    /// How many elements each segment has, but for the last; none: they differ.
    std::optional<std::uint64_t> segment_length() const {
        std::vector<std::uint64_t> begins;
        for (const auto& [cell, value] : cells_)
            if (const std::uint64_t low = set_of(value).low; begins.empty() || low != begins.back())
                begins.push_back(low);
        if (members_ > 1 || begins.size() < 2) return std::nullopt;
        for (std::size_t i = 0; i < begins.size(); ++i)
            if (begins[i] != i * begins[1]) return std::nullopt;
        return begins[1];
    }
    /// Whether some results are made of elements, others of products of two.
    bool is_mixed() const {
        bool pure = true, squares[2] = {};
        for (const auto& [cell, value] : cells_) {
            const Set set = set_of(value);
            pure = pure && set.pure;
            if (set.count > 0) squares[set.squares] = true;
        }
        return pure && squares[0] && squares[1];
    }
    /// A result that is not the sum of neighbouring elements; none: each is.
    std::optional<std::uint32_t> first_without_segment() const {
        for (const auto& [cell, value] : cells_) {
            const Set set = set_of(value);
            if (!altered_.empty() || !set.pure || set.count == 0 || prefix(set.high + 1) - prefix(set.low) != set.hash)
                return cell;
        }
        return std::nullopt;
    }
    /// How often each element is in the results; once those that are of no matter.
    std::vector<std::uint32_t> times() const {
        std::vector<std::uint64_t> weight(graph_.size());
        std::vector<std::uint32_t> out(n_);
        for (std::uint64_t i = 0; i < n_; ++i) out[i] = is_other(i) ? 1 : 0;
        const auto give = [&](Operand operand, std::uint64_t often) {
            if (operand.is_node()) weight[operand.index()] += often;
            if (operand.is_element() && operand.index() < n_) out[operand.index()] += static_cast<std::uint32_t>(often);
        };
        for (const auto& [cell, value] : cells_) give(value, 1);
        for (std::size_t node = graph_.size(); node-- > 0;)
            if (weight[node] > 0)
                for (const Operand operand : graph_.operands(node)) {
                    give(operand, weight[node]);
                    if (is_product(node)) break;  // of two elements of one number
                }
        return out;
    }

private:
    bool is_otherwise(const trace::Trace& trace, std::size_t row) const {
        const std::int32_t a = trace.a[row], b = trace.b[row];
        return op_ == value::Op::kSum && trace.kind(row) == trace::Kind::kCombine && a != trace::kNoEvent &&
               b != trace::kNoEvent && trace.op(row) == "sum" &&
               value::apply(trace.value.type(), op_, trace.value.bits(static_cast<std::size_t>(a)),
                            trace.value.bits(static_cast<std::size_t>(b))) != trace.value.bits(row);
    }
    /// Whether it is one of a dot product's, or a square.
    bool is_product(std::size_t node) const {
        const auto operands = graph_.operands(node);
        return op_ != value::Op::kProduct && graph_.op(node) == "product" && operands.size() == 2 &&
               operands[0].is_element() && operands[0] == operands[1];
    }
    bool is_scanned(std::uint64_t cell, std::uint64_t shift) const {
        const std::uint64_t end = cell + shift * members_;
        return end < prefixes_.size() && set_of(cells_.at(static_cast<std::uint32_t>(cell))).hash == prefixes_[end];
    }
    /// Those that a node's elements were read from.
    std::uint64_t arrays_of(std::size_t node) {
        const trace::Trace& trace = graph_.trace(node);
        std::uint64_t all = 0;
        for (std::size_t i = 0; i < graph_.operands(node).size(); ++i) {
            const std::int32_t row = graph_.sources(node)[i];
            if (!graph_.operands(node)[i].is_element() || row == trace::kNoEvent) continue;
            const std::uint8_t array = trace.array(static_cast<std::size_t>(row));
            if (array == trace::Site::kNoArray || trace.arrays[array].role != trace::Role::kInput) continue;
            const auto known = std::ranges::find(inputs_, trace.arrays[array].name);
            all |= std::uint64_t{1} << (known - inputs_.begin()) % 64;
            if (known == inputs_.end()) inputs_.push_back(trace.arrays[array].name);
        }
        return all;
    }
    /// In structs as elements the members that are never read stand at the same places, as numbers that change nothing.
    void find_others(const trace::Run& run) {
        const value::Values* const input = run.input();
        const std::vector<std::uint64_t> unread = elements_never_read(run, n_);
        if (input == nullptr || input->size() < n_ || unread.empty()) return;
        const std::uint64_t neutral = value::identity(input->type(), op_);
        if (std::ranges::any_of(unread, [&](std::uint64_t i) { return input->bits(i) != neutral; })) return;
        constexpr std::uint64_t kMost = 64;
        for (std::uint64_t all = 2; all <= std::min(kMost, n_ / 2); ++all) {
            std::vector<bool> others(all);
            for (const std::uint64_t i : unread) others[i % all] = true;
            std::uint64_t count = 0;
            for (std::uint64_t i = 0; i < n_; ++i) count += others[i % all] ? 1 : 0;
            if (count == unread.size()) return void(others_ = std::move(others));
        }
    }
    Set set_of(Operand operand) const {
        if (operand.is_node()) return sets_[operand.index()];
        if (operand.is_element()) return {hash_of(operand.index()), 1, operand.index(), operand.index(), true};
        const From from = graph_.from(operand);
        const bool begins = from == From::kLiteral || (from == From::kUnknown && is_of_output(operand));
        return {.pure = from == From::kIdentity || from == From::kPadding || (repeats_ && begins)};
    }
    /// Whether a constant stood in the output before.
    bool is_of_output(Operand operand) const {
        const graph::Constant& constant = graph_.constants[operand.index()];
        if (constant.row == trace::kNoEvent) return false;
        const trace::Trace& of = graph_.launches[constant.launch];
        const std::uint8_t array = of.array(static_cast<std::size_t>(constant.row));
        return array != trace::Site::kNoArray && of.arrays[array].role == trace::Role::kOutput;
    }

    graph::Graph graph_;
    std::uint64_t n_;
    value::Op op_;
    bool repeats_;  // an element may be in it twice, and numbers that it begins with
    std::string altered_;
    bool rounded_otherwise_ = false;
    std::vector<Set> sets_;
    std::vector<std::string> inputs_;
    std::map<std::uint32_t, Operand> cells_;                // of the output, those that were written
    std::map<std::uint32_t, const trace::Trace*> made_by_;  // in which launch
    std::uint64_t members_ = 1;
    std::vector<std::uint64_t> prefixes_;  // (n + members,)
    std::vector<bool> others_ = {false};   // members of a struct that are of no matter
};

}  // namespace warptree::foreign
