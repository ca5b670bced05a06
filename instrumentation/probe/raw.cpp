// The block log's slow path.
#include "instrumentation/probe/raw.hpp"

#include <algorithm>

namespace warptree::probe {

void BlockLog::grow() {
    const std::size_t used = end_ == nullptr ? 0 : static_cast<std::size_t>(end_ - events_.data());
    events_.resize(std::max<std::size_t>(4096, events_.size() * 2));
    end_ = events_.data() + used;
    limit_ = events_.data() + events_.size();
}

void BlockLog::first_or_lower(std::vector<Once>& all, std::uint32_t& seen, std::uint32_t ordinal,
                              const RawEvent& event) {
    if (ordinal < seen && all[ordinal].index != event.index) {
        add(event);
        return;
    }
    if (ordinal < seen) {
        all[ordinal].thread = thread_of(event.what);
        events_[all[ordinal].position] = event;
        return;
    }
    if (all.size() <= ordinal) all.resize(ordinal + 1);
    all[ordinal] = {thread_of(event.what), add(event), event.index};
    seen = ordinal + 1;
}

}  // namespace warptree::probe
