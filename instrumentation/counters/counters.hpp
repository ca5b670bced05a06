// Counters: what each step cost. Pure functions of a trace; every number on screen and in a report comes from here.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "instrumentation/trace/trace.hpp"

namespace warptree::counters {

// What memory is divided into. Source: CUDA C++ Programming Guide, device memory accesses and shared memory
inline constexpr std::uint32_t kSegmentBytes = 128, kSectorBytes = 32;  // of global memory
inline constexpr std::uint32_t kBanks = 32;                             // of shared memory, each 4 bytes wide

/// One kind of access to global memory.
struct Global {
    std::uint64_t requests = 0;  // warp accesses with at least one active lane
    std::uint64_t segments = 0;  // distinct 128-byte lines over each access's lanes; the book's "memory requests"
    std::uint64_t sectors = 0;   // distinct 32-byte pieces
    std::uint64_t bytes = 0;     // bytes the lanes asked for, a cell counted once an access
    constexpr Global& operator+=(const Global& o) {
        requests += o.requests, segments += o.segments, sectors += o.sectors, bytes += o.bytes;
        return *this;
    }
    bool operator==(const Global&) const = default;
};

/// One kind of access to shared memory.
struct Shared {
    std::uint64_t requests = 0;
    std::uint64_t conflicts = 0;  // passes beyond the first
    constexpr Shared& operator+=(const Shared& o) {
        requests += o.requests, conflicts += o.conflicts;
        return *this;
    }
    bool operator==(const Shared&) const = default;
};

/// Cost of one step, of one block's step, or a sum of several. Members stand in the order of trace::kTotalNames.
struct Counters {
    std::uint64_t active_threads = 0;   // threads that combine; in steps without a combine: that move data
    std::uint64_t active_warps = 0;     // warps with an active thread
    std::uint64_t divergent_warps = 0;  // active warps with an idle lane
    std::uint64_t consumed_slots = 0;   // warp size x active warps
    std::uint64_t operations = 0;       // combines by the launch's operator; of a reduction of k lanes, k - 1
    std::uint64_t barriers = 0;         // __syncthreads, once a block
    std::uint64_t warp_syncs = 0;       // __syncwarp, once a warp
    std::uint64_t shuffles = 0;         // warp-level shuffle instructions
    std::uint64_t warp_reductions = 0;  // warp-level reduction instructions
    Global global_ld, global_st, global_red;
    Global global_atom;  // atomics whose old value is used: tickets
    Shared shared_ld, shared_st;
    std::uint64_t remote_ld = 0;         // warp loads from the shared memory of other blocks of the cluster
    std::uint64_t cluster_barriers = 0;  // cluster.sync(), once a block
    Counters& operator+=(const Counters&);
    bool operator==(const Counters&) const = default;

    /// operations / consumed slots; 0 where no slot was consumed.
    double efficiency() const;
    std::uint64_t segments() const {
        return global_ld.segments + global_st.segments + global_red.segments + global_atom.segments;
    }
    std::uint64_t requests() const {
        return global_ld.requests + global_st.requests + global_red.requests + global_atom.requests;
    }
    std::uint64_t sectors() const {
        return global_ld.sectors + global_st.sectors + global_red.sectors + global_atom.sectors;
    }
};

/// Everything counted over one trace.
struct Summary {
    std::vector<Counters> steps;  // over the whole grid, in order of steps
    Counters totals;              // sum of steps
    Counters tree;                // sum of the steps in which the parallel tree (or scan) runs: not load, not output
    bool operator==(const Summary&) const = default;
};

/// Whether a phase is of the tree or scan itself: neither load nor output.
constexpr bool is_tree(trace::Phase phase) {
    return phase != trace::Phase::kLoad && phase != trace::Phase::kOutput;
}

/// Of a trace that does not hold all rows: what it says that they cost.
Summary count(const trace::Trace&);

/// The same for one block alone, whose rows the trace has to hold.
Summary count_block(const trace::Trace&, std::uint32_t block);

/// A step's counters as a trace stores them, and back: a list of numbers in the order of trace::kTotalNames.
static_assert(sizeof(Counters) == sizeof(trace::StepTotals), "a counter was added: give it a name in kTotalNames");
constexpr trace::StepTotals totals_of(const Counters& counters) {
    return std::bit_cast<trace::StepTotals>(counters);
}
constexpr Counters counters_of(const trace::StepTotals& totals) {
    return std::bit_cast<Counters>(totals);
}

/// How a lane spends a step.
enum class LaneState : std::uint8_t {
    kActive,    // it is one of the active threads
    kDiverged,  // idle while its warp is active: its slot is consumed
    kIdleWarp,  // its whole warp is idle: no slot is consumed
};

/// State of every thread of one block in one step.
/// returns  (block size,)
std::vector<LaneState> lane_states(const trace::Trace&, std::uint32_t block, std::uint32_t step);

/// One warp access: the rows that one warp executed together at one site.
struct Access {
    std::uint16_t site = 0;
    std::uint32_t warp = 0;
    std::vector<std::uint32_t> rows;  // one a lane, in order of lanes; of a wide access that of its first element
};

/// Every access of one block in one step, in order of (warp, site). Reads, writes, reductions and shuffles.
std::vector<Access> accesses(const trace::Trace&, std::uint32_t block, std::uint32_t step);

/// returns  (accesses,) what each adds to the counters of its step: one of the kinds of memory access, or a shuffle.
///          Over all accesses of a step they add up to its requests, segments, sectors, bytes and conflicts.
std::vector<Counters> access_costs(const trace::Trace&, std::span<const Access>);

}  // namespace warptree::counters
