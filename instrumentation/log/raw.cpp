// The block log's slow path.
#include "instrumentation/log/raw.hpp"

#include <algorithm>

namespace warptree::probe {
namespace {

constexpr std::size_t kEventsBetween = 65536;  // a tenth of a millisecond

}  // namespace

void BlockLog::grow() {
    if (between_events != nullptr) between_events();
    if (drops_) return drop();
    const std::size_t used = end_ == nullptr ? 0 : static_cast<std::size_t>(end_ - events_.data());
    if (used == events_.size()) events_.resize(std::max<std::size_t>(4096, events_.size() * 2));
    go_on_at(used);
}

void BlockLog::go_on_at(std::size_t used) {
    end_ = events_.data() + used;
    limit_ = end_ + std::min(events_.size() - used, kEventsBetween);
}

void BlockLog::drop() {
    for (const RawEvent* event = events_.data(); event != end_; ++event) {
        if (kind_of(event->what) == RawKind::kMarker) continue;
        ++dropped_.events;
        if (!is_add(event->what)) continue;
        const std::uint32_t thread = thread_of(event->what);
        if (adds_.size() <= thread) adds_.resize(thread + 1);
        dropped_.most_adds = std::max(dropped_.most_adds, ++adds_[thread]);
    }
    end_ = events_.data();
}

BlockLog::Tally BlockLog::tally() {
    drop();
    return dropped_;
}

void BlockLog::note_shared(std::uint32_t ordinal, const void* data, std::uint32_t extent) {
    Shared& known = shared_[ordinal];
    if (data != nullptr && known.data != nullptr) {
        two_shared = {ordinal, known.extent, extent};
    } else if (data != nullptr || known.extent == 0) {
        known = {data, extent};
    }
}

void BlockLog::once(std::vector<Once>& all, std::uint32_t& seen, std::uint32_t ordinal, const RawEvent& event) {
    const std::uint32_t thread = thread_of(event.what);
    if (ordinal >= seen) {
        if (all.size() <= ordinal) all.resize(ordinal + 1);
        all[ordinal] = {thread, add(event), event.index};
        seen = ordinal + 1;
    } else if (all[ordinal].index != event.index) {
        add(event);
    } else if (thread < all[ordinal].thread) {
        all[ordinal].thread = thread;
        events_[all[ordinal].position] = event;
    }
}

void BlockLog::barrier(std::uint32_t thread, std::uint32_t line, std::uint64_t clock, RawKind kind) {
    once(barriers_, barriers_seen_, barrier_of(clock),
         {clock, 0, pack_what(kind, kNoArray, line, thread), 0, kNone, kNone});
}

void BlockLog::note_marker(std::uint32_t thread, std::uint32_t line, std::uint64_t clock, std::uint32_t stride,
                           std::uint32_t phase) {
    once(markers_, markers_seen_, marker_of(clock) - 1,
         {clock, 0, pack_what(RawKind::kMarker, kNoArray, line, thread), stride, phase, kNone});
    last_marker_ = {clock, stride};
}

}  // namespace warptree::probe
