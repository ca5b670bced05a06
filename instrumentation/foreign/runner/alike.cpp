// Launches too large to keep each event of: of blocks that did alike the first is kept, and how many they are.
#include <algorithm>
#include <span>
#include <utility>

#include "instrumentation/counters/merge.hpp"
#include "instrumentation/foreign/runner/state.hpp"
#include "instrumentation/record/canonical.hpp"

namespace warptree::foreign {
namespace {

constexpr std::uint64_t kMostEvents = 6'000'000;  // kept, 192 MB

/// What a block did, as a number: blocks with the same one cost the same. Cells of global memory count from the first
/// 128 bytes that the block touches of the array on, and what others made is as good as any.
std::uint64_t shape_of(LaunchRecord& launch, std::uint32_t block, std::span<const RawEvent> events) {
    constexpr std::uint32_t kAligned = 32;  // elements
    std::uint32_t first[probe::kFirstShared];
    std::ranges::fill(first, kNone);
    std::uint64_t shape = events.size();
    const auto mix = [&](std::uint64_t word) {
        shape = (shape ^ word) * 0x9e3779b97f4a7c15u;
        shape ^= shape >> 29;
    };
    for (const RawEvent& event : events) {
        const RawKind kind = probe::kind_of(event.what);
        const std::uint32_t number = probe::array_of(event.what);
        std::uint32_t index = event.index, a = event.a, b = event.b;
        const bool reads = probe::is_read(kind);
        if ((reads || probe::stores(kind)) && number < probe::kFirstShared) {
            if (first[number] == kNone) first[number] = index & ~(kAligned - 1);
            if (reads && a == kNone)
                launch.arrays[number].read_end = std::max(launch.arrays[number].read_end, index + 1);
            index -= first[number];
        }
        if (reads) a = a == kNone || b == block ? a : 0, b = 0;
        mix(event.what | std::uint64_t{index} << 32);
        mix(event.clock);
        mix(a | std::uint64_t{b} << 32);
    }
    return shape;
}

void add_alike(LaunchRecord& launch, std::uint32_t block, std::span<const RawEvent> events) {
    const auto [known, fresh] = launch.shapes.try_emplace(shape_of(launch, block, events), launch.logs.size());
    if (!fresh) {
        ++launch.logs[known->second].times;
        return;
    }
    launch.logs.push_back({block, {events.begin(), events.end()}});
    launch.events += events.size();
    state().events += events.size();
}

void keep_alike(LaunchRecord& launch) {
    state().events -= std::exchange(launch.events, 0);
    launch.alike = true;
    for (const RawBlock& block : std::exchange(launch.logs, {})) add_alike(launch, block.block, block.events);
}

}  // namespace

bool fills(std::span<const RawEvent> events) {
    return std::ranges::none_of(events, [](const RawEvent& event) {
        const RawKind kind = probe::kind_of(event.what);
        return kind == RawKind::kOwnReduction || (probe::stores(kind) && event.a != kNone);
    });
}

void forget(LaunchRecord& launch) {
    if (&launch == state().now && !launch.logs.empty())
        launch.generates = std::ranges::all_of(launch.logs, [](const RawBlock& one) { return fills(one.events); });
    state().events -= std::exchange(launch.events, 0);
    launch.logs = {};
    launch.kept = false;
    if (&launch == state().now)
        state().recording = false;  // the rest runs, and leaves nothing
    else
        for (Touched& array : launch.arrays) array.before = array.after = {};
}

bool is_again(const LaunchRecord& one, const LaunchRecord& other) {
    return one.function == other.function && one.line == other.line && one.grid == other.grid &&
           one.block == other.block && one.words == other.words;
}

void make_room() {
    State& all = state();
    for (std::size_t i = 0; i < all.launches.size() && all.events > kMostEvents; ++i)  // of a loop the first turns
        if (LaunchRecord& launch = all.launches[i];
            !launch.logs.empty() && !launch.words.empty() &&
            std::any_of(all.launches.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.launches.end(),
                        [&](const LaunchRecord& later) { return is_again(launch, later); }))
            forget(launch);
    while (all.events > kMostEvents) {
        LaunchRecord* largest = nullptr;
        for (LaunchRecord& launch : all.launches)
            if (!launch.alike && launch.logs.size() > 1 && (largest == nullptr || launch.events > largest->events))
                largest = &launch;
        if (largest == nullptr) break;
        keep_alike(*largest);
    }
    for (LaunchRecord& launch : all.launches)
        if (all.events > kMostEvents && !launch.logs.empty()) forget(launch);
}

void keep_block(std::uint32_t block, const probe::BlockLog& log) {
    if (!state().recording) return;
    LaunchRecord& launch = *state().now;
    if (launch.alike) {
        add_alike(launch, block, {log.data(), log.size()});
    } else {
        launch.logs.push_back({block, {log.data(), log.data() + log.size()}});
        launch.events += log.size();
        state().events += log.size();
    }
    make_room();
}

void count_blocks(record::Piece& piece, const LaunchRecord& launch) {
    counters::Merger all;
    for (const RawBlock& block : launch.logs) {
        counters::Merger one;
        one.add(piece.trace, block.block, block.block + 1, piece.keys);
        for (std::uint64_t times = block.times; times > 0; times /= 2) {
            if (times % 2 != 0) all.add(one);
            one.add(counters::Merger(one));
        }
    }
    const std::vector<std::uint64_t> keys = all.keys();
    const counters::Summary summary = all.summary();
    for (const std::uint64_t key : piece.keys) {
        const auto found = std::ranges::find(keys, key);
        const auto step = static_cast<std::size_t>(found - keys.begin());
        piece.trace.kept->totals.push_back(found == keys.end() ? trace::StepTotals()
                                                               : counters::totals_of(summary.steps[step]));
    }
    piece.trace.kept->keys = piece.keys;
}

void look_at_size() {
    const probe::BlockLog& log = *simt::current_lane->block->log;
    if (!state().recording || log.size() <= kMostEvents) return;
    state().recording = false;  // of this block on; if it goes round for ever, those before are kept
    state().now->overflowed = true;
    const std::span<const RawEvent> events(log.data(), log.size());
    const auto tells = [](const RawEvent& event) {
        return probe::stores(probe::kind_of(event.what)) && probe::array_of(event.what) < probe::kFirstShared;
    };
    state().now->generates = std::ranges::any_of(events, tells) && fills(events);  // by now
}

}  // namespace warptree::foreign
