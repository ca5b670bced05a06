// What the rows of one warp cost. Internal to the counters, and to those that count before there are rows, on a GPU
// too.
#pragma once

#include "instrumentation/counters/access.hpp"
#include "instrumentation/counters/pattern.hpp"

namespace warptree::counters {

inline constexpr std::uint32_t kHalfWarp = 16;     // lanes
inline constexpr std::uint32_t kCounterBytes = 4;  // of the unsigned that tickets are drawn from

/// The elements that the lanes of one access touch, in order of lanes; of wide ones the first of each.
struct Touched {
    std::span<std::uint32_t> elements;  // put in another order when they are counted
    std::uint32_t low = 0;              // how many of the lanes are in the lower half of the warp; of 8 bytes alone
    std::uint32_t size = 4;             // bytes an element
    std::uint32_t width = 1;            // elements a lane
};

constexpr void add_global(const Touched& access, Global& cost) {
    const std::uint32_t size = access.size * access.width;
    if (access.width != 1)
        for (std::uint32_t& element : access.elements) element /= access.width;
    const Footprint touched = footprint(access.elements, size);
    cost += {1, touched.segments, touched.sectors, std::uint64_t{touched.cells} * size};
}

/// Elements of 8 bytes are served half a warp at a time: each half has a first pass of its own.
constexpr void add_shared(const Touched& access, Shared& cost) {
    const auto all = access.elements;
    if (access.size <= 4) {
        cost += {1, conflicts(all, access.size)};
    } else {
        cost += {1, conflicts(all.first(access.low), access.size) + conflicts(all.subspan(access.low), access.size)};
    }
}

/// Adds what one access costs, of those that are one: is_access().
constexpr void add_access(Effect effect, const Touched& access, Counters& cost) {
    switch (effect) {
        case Effect::kGlobalLoad:
            return add_global(access, cost.global_ld);
        case Effect::kGlobalStore:
            return add_global(access, cost.global_st);
        case Effect::kGlobalReduction:
            return add_global(access, cost.global_red);
        case Effect::kGlobalAtomic:
            cost.global_atom += {1, 1, 1, kCounterBytes};  // all lanes count at one place
            return;
        case Effect::kSharedLoad:
            return add_shared(access, cost.shared_ld);
        case Effect::kRemoteLoad:
            ++cost.remote_ld;
            return;
        case Effect::kSharedStore:
            return add_shared(access, cost.shared_st);
        case Effect::kWarpReduce:
            cost.operations += access.elements.size() - 1;
            [[fallthrough]];
        case Effect::kOwnWarpReduce:
            ++cost.warp_reductions;
            return;
        default:
            ++cost.shuffles;
    }
}

/// Adds what rows cost that are no accesses.
constexpr void add_rows(Effect effect, std::uint64_t rows, Counters& cost) {
    switch (effect) {
        case Effect::kCombine:
            cost.operations += rows;
            return;
        case Effect::kBarrier:
            cost.barriers += rows;
            return;
        case Effect::kClusterBarrier:
            cost.cluster_barriers += rows;
            return;
        case Effect::kWarpSync:
            cost.warp_syncs += rows;
            return;
        default:
            return;
    }
}

}  // namespace warptree::counters
