// Grouping: which rows of a step one warp executed together. Internal to the counters.
//
// Rows of a step are sorted by thread, so a warp's rows lie side by side; within them, equal sites are one access.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "instrumentation/trace/trace.hpp"

namespace warptree::counters {

inline constexpr std::uint32_t kNoThread = 0xffffffffu;

/// What a row counts as: its site's kind and space in one word.
enum class Effect : std::uint8_t {
    kGlobalLoad,
    kGlobalStore,
    kGlobalReduction,
    kGlobalAtomic,
    kSharedLoad,
    kRemoteLoad,   // from the shared memory of another block
    kSharedStore,  // reductions on shared memory too: they occupy the banks once, like a store
    kShuffle,
    kWarpReduce,
    kCombine,
    kOwnWarpReduce,  // by an operator of its own, not the launch's: the instruction counts, operations do not
    kNothing,        // other combines by operators of their own, and votes
    kBarrier,
    kClusterBarrier,
    kWarpSync,
};

/// What rows at a place count as.
/// shared  their array is in shared memory
/// remote  of another block
/// adds    as Site::adds()
constexpr Effect effect_of(trace::Kind kind, bool shared, bool remote, bool adds) {
    switch (kind) {
        case trace::Kind::kRead:
            if (remote) return Effect::kRemoteLoad;
            return shared ? Effect::kSharedLoad : Effect::kGlobalLoad;
        case trace::Kind::kWrite:
            return shared ? Effect::kSharedStore : Effect::kGlobalStore;
        case trace::Kind::kReduction:
            return shared ? Effect::kSharedStore : Effect::kGlobalReduction;
        case trace::Kind::kTicket:
            return Effect::kGlobalAtomic;
        case trace::Kind::kWarpReduce:
            return adds ? Effect::kWarpReduce : Effect::kOwnWarpReduce;
        case trace::Kind::kCombine:
            return adds ? Effect::kCombine : Effect::kNothing;
        case trace::Kind::kVote:
            return Effect::kNothing;
        case trace::Kind::kShuffle:
            return Effect::kShuffle;
        case trace::Kind::kBarrier:
            return Effect::kBarrier;
        case trace::Kind::kClusterBarrier:
            return Effect::kClusterBarrier;
        case trace::Kind::kWarpSync:
            break;
    }
    return Effect::kWarpSync;
}

/// returns  (sites,) the effect of each site of a trace
std::vector<Effect> effects(const trace::Trace&);

constexpr bool moves_data(Effect effect) {
    return effect <= Effect::kShuffle;
}

constexpr bool combines(Effect effect) {
    return effect == Effect::kCombine || effect == Effect::kWarpReduce;
}

/// Whether a warp's rows at a place are one instruction.
constexpr bool is_access(Effect effect) {
    return moves_data(effect) || effect == Effect::kWarpReduce || effect == Effect::kOwnWarpReduce;
}

/// Whether any thread of the grid combines in a step: such a step counts the combining threads as active.
bool combines(const trace::Trace&, std::uint32_t step);

/// Whether a row is the first, and mostly the only one, of its lane's access.
inline bool begins_access(const trace::Trace& trace, std::size_t row) {
    const std::uint16_t width = trace.sites[trace.site[row]].width;
    return width == 1 || trace.index[row] % width == 0;
}

/// Lanes that exist in a warp of a block: all of them, but for a last warp that the block does not fill.
std::uint32_t lanes_of(const trace::Launch&, std::uint32_t warp);

/// The accesses of one warp in one step, gathered row by row. Reused from warp to warp, so that it allocates once.
class Gather {
public:
    static constexpr std::uint32_t kMostLanes = 32;

    struct Group {
        std::uint16_t site = 0;
        std::uint32_t count = 0;
        std::uint32_t last_thread = 0;
        std::array<std::uint32_t, kMostLanes> rows;  // (count,) in order of lanes
    };

    explicit Gather(std::size_t sites) : group_of_(sites, Place{0, 0}) {}

    void begin_warp() {
        used_ = 0;
        ++stamp_;
    }
    /// Adds a row; threads have to come in ascending order. A lane that is at one site twice makes two accesses.
    void add(std::uint16_t site, std::uint32_t thread, std::uint32_t row) {
        Place& place = group_of_[site];
        if (place.stamp != stamp_ || is_taken(groups_[place.group], thread)) [[unlikely]]
            place = open(site);
        Group& group = groups_[place.group];
        group.rows[group.count++] = row;
        group.last_thread = thread;
    }
    std::span<const Group> groups() const { return {groups_.data(), used_}; }

private:
    struct Place {
        std::uint32_t stamp, group;
    };
    static bool is_taken(const Group& group, std::uint32_t thread) {
        return group.last_thread == thread || group.count == kMostLanes;
    }
    Place open(std::uint16_t site);

    std::vector<Place> group_of_;  // (sites,) the open group, valid where the stamp is the present one
    std::vector<Group> groups_;
    std::size_t used_ = 0;
    std::uint32_t stamp_ = 0;
};

}  // namespace warptree::counters
