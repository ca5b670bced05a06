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

}  // namespace warptree::probe
