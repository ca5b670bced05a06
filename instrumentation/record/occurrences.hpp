// Which of the equal things that a thread does in a step an event is.
#pragma once

#include <cstdint>
#include <unordered_map>

namespace warptree::record {

/// How often a thread came by a place before, in one step. Most come by few: these are looked through; the rest is
/// counted as it grows.
class Occurrences {
public:
    /// [begin, end)  what the thread did in the step before
    /// at            (of these) the place
    template <class At>
    std::uint32_t before(std::uint32_t place, std::uint32_t begin, std::uint32_t end, At&& at) {
        std::uint32_t count = 0;
        if (end - begin <= kFew) {
            for (std::uint32_t i = begin; i < end; ++i) count += at(i) == place;
            return count;
        }
        if (begin != begin_ || counted_ >= end) {  // another thread, or another step
            counts_.clear();
            begin_ = counted_ = begin;
        }
        for (; counted_ < end; ++counted_) ++counts_[at(counted_)];
        const auto found = counts_.find(place);
        return found == counts_.end() ? 0 : found->second;
    }

private:
    static constexpr std::uint32_t kFew = 64;
    std::uint32_t begin_ = 0, counted_ = 0;
    std::unordered_map<std::uint32_t, std::uint32_t> counts_;  // by place
};

}  // namespace warptree::record
