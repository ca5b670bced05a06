// The trace: what one kernel launch did, as columns. Every later layer (counters, replay, scene) reads only this.
//
//   raw log (probe) -> canonical rows (canonical.hpp) -> Trace -> file (file.hpp) | counters | replay
//
// Rows are ordered by (block, step, thread, order of execution in that thread), whatever order the threads really
// ran in and whichever backend ran them: a correct kernel gives the same rows everywhere.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/value/operator.hpp"
#include "instrumentation/value/values.hpp"

namespace warptree::trace {

using value::Column;
using value::name;
using value::Phase;
using value::size_bytes;
using value::Type;
using value::Values;

inline constexpr int kSchemaVersion = 8;
inline constexpr int kProgramSchema = 9;   // of runs that have `unjudged` or `results`
inline constexpr int kStructsSchema = 10;  // `members`
inline constexpr int kDeviceSchema = 11;   // of runs on several devices
inline constexpr int kFactorSchema = 12;   // `factor`
inline constexpr int kSwapSchema = 13;     // `swap`
inline constexpr std::uint32_t kMostDevices = 64;
inline constexpr std::int32_t kNoEvent = -1;
inline constexpr std::uint32_t kMostCluster = 8;  // blocks: what CUDA promises on every GPU that has clusters

/// What an event is. The numbers are part of the file format.
enum class Kind : std::uint8_t {
    kRead = 0,        // a load from an array
    kWrite = 1,       // a store to an array
    kCombine = 2,     // one application of an operator, a + b or what Site::op says
    kShuffle = 3,     // a value taken from another lane's register
    kReduction = 4,   // an atomic read-modify-write whose old value is not used
    kBarrier = 5,     // __syncthreads, one row a block and barrier (thread = lowest that reported it)
    kWarpSync = 6,    // __syncwarp, one row a warp
    kTicket = 7,      // an atomic whose old value tells how many blocks came before; that number is not in the trace
    kWarpReduce = 8,  // one lane's part in an instruction that combines a value of each lane and gives all the result
    kClusterBarrier = 9,  // cluster.sync(), one row a block; it is one of its block barriers too
    kVote = 10,           // what a lane's warp said together, one row a lane: any, all, ballot, match, the active mask
};

/// The operator of a combine, a warp's reduction or an atomic: the number of a value::Op, or one of these.
enum class Operator : std::uint8_t {
    kNegate = 14,  // of one operand
    kLaunch = 15,  // that of the launch: these are the adds that steps and operations count
};

enum class Space : std::uint8_t { kGlobal = 0, kShared = 1 };
/// What an array is to the run. Partial results are what one launch leaves for a later one, or for the host.
enum class Role : std::uint8_t { kInput = 0, kOutput = 1, kScratch = 2, kPartial = 3 };
/// The arrays in which the tiles of a look-back tell their sums and prefixes, a cell a block.
inline constexpr std::string_view kTileSums = "sums", kTilePrefixes = "prefixes";
/// Whether a store to an array leaves a result of its launch.
constexpr bool takes_results(Role role) {
    return role == Role::kOutput || role == Role::kPartial;
}
/// Whether a row changes memory.
constexpr bool stores(Kind kind) {
    return kind == Kind::kWrite || kind == Kind::kReduction;
}
/// Who ran a launch.
enum class Processor : std::uint8_t { kDevice = 0, kHost = 1 };

/// What the values of an enumeration are called, in order of their numbers; in files too.
template <class E>
inline constexpr std::array<std::string_view, 0> kNames{};
template <>
inline constexpr std::array<std::string_view, 11> kNames<Kind> = {
    "read",      "write",  "combine",     "shuffle",         "reduction", "barrier",
    "warp_sync", "ticket", "warp_reduce", "cluster_barrier", "vote"};
template <>
inline constexpr std::array<std::string_view, 15> kNames<Operator> = [] {  // those that a site can name
    std::array<std::string_view, 15> names = {};
    std::ranges::copy(value::kOpNames, names.begin());
    names[static_cast<std::size_t>(Operator::kNegate)] = "negate";
    return names;
}();
template <>
inline constexpr std::array<std::string_view, 2> kNames<Space> = {"global", "shared"};
template <>
inline constexpr std::array<std::string_view, 4> kNames<Role> = {"input", "output", "scratch", "partial"};
template <>
inline constexpr std::array<std::string_view, 2> kNames<Processor> = {"device", "host"};
template <>
inline constexpr std::array<std::string_view, 8> kNames<Phase> = {"load",  "tree",      "scan", "upsweep",
                                                                  "clear", "downsweep", "add",  "output"};
template <class E>
requires(!kNames<E>.empty()) constexpr std::string_view name(E value) {
    const auto at = static_cast<std::size_t>(value);
    return at < kNames<E>.size() ? kNames<E>[at] : "unknown";
}

/// One array that the kernel touched. Its id is its place in Trace::arrays. Every global array starts on a 128-byte
/// boundary, by definition.
struct Array {
    std::string name;
    Space space = Space::kGlobal;
    Role role = Role::kScratch;
    std::uint32_t extent = 0;       // elements; of a shared array, in each block
    std::optional<Type> type = {};  // of its elements; none: that of the launch's values. Scratch alone has its own
    bool operator==(const Array&) const = default;
};

/// One place in the kernel where a warp makes an access: a line, what it does, on which array, and which of the
/// equal ones on that line and step it is (a[i] + a[j] reads twice: occurrence 0 and 1).
struct Site {
    std::uint16_t line = 0;
    Kind kind = Kind::kRead;
    std::uint8_t array = kNoArray;
    std::uint16_t occurrence = 0;
    bool remote = false;      // of another block's shared memory: see Trace::owner
    std::uint16_t width = 1;  // elements that a lane takes with one access: as many rows, side by side
    Operator op = Operator::kLaunch;
    bool swap = false;  // a write that is an atomic's: compare-and-swap, exchange
    static constexpr std::uint8_t kNoArray = 255;
    auto operator<=>(const Site&) const = default;
    /// Whether its rows are adds: what steps, operations and active threads are counted by.
    bool adds() const { return op == Operator::kLaunch && (kind == Kind::kCombine || kind == Kind::kWarpReduce); }
};

/// One round: one add by each active thread, with the loads and the store that surround it.
struct Step {
    Phase phase = Phase::kLoad;
    std::uint32_t stride = 0;  // as the kernel reported it; 0 where a step has none
    std::uint16_t line = 0;    // the lowest that an add of it is on, or else a row
    bool operator==(const Step&) const = default;
};

/// Of values that the type could not hold as they were given: the nearest were taken.
struct Rounded {
    std::uint64_t values = 0;  // how many
    std::string exact = {};    // what those given add up to, in decimal; "" where the operator does not add
    std::string held_by = {};  // the types that hold them all: "int32, int64, float64"; "" none
    bool operator==(const Rounded&) const = default;
};

/// What was launched. All of it is part of the comparison between backends, but for `backend`, `device`, `driver`,
/// `build`, `rounded`, of which a file knows the values alone, and what chance decides: `last_block`, `waits` and
/// `told`.
struct Launch {
    std::string kernel;  // of the catalog, "harris-4"
    value::Problem problem = value::Problem::kReduction;
    std::string function = {};                 // that was launched, "harris_4"; "" in files of older programs
    Processor processor = Processor::kDevice;  // the host's own work is a launch of one block of one thread
    std::uint64_t n = 0;
    std::uint32_t grid = 1;   // blocks
    std::uint32_t block = 1;  // threads a block
    std::uint32_t warp_size = 32;
    std::uint32_t coarsen = 1;
    std::uint32_t cluster = 1;  // blocks a cluster: these run together and read each other's shared memory
    Type type =
        Type::kFloat32;  // of the user's numbers; that of the columns, Trace::value.type(), follows from it and op
    std::string op = "sum";
    std::string input = "textbook";  // the rule that made the input
    Rounded rounded = {};
    std::string unjudged = {};  // why a result is not held against a right one, of a program of somebody else's
    std::uint32_t results = 0;  // how many of the output's first elements are the result; 0: all of them
    std::uint32_t members = 1;  // of a scan of structs: how many numbers each is made of; n counts all of them
    std::uint32_t member = 0;   // the one of them that is judged
    std::string factor = {};    // of a dot product: the array by whose elements the input's are multiplied; "": none
    /// N as the user has it.
    std::uint64_t elements() const { return n / members; }
    std::uint64_t seed = 0;
    std::uint16_t without_barrier_line = 0;  // the barrier on this line was left out; 0: none
    std::string thread_order = "ascending";
    std::string backend = "cpu";
    std::string device = {};
    std::string driver = {};
    std::string build = {};
    /// Of a kernel whose blocks draw tickets: the block that came last in this run. What it did after its ticket stands
    /// in the rows of block grid - 1, so that the rows do not depend on chance. Not compared between backends.
    std::optional<std::uint32_t> last_block = {};
    /// (grid,) of a kernel whose blocks look back over the tiles before: how many of the 32 nearest had not told their
    /// prefix yet when the block first looked. Empty where none had to wait. Chance as well, and not compared.
    std::vector<std::uint32_t> waits = {};
    /// (2, grid) of the same on a GPU: nanoseconds from the launch's first word to the moments at which each tile told
    /// its sum and its prefix; of tile 0 the sum's is 0. Empty where they were not measured. Not compared either.
    std::vector<std::uint64_t> told = {};
    /// Devices of the run: each global array lies on them in equal parts, its first on device 0.
    std::uint32_t devices = 1;
    /// Those that the launch is on, ascending: each has as many of its blocks, the first the first of them. Empty: all.
    std::vector<std::uint32_t> on = {};
    bool is_dot() const { return !factor.empty(); }
    bool scans() const { return value::is_scan(problem); }
    bool is_collective() const { return value::is_collective(problem); }
    /// Whether its output has more results than one.
    bool has_many_results() const { return problem != value::Problem::kReduction; }
    /// Devices that the launch is on.
    std::uint32_t working_devices() const { return on.empty() ? devices : static_cast<std::uint32_t>(on.size()); }
    std::uint32_t blocks_a_device() const { return grid / working_devices(); }
    std::uint32_t device_of_block(std::uint32_t block_index) const {
        const std::uint32_t place = block_index / blocks_a_device();
        return on.empty() ? place : on[place];
    }
    /// The first of a device's blocks; none: the launch is not on it.
    std::optional<std::uint32_t> first_block_of(std::uint32_t sought) const {
        for (std::uint32_t first = 0; first < grid; first += blocks_a_device())
            if (device_of_block(first) == sought) return first;
        return std::nullopt;
    }
    bool operator==(const Launch&) const = default;
};

/// The type of the columns and of arrays without their own: `type`, but for argmin, argmax and matrix.
Type value_type(const Launch&);

/// The counters of a step that a trace holds where it does not hold all rows. Their order is that of StepTotals.
inline constexpr std::array<std::string_view, 31> kTotalNames = {"active_threads",       "active_warps",
                                                                 "divergent_warps",      "consumed_slots",
                                                                 "operations",           "barriers",
                                                                 "warp_syncs",           "shuffles",
                                                                 "warp_reductions",      "global_ld_requests",
                                                                 "global_ld_segments",   "global_ld_sectors",
                                                                 "global_ld_bytes",      "global_st_requests",
                                                                 "global_st_segments",   "global_st_sectors",
                                                                 "global_st_bytes",      "global_red_requests",
                                                                 "global_red_segments",  "global_red_sectors",
                                                                 "global_red_bytes",     "global_atom_requests",
                                                                 "global_atom_segments", "global_atom_sectors",
                                                                 "global_atom_bytes",    "shared_ld_requests",
                                                                 "shared_ld_conflicts",  "shared_st_requests",
                                                                 "shared_st_conflicts",  "remote_ld",
                                                                 "cluster_barriers"};
using StepTotals = std::array<std::uint64_t, kTotalNames.size()>;
/// The place of one that is there.
consteval std::size_t total_of(std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(kTotalNames, name) - kTotalNames.begin());
}

