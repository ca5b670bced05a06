// Quantities: what reports and panels show of counters, a row each. Their names stand here alone.
#pragma once

#include "instrumentation/counters/counters.hpp"

namespace warptree::counters {

/// A counter, or a sum of some.
struct Quantity {
    std::string_view key;      // as JSON has it
    std::string_view name;     // in panels
    std::string_view heading;  // of a report's column
    std::string_view note;     // a few words more
    std::uint64_t (*of)(const Counters&);
    std::uint64_t operator()(const Counters& c) const { return of(c); }
};

inline constexpr Quantity kActiveThreads{"active_threads", "active threads", "active", "",
                                         [](const Counters& c) { return c.active_threads; }};
inline constexpr Quantity kActiveWarps{"active_warps", "active warps", "warps", "",
                                       [](const Counters& c) { return c.active_warps; }};
inline constexpr Quantity kDivergentWarps{"divergent_warps", "divergent warps", "divergent", "",
                                          [](const Counters& c) { return c.divergent_warps; }};
inline constexpr Quantity kConsumedSlots{"consumed_slots", "consumed slots", "slots", "lanes paid for",
                                         [](const Counters& c) { return c.consumed_slots; }};
inline constexpr Quantity kOperations{"operations", "operations", "adds", "",
                                      [](const Counters& c) { return c.operations; }};
inline constexpr Quantity kRequests{"global_requests", "requests", "requests", "global",
                                    [](const Counters& c) { return c.requests(); }};
inline constexpr Quantity kSegments{"global_segments", "segments", "segments", "128 B, global",
                                    [](const Counters& c) { return c.segments(); }};
inline constexpr Quantity kSectors{"global_sectors", "sectors", "sectors", "32 B, global",
                                   [](const Counters& c) { return c.sectors(); }};
inline constexpr Quantity kAtomicRequests{
    "atomic_requests", "atomic requests", "atomics", "global",
    [](const Counters& c) { return c.global_red.requests + c.global_atom.requests; }};
inline constexpr Quantity kSharedRequests{"shared_requests", "shared requests", "shared", "", [](const Counters& c) {
                                              return c.shared_ld.requests + c.shared_st.requests;
                                          }};
inline constexpr Quantity kBankConflicts{
    "shared_conflicts", "bank conflicts", "conflicts", "shared, extra passes",
    [](const Counters& c) { return c.shared_ld.conflicts + c.shared_st.conflicts; }};
inline constexpr Quantity kBlockBarriers{"barriers", "barriers", "barriers", "of blocks",
                                         [](const Counters& c) { return c.barriers; }};
inline constexpr Quantity kBarriers{"barriers", "barriers", "barriers", "of blocks, clusters",
                                    [](const Counters& c) { return c.barriers + c.cluster_barriers; }};
inline constexpr Quantity kShuffles{"shuffles", "shuffles", "shuffles", "a warp",
                                    [](const Counters& c) { return c.shuffles; }};
inline constexpr Quantity kWarpSyncs{"warp_syncs", "warp syncs", "syncs", "",
                                     [](const Counters& c) { return c.warp_syncs; }};

}  // namespace warptree::counters
