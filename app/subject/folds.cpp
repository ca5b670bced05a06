// Folds, found by comparing neighbouring steps.
#include "app/subject/folds.hpp"

#include <algorithm>

namespace warptree::study {
namespace {

constexpr std::size_t kLeastTimes = 4, kLongestPattern = 4;

bool same_lanes(const trace::Trace& t, std::size_t x, std::size_t y) {
    if (t.steps[x].phase != t.steps[y].phase || t.steps[x].stride != t.steps[y].stride) return false;
    for (std::size_t i = 0; i < t.blocks_held(); ++i) {
        const std::uint32_t block = t.block_held(i);
        if (counters::lane_states(t, block, static_cast<std::uint32_t>(x)) !=
            counters::lane_states(t, block, static_cast<std::uint32_t>(y)))
            return false;
    }
    return true;
}

/// Where the repetition of `pattern` steps that begins at `first` ends; `first` where there is none.
std::size_t end_of(const trace::Trace& t, const counters::Summary& cost, std::size_t first, std::size_t pattern) {
    const auto alike = [&](std::size_t x, std::size_t y) {
        return t.steps[x] == t.steps[y] && cost.steps[x] == cost.steps[y];
    };
    std::size_t end = std::min(first + pattern, t.steps.size());
    while (end < t.steps.size() && alike(end, end - pattern)) ++end;
    end -= (end - first) % pattern;
    if (end - first < kLeastTimes * pattern) return first;
    // Lanes last: they are read off all rows
    for (std::size_t step = first + 1; step < first + pattern; ++step)
        if (!same_lanes(t, first, step)) return first;
    std::size_t same = first + pattern;
    while (same < end && same_lanes(t, first, same)) ++same;
    same -= (same - first) % pattern;
    return same - first < kLeastTimes * pattern ? first : same;
}

}  // namespace

std::vector<Fold> folds(const trace::Run& run, const std::vector<counters::Summary>& summaries) {
    std::vector<Fold> out;
    for (std::size_t l = 0; l < run.launches.size(); ++l) {
        const trace::Trace& t = run.launches[l];
        const std::size_t before = run.first_step(l);
        for (std::size_t step = 0; step < t.steps.size();) {
            std::size_t end = step;
            for (std::size_t pattern = 1; end == step && pattern <= kLongestPattern; ++pattern)
                end = end_of(t, summaries[l], step, pattern);
            if (end > step && out.size() < kMostFolds) out.push_back({before + step, before + end});
            step = std::max(end, step + 1);
        }
    }
    return out;
}

Fold row_of(const std::vector<Fold>& folds, std::uint64_t open, std::size_t step) {
    for (std::size_t i = 0; i < folds.size(); ++i)
        if (step >= folds[i].first && step < folds[i].end && (open >> i & 1) == 0) return folds[i];
    return {step, step + 1};
}

}  // namespace warptree::study