/// What there is of a launch too large to keep each access of: the rows of some blocks, and what all cost together.
struct Kept {
    std::vector<std::uint32_t> blocks;  // ascending; of a cluster all or none
    /// (steps,) ascending: what names a step in every block: the round << 32 | the add of it. Blocks that are run again
    /// find their steps by it.
    std::vector<std::uint64_t> keys;
    std::vector<StepTotals> totals;  // (steps,) over the whole grid, exact
    bool operator==(const Kept&) const = default;
};

/// A read whose value an earlier launch of the run wrote; in its own launch it has no operand.
struct Carried {
    std::uint32_t row = 0;       // of the read
    std::uint32_t launch = 0;    // that wrote it, counted from the run's first
    std::uint32_t from_row = 0;  // the write, in that launch
    bool operator==(const Carried&) const = default;
};

/// One launch. Columns are equally long, one entry a row.
struct Trace {
    Launch launch;
    /// None: the rows of all blocks are there. Else those of some: operands in others are none, and in `initial` stands
    /// what the kept blocks found of arrays that others wrote before.
    std::optional<Kept> kept;
    std::vector<Array> arrays;
    std::vector<Site> sites;  // sorted
    std::vector<Step> steps;
    std::vector<Values> initial;  // (global arrays, in order of id) contents before the launch
    std::vector<Values> final;    // likewise, after it

