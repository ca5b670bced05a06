// The grid: the whole computation, block by block. What each block of each launch read, how its adds joined, what it
// left and where that went on: in a later launch, in the last block of its own, in another block of its cluster, in an
// atomic. A fold over the graph of values, in linear time; of blocks whose rows are not there nothing is said.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/subject/subject.hpp"
#include "app/subject/words.hpp"

namespace warptree::study {

/// How a value came from the block that made it to the one that went on with it.
enum class Way : std::uint8_t {
    kLaunch,    // through an array, from an earlier launch
    kExchange,  // through an array, in the same launch: the block that came last reads what the others left
    kCluster,   // from the shared memory of another block of the cluster
};

/// A block that went on with what another one left.
struct GridEdge {
    std::uint32_t launch = 0, block = 0;        // that made the value
    std::uint32_t to_launch = 0, to_block = 0;  // that read it
    std::uint32_t step = 0;                     // of the read, counted over the run
    std::uint32_t made = 0;                     // of a cluster: the row of the add that took the value
    Way way = Way::kLaunch;
    auto operator<=>(const GridEdge&) const = default;
};

/// What a block left behind: its last write to global memory, or the sum that another block of its cluster took.
struct Left {
    replay::Place place;
    std::uint32_t row = 0;
    bool atomic = false;  // the row has the value that was added; when, and so to what, the trace does not say
    bool shared = false;  // it was left in shared memory
    bool operator==(const Left&) const = default;
};

/// The elements of global memory that a block took its values from, as far as they were there before the launch.
struct Slice {
    std::uint8_t array = 0;
    std::uint32_t first = 0, last = 0;
    std::uint32_t reads = 0;
    /// "16 of " where it leaves out elements between the first and the last.
    std::string part() const { return reads > 0 && reads <= last - first ? grouped(reads) + " of " : ""; }
    bool operator==(const Slice&) const = default;
};

/// One value that a block's tree begins with.
struct GridLeaf {
    replay::Place place;                        // where it was read
    std::optional<std::uint32_t> launch, from;  // the launch and block that made it; none: it is of the input
};

/// One add. Operands are joins, or leaves: ~i is the i-th.
struct GridJoin {
    std::uint32_t row = 0, step = 0;  // of its launch
    std::vector<std::int32_t> operands;
    std::uint32_t column = 0;  // that of its first operand's leaf: the add takes place where that value stood
};

/// A block's adds as they joined. Leaves stand in order of the cells that they were read from, a column each.
struct GridTree {
    std::vector<GridLeaf> leaves;
    std::vector<GridJoin> joins;  // in order of rows
};

struct GridBlock {
    std::optional<Slice> slice;
    std::optional<Left> left;
    std::optional<Slice> results;  // of a scan: the elements of the output that nobody wrote after it
    std::uint32_t last_step = 0;   // of its launch, in which it did something
    GridTree tree;                 // of launches of few blocks alone
};

/// Launches of more blocks than these are counted, but their blocks' trees are not made.
inline constexpr std::uint32_t kMostTrees = 128;

struct GridLaunch {
    std::vector<GridBlock> blocks;  // (grid,)
    /// Of a launch whose last block reads what the others left: the step in which that begins; what that block did
    /// before it stands in `blocks`, what it did from there on in `last`.
    std::optional<std::uint32_t> gather_step;
    GridBlock last;
    /// Of clusters: the step in which blocks begin to read each other's shared memory. Trees end there: edges go on.
    std::optional<std::uint32_t> round_step;
    std::uint64_t atomics = 0;  // blocks that left an atomic
};

struct Grid {
    std::vector<GridLaunch> launches;
    std::vector<GridEdge> edges;  // each once, in order
};
Grid grid(const graph::Graph&);

/// Which part of a block's work a tree is of: all of it, or, of the block that came last, that before or after it read
/// what the others left.
enum class Part : std::uint8_t { kAll, kBefore, kAfter };
/// gather_step  of the launch, where the part is not kAll
GridTree grid_tree(const graph::Graph&, std::size_t launch, std::uint32_t block, Part = Part::kAll,
                   std::uint32_t gather_step = 0);

}  // namespace warptree::study
