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

/// returns  (sites,) the effect of each site of a trace
std::vector<Effect> effects(const trace::Trace&);

constexpr bool moves_data(Effect effect) {
    return effect <= Effect::kShuffle;
}

constexpr bool combines(Effect effect) {
    return effect == Effect::kCombine || effect == Effect::kWarpReduce;
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
