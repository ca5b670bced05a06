// The graph of a run: how values met. A node is one application of the operator, in whatever launch; its operands are
// other nodes, elements of the input, or constants. Reads, writes and shuffles only pass values on, and are not in it;
// which of them brought an operand stands beside it. Nothing above this folder follows a trace's operands itself.
//
//   Run -> build() -> Graph -> folds (folds.hpp), flows and trees of a block, orders, stories
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "instrumentation/trace/run.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::graph {

using value::Column;

/// Whether a row makes a value out of others, by whatever operator: a combine, or a lane's part in a reduction of its
/// warp.
inline bool is_add(trace::Kind kind) {
    return kind == trace::Kind::kCombine || kind == trace::Kind::kWarpReduce;
}

/// The row that a row has its value from, shuffles passed over: of a read the store that it saw, of a store the read or
/// the add that brought it. kNoEvent: a literal, or what the launch found; of an add, since it makes its own.
std::int32_t source(const trace::Trace&, std::uint32_t row);

/// What an operand is.
enum class From : std::uint8_t {
    kNode,
    kElement,   // of the input
    kIdentity,  // a literal, or what an array that nobody wrote holds
    kPadding,   // what stands past element N, and in the cells of partial results that nobody wrote
    kLiteral,   // any other number of the kernel's
    kUnknown,   // made by rows that are not there, or by none
};

/// An operand in four bytes. Constants (neither node nor element) are places in Graph::constants.
class Operand {
public:
    static constexpr std::uint32_t kElementBit = 1u << 31, kConstantBits = 3u << 30;
    static constexpr Operand node(std::uint32_t at) { return Operand(at); }
    static constexpr Operand element(std::uint32_t at) { return Operand(kElementBit | at); }
    static constexpr Operand constant(std::uint32_t at) { return Operand(kConstantBits | at); }
    constexpr bool is_node() const { return bits_ < kElementBit; }
    constexpr bool is_element() const { return bits_ >= kElementBit && bits_ < kConstantBits; }
    /// Of nodes; of elements of the input; of constants.
    constexpr std::uint32_t index() const { return is_node() ? bits_ : bits_ & ~kConstantBits; }
    bool operator==(const Operand&) const = default;

private:
    explicit constexpr Operand(std::uint32_t bits) : bits_(bits) {}
    std::uint32_t bits_;
};

/// A value that no node made and that is no element.
struct Constant {
    From from = From::kUnknown;
    std::uint32_t launch = 0;
    std::int32_t row = trace::kNoEvent;  // that read or stored it; none: it was in a register
    bool operator==(const Constant&) const = default;
};

/// Nodes are numbered so that each comes after its operands; those of a launch follow those of the launch before.
/// Points into the run that it was built of, which has to stay where it is.
struct Graph {
    std::span<const trace::Trace> launches;
    bool complete = true;                   // whether all rows are there
    Column<std::uint32_t> row;              // (nodes,) in its launch: the combine, the atomic, the lowest lane's part
    Column<std::uint32_t> begin;            // (nodes + 1,) its operands in `operand`
    Column<Operand> operand;                // of a combine left, right; of an atomic the cell's old value, the value
                                            // added; of a warp's reduction one a lane
    Column<std::int32_t> source;            // (operands,) the row of the launch that brought it: a read, or the add of
                                            // whatever lane's register; of a cell's old value the store. kNoEvent: none
    Column<std::int32_t> store;             // (nodes,) the first row that stores the result; kNoEvent: none does
    std::vector<std::uint32_t> of_launch;   // (launches + 1,) its first node
    std::vector<std::uint32_t> first_step;  // (launches,) counted over the run
    std::vector<Constant> constants;
    std::vector<Column<Operand>> values;  // (launches, rows) what each row's value is; of an atomic the cell's

    struct Store {
        std::uint32_t launch, row;
    };
    std::vector<Store> results;  // writes and atomics to output arrays, in order of (launch, cell, row)

    std::size_t size() const { return row.size(); }
    std::span<const Operand> operands(std::size_t node) const {
        return std::span(operand).subspan(begin[node], begin[node + 1] - begin[node]);
    }
    std::span<const std::int32_t> sources(std::size_t node) const {
        return std::span(source).subspan(begin[node], begin[node + 1] - begin[node]);
    }
    From from(Operand) const;
    std::size_t launch(std::size_t node) const;
    const trace::Trace& trace(std::size_t node) const { return launches[launch(node)]; }
    std::uint32_t step(std::size_t node) const { return first_step[launch(node)] + trace(node).step[row[node]]; }
    /// The operator's name: the launch's, but where the site says another.
    std::string_view op(std::size_t node) const { return trace(node).op(row[node]); }
    /// Whether it is the launch's.
    bool adds(std::size_t node) const {
        const trace::Trace& of = trace(node);
        return of.sites[of.site[row[node]]].op == trace::Operator::kLaunch;
    }
    bool atomic(std::size_t node) const { return trace(node).kind(row[node]) == trace::Kind::kReduction; }
    /// What a row brings: its value; of an atomic the value that it adds.
    Operand brought(std::size_t launch, std::uint32_t at) const;
    /// The node that a row stands for; of a warp's reduction that of its lowest lane does. None: it is no node's row.
    std::optional<std::uint32_t> node_at(std::size_t launch, std::uint32_t at) const;
    /// The node of the same launch, a combine or a reduction of a warp, that made what a row brings. None: another one.
    std::optional<std::uint32_t> maker(std::size_t launch, std::uint32_t at) const;
};

/// Linear in the rows, but for arrays that atomics add to: their stores are sorted by cell. The order in which atomics
/// came is not known: those of a cell stand in order of rows, each with the one before as the cell's old value.
Graph build(std::span<const trace::Trace> launches);
inline Graph build(const trace::Run& run) {
    return build(run.launches);
}
Graph build(trace::Run&&) = delete;
inline Graph build(const trace::Trace& alone) {
    return build(std::span(&alone, 1));
}
Graph build(trace::Trace&&) = delete;

}  // namespace warptree::graph
