// Side by side, one after the other: sweeps over the blocks' begins and ends.
#include "app/views/ladder/schedule.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace warptree::study {

using kernels::BlockRun;

namespace {

/// Most blocks at one moment; one that ends as another begins does not run beside it.
std::uint32_t most_at_once(const std::vector<BlockRun>& blocks) {
    std::map<std::uint64_t, std::int64_t> changes;
    for (const BlockRun& block : blocks)
        if (block.begin != block.end) ++changes[block.begin], --changes[block.end];
    std::int64_t now = 0, most = 1;
    for (const auto& [moment, by] : changes) most = std::max(most, now += by);
    return static_cast<std::uint32_t>(most);
}

}  // namespace

ScheduleFacts facts_of(const kernels::Schedule& schedule) {
    ScheduleFacts facts;
    std::map<std::uint32_t, std::uint64_t> last;               // (places that had a block) their last end
    std::map<std::uint32_t, std::vector<std::uint64_t>> free;  // (places) when each lane is
    std::vector<std::size_t> order(schedule.blocks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return schedule.blocks[i].begin; });
    facts.lane.resize(order.size());
    for (const std::size_t i : order) {
        const BlockRun& block = schedule.blocks[i];
        facts.end = std::max(facts.end, block.end);
        facts.tick = std::gcd(std::gcd(facts.tick, block.begin), block.end);
        std::uint64_t& end = last[block.place];
        end = std::max(end, block.end);
        std::vector<std::uint64_t>& lanes = free[block.place];
        auto lane = std::ranges::find_if(lanes, [&](std::uint64_t from) { return from <= block.begin; });
        if (lane == lanes.end()) lane = lanes.insert(lane, 0);
        *lane = block.end;
        facts.lane[i] = static_cast<std::uint32_t>(lane - lanes.begin());
        facts.lanes = std::max(facts.lanes, facts.lane[i] + 1);
    }
    facts.places = static_cast<std::uint32_t>(last.size());
    facts.tail = facts.end;
    for (const auto& [place, end] : last) facts.tail = std::min(facts.tail, end);
    facts.at_once = most_at_once(schedule.blocks);
    facts.waves = (static_cast<std::uint32_t>(schedule.blocks.size()) + facts.at_once - 1) / facts.at_once;
    return facts;
}

std::vector<double> running(const kernels::Schedule& schedule, std::size_t bins) {
    std::vector<double> all(bins);
    std::uint64_t last = 1;
    for (const BlockRun& block : schedule.blocks) last = std::max(last, block.end);
    const double bin = static_cast<double>(last) / static_cast<double>(bins);
    for (const BlockRun& block : schedule.blocks) {
        const double begin = static_cast<double>(block.begin) / bin, end = static_cast<double>(block.end) / bin;
        for (auto i = static_cast<std::size_t>(begin); i < bins && static_cast<double>(i) < end; ++i) {
            const auto at = static_cast<double>(i);
            all[i] += std::min(end, at + 1) - std::max(begin, at);
        }
    }
    return all;
}

}  // namespace warptree::study
