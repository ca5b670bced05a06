// Meetings: what the lanes of a warp do together. Neighbour: executor.cpp runs the lanes.
#include <algorithm>
#include <array>
#include <bit>
#include <memory>

#include "instrumentation/simt/executor.hpp"

namespace warptree::simt {
namespace {

/// The meeting of these lanes: the one they have, or one that all have left.
Meeting& meeting_for(Warp& warp, std::uint32_t mask) {
    Meeting* empty = nullptr;
    for (const auto& meeting : warp.meetings) {
        if (meeting->mask == mask) return *meeting;
        if ((meeting->arrived | meeting->leaving) == 0) empty = meeting.get();
    }
    if (empty == nullptr) empty = warp.meetings.emplace_back(std::make_unique<Meeting>()).get();
    empty->mask = mask;
    return *empty;
}

/// One event a warp synchronisation: that of the lowest of its lanes.
void log_warp_sync(const Block& block, const Lane& lowest, std::uint64_t clock, std::uint16_t line) {
    block.log->add({clock, 0, probe::pack_what(probe::RawKind::kWarpSync, probe::kNoArray, line, lowest.thread()), 0,
                    probe::kNone, probe::kNone});
}

/// Every lane is here: hands over what they brought.
void open(const Block& block, Meeting& meeting, std::uint32_t first_thread, bool is_sync) {
    if (is_sync && !meeting.logged && block.log != nullptr) {  // the lanes below ended after this one arrived
        const Lane& lowest = block.lanes[first_thread + static_cast<std::uint32_t>(std::countr_zero(meeting.arrived))];
        log_warp_sync(block, lowest, lowest.clock - probe::kOneWarpSync, lowest.waiting_line);
    }
    meeting.handed.parcels = meeting.incoming;
    meeting.handed.lanes = meeting.leaving = meeting.arrived;
    meeting.arrived = 0;
    meeting.logged = false;
    ++meeting.generation;
}

/// Where the held lanes of the running block are in the code, by thread.
constexpr std::uint64_t kNotHeld = ~std::uint64_t{0};
thread_local std::array<std::uint64_t, kMaxBlock> places;

/// Of the first warp that has held lanes those go on that are earliest in the code.
/// returns  the first of them
Lane* let_go(Block& block) {
    for (std::uint32_t first = 0; first < block.block_dim.x; first += block.warp_size) {
        const std::uint32_t end = std::min(first + block.warp_size, block.block_dim.x);
        const std::uint64_t earliest = *std::min_element(&places[first], &places[0] + end);
        if (earliest == kNotHeld) continue;
        Lane* lowest = nullptr;
        for (std::uint32_t i = end; i-- > first;)
            if (places[i] == earliest) places[i] = kNotHeld, --block.held, lowest = &block.lanes[i];
        ++block.meetings;
        return lowest;
    }
    return current_lane;
}

}  // namespace

void keep_in_step(std::uint64_t place) {
    Lane* self = current_lane;
    Block& block = *self->block;
    if (block.held++ == 0) std::fill_n(places.begin(), block.block_dim.x, kNotHeld);
    ++block.meetings;
    std::uint64_t& mine = places[self->thread()];
    mine = place;
    while (mine != kNotHeld) {
        const std::uint64_t seen = block.state();
        yield(self);
        if (mine != kNotHeld && block.state() == seen) yield(self, let_go(block));  // all others wait, too
    }
}

std::uint32_t live_mask() {
    const Lane* self = current_lane;
    const Block& block = *self->block;
    const std::uint32_t first = self->thread() / block.warp_size * block.warp_size;
    std::uint32_t mask = 0;
    for (std::uint32_t lane = 0; lane < block.warp_size && first + lane < block.block_dim.x; ++lane)
        if (!block.lanes[first + lane].ended) mask |= 1u << lane;
    return mask;
}

const Handed& meet(std::uint32_t mask, const Parcel& parcel, std::uint16_t line, bool is_sync) {
    Lane* self = current_lane;
    Block& block = *self->block;
    static thread_local Handed alone;
    if (is_sync && block.without_barrier_line == line) return alone;
    const std::uint32_t lane = self->thread() % block.warp_size;
    Meeting& meeting = meeting_for(block.warps[self->thread() / block.warp_size], mask);
    if (is_sync) {
        if (block.log != nullptr && probe::warp_sync_of(self->clock) == kMostCounted) give_up_uncounted(self, line);
        const bool lowest = (mask & live_mask() & ((1u << lane) - 1)) == 0;
        if (lowest && block.log != nullptr) {
            log_warp_sync(block, *self, self->clock, line);
            meeting.logged = true;
        }
        self->clock += probe::kOneWarpSync;
    }
    self->waiting_line = line;
    meeting.incoming[lane] = parcel;
    meeting.arrived |= 1u << lane;
    const std::uint32_t generation = meeting.generation;
    ++block.meetings;
    while (meeting.generation == generation) {
        // Whoever finds the meeting complete opens it; lanes that ended count as present.
        if ((mask & live_mask() & ~meeting.arrived) == 0) {
            open(block, meeting, self->thread() - lane, is_sync);
            end_if_cancelled(self);
            break;
        }
        const std::uint64_t seen = block.state();
        yield(self);
        if (meeting.generation == generation && block.held == 0 && block.state() == seen &&
            (mask & live_mask() & ~meeting.arrived) != 0)
            give_up(self);
    }
    meeting.leaving &= ~(1u << lane);
    ++block.meetings;
    return meeting.handed;
}

}  // namespace warptree::simt