    Column<std::uint16_t> step;
    Column<std::uint16_t> site;
    Column<std::uint32_t> block;
    Column<std::uint16_t> thread;
    Column<std::uint32_t>
        index;     // element in the array; of a shuffle, the source lane; of a vote, what it gave; else 0
    Values value;  // read, written, combined or received; of a reduction, the value added
    // Operands, as row numbers, kNoEvent where there is none.
    //   read:      a = the write whose value it saw; none: the array's initial contents, or what atomics made of it
    //   write:     a = the event whose value it stored; none: a literal
    //   reduction: a = likewise
    //   combine:   a, b = left and right operand; of a negation a alone
    //   shuffle:   a = the event in the other lane that made the value
    //   warp_reduce: a = this lane's operand; the rows of its warp at one site in one step are one instruction
    Column<std::int32_t> a;
    Column<std::int32_t> b;
    Column<std::uint16_t> barrier;    // block barriers that the thread had passed
    Column<std::uint16_t> warp_sync;  // warp synchronisations that the thread had passed
    Column<std::uint64_t> bits;       // where an array has a type of its own alone: what a row of such has in place of
                                      // `value`, whose bits are 0 there; of other rows 0
    Column<std::uint32_t> owner;   // of clusters alone: the block whose shared memory it is; else the row's own block
    std::vector<Carried> carried;  // ascending by row

