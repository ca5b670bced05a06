// The figures of a comparison: which counters, which way is better, how they read.
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "app/scene/compare.hpp"
#include "app/study/flows.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

using Better = Figure::Better;

/// A figure that is one number of counters::Counters, or a sum of some, over all steps.
template <auto Get>
double counted_all(const Tally& t) {
    return static_cast<double>(Get(t.all));
}

double efficiency(const Tally& t) {
    return t.useful.slots == 0 ? std::numeric_limits<double>::quiet_NaN() : t.useful.efficiency();
}
double tree_efficiency(const Tally& t) {
    return t.tree.consumed_slots == 0 ? std::numeric_limits<double>::quiet_NaN() : t.tree.efficiency();
}
double steps(const Tally& t) {
    return static_cast<double>(t.steps);
}

using C = counters::Counters;
constexpr auto kSlots = [](const C& c) { return c.consumed_slots; };
constexpr auto kDivergentWarps = [](const C& c) { return c.divergent_warps; };
constexpr auto kSegments = [](const C& c) { return c.segments(); };
constexpr auto kConflicts = [](const C& c) { return c.shared_ld.conflicts + c.shared_st.conflicts; };
constexpr auto kBarriers = [](const C& c) { return c.barriers + c.cluster_barriers; };
constexpr auto kSectors = [](const C& c) { return c.sectors(); };
constexpr auto kRequests = [](const C& c) { return c.requests(); };
constexpr auto kSharedRequests = [](const C& c) { return c.shared_ld.requests + c.shared_st.requests; };
constexpr auto kShuffles = [](const C& c) { return c.shuffles; };
constexpr auto kWarpSyncs = [](const C& c) { return c.warp_syncs; };
constexpr auto kOperations = [](const C& c) { return c.operations; };
constexpr auto kActiveWarps = [](const C& c) { return c.active_warps; };
constexpr auto kActiveThreads = [](const C& c) { return c.active_threads; };

constexpr Figure kFigures[] = {
    {"efficiency", "efficiency", "useful, of slots that add", Better::kMore, true, Role::kActive, Fill::kSolid,
     efficiency},
    {"consumed slots", "consumed_slots", "lanes paid for", Better::kLess, false, Role::kActive, Fill::kSolid,
     counted_all<kSlots>, true},
    {"segments", "global_segments", "128 B, global", Better::kLess, false, Role::kSegment, Fill::kSolid,
     counted_all<kSegments>},
    {"divergent warps", "divergent_warps", "", Better::kLess, false, Role::kDivergent, Fill::kHatched,
     counted_all<kDivergentWarps>},
    {"bank conflicts", "shared_conflicts", "shared, extra passes", Better::kLess, false, Role::kDivergent,
     Fill::kHatched, counted_all<kConflicts>},
    {"barriers", "barriers", "of blocks, clusters", Better::kLess, false, Role::kIdle, Fill::kSolid,
     counted_all<kBarriers>},
    {"steps", "steps", "", Better::kLess, false, Role::kIdle, Fill::kSolid, steps},
    {"sectors", "global_sectors", "32 B, global", Better::kLess, false, Role::kSegment, Fill::kSolid,
     counted_all<kSectors>},
    {"requests", "global_requests", "global", Better::kLess, false, Role::kSegment, Fill::kSolid,
     counted_all<kRequests>},
    {"shared requests", "shared_requests", "", Better::kNeither, false, Role::kSegment, Fill::kSolid,
     counted_all<kSharedRequests>},
    {"shuffles", "shuffles", "a warp", Better::kNeither, false, Role::kIdle, Fill::kSolid, counted_all<kShuffles>},
    {"warp syncs", "warp_syncs", "", Better::kNeither, false, Role::kIdle, Fill::kSolid, counted_all<kWarpSyncs>},
    {"operations", "operations", "", Better::kNeither, false, Role::kActive, Fill::kSolid, counted_all<kOperations>},
    {"active warps", "active_warps", "", Better::kLess, false, Role::kActive, Fill::kSolid, counted_all<kActiveWarps>},
    {"active threads", "active_threads", "", Better::kNeither, false, Role::kActive, Fill::kSolid,
     counted_all<kActiveThreads>},
    {"book's efficiency", "tree_efficiency", "all adds, tree alone", Better::kNeither, true, Role::kActive,
     Fill::kSolid, tree_efficiency},
};

}  // namespace

std::span<const Figure> figures() {
    return kFigures;
}

std::string Figure::text(double value) const {
    if (std::isnan(value)) return "–";
    return share ? percent(value) : grouped(static_cast<std::uint64_t>(value));
}

std::vector<bool> better(const Figure& figure, std::span<const double> values) {
    std::vector<bool> flags(values.size(), false);
    if (figure.better == Better::kNeither) return flags;
    double best = std::numeric_limits<double>::quiet_NaN();
    bool differ = false;
    for (const double value : values) {
        if (std::isnan(value)) continue;
        differ = differ || (!std::isnan(best) && value != best);
        const bool wins = figure.better == Better::kLess ? value < best : value > best;
        if (std::isnan(best) || wins) best = value;
    }
    for (std::size_t i = 0; i < values.size(); ++i) flags[i] = differ && values[i] == best;
    return flags;
}

std::string ratio_text(double value, double base) {
    if (std::isnan(value) || std::isnan(base)) return "–";
    if (value == base) return "=";
    if (base == 0) return "–";
    if (value == 0) return "0×";
    const double ratio = value / base;
    return ratio >= 100 ? fmt::format("{:.0f}×", ratio) : fmt::format("{:.{}f}×", ratio, ratio >= 10 ? 1 : 2);
}

}  // namespace warptree::scene