    /// First row of (block, step), of blocks that are held; (blocks * steps + 1,). Derived from the columns by
    /// index_rows().
    std::vector<std::uint32_t> row_begin;

    // Columns end in trace.cpp: without much optimisation a compiler visits each entry, for nothing.
    Trace() = default;
    Trace(const Trace&) = default;
    Trace(Trace&&) = default;
    Trace& operator=(const Trace&) = default;
    Trace& operator=(Trace&&) noexcept;
    ~Trace();

    std::size_t rows() const { return step.size(); }
    /// Whether a block's rows are there.
    bool holds(std::uint32_t block_index) const { return place_of(block_index) != kNowhere; }
    std::size_t blocks_held() const { return kept ? kept->blocks.size() : launch.grid; }
    /// The block that is the i-th of those held.
    std::uint32_t block_held(std::size_t i) const { return kept ? kept->blocks[i] : static_cast<std::uint32_t>(i); }
    Kind kind(std::size_t row) const { return sites[site[row]].kind; }
    std::uint8_t array(std::size_t row) const { return sites[site[row]].array; }
    std::uint16_t line(std::size_t row) const { return sites[site[row]].line; }
    std::string_view op(std::size_t row) const;  // the name of the row's operator
    Type type_of(std::uint8_t array_id) const {
        return array_id == Site::kNoArray ? value.type() : arrays[array_id].type.value_or(value.type());
    }
    /// Whether a row is of an array with a type of its own: no operand of the launch's values, and none of its results.
    bool is_own(std::size_t row) const {
        return !bits.empty() && array(row) != Site::kNoArray && arrays[array(row)].type.has_value();
    }
    /// What a row has, of whatever type.
    std::uint64_t bits_at(std::size_t row) const { return is_own(row) ? bits[row] : value.bits(row); }
    std::string text(std::size_t row) const { return value::value_of(type_of(array(row)), bits_at(row)).text(0); }
    Space space(std::size_t row) const { return arrays[array(row)].space; }
    /// The block whose shared memory a row is about: its own, but for remote accesses.
    std::uint32_t home(std::size_t row) const { return owner.empty() ? block[row] : owner[row]; }
    std::uint32_t warp(std::size_t row) const { return thread[row] / launch.warp_size; }

    struct Range {
        std::uint32_t begin, end;
    };
    /// Rows of one step in one block.
    Range range(std::uint32_t block_index, std::uint32_t step_index) const {
        const std::size_t place = place_of(block_index);
        if (place == kNowhere) return {0, 0};
        const std::size_t at = place * steps.size() + step_index;
        return {row_begin[at], row_begin[at + 1]};
    }
    /// Rows of one block; none where the trace does not hold them.
    Range rows_of(std::uint32_t block_index) const {
        const std::size_t place = place_of(block_index);
        if (place == kNowhere) return {0, 0};
        return {row_begin[place * steps.size()], row_begin[(place + 1) * steps.size()]};
    }

    /// Fills row_begin. Needs rows sorted by (block, step); CHECKs it.
    void index_rows();

private:
    static constexpr std::size_t kNowhere = ~std::size_t{0};
    /// Which of the held blocks a block is.
    std::size_t place_of(std::uint32_t block_index) const {
        if (!kept) return block_index < launch.grid ? block_index : kNowhere;
        const auto at = std::lower_bound(kept->blocks.begin(), kept->blocks.end(), block_index);
        if (at == kept->blocks.end() || *at != block_index) return kNowhere;
        return static_cast<std::size_t>(at - kept->blocks.begin());
    }
};

/// Compares two traces as promised between backends: everything but backend, device, driver and build.
/// returns  empty if equal; else one sentence naming the first difference.
std::string first_difference(const Trace&, const Trace&);

}  // namespace warptree::trace
