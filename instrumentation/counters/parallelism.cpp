// Operations at once, step by step.
#include "instrumentation/counters/parallelism.hpp"

#include <algorithm>
#include <numeric>

namespace warptree::counters {

std::uint64_t Parallelism::work() const {
    return std::accumulate(at_once.begin(), at_once.end(), std::uint64_t{0});
}

std::uint64_t Parallelism::peak() const {
    return at_once.empty() ? 0 : *std::max_element(at_once.begin(), at_once.end());
}

double Parallelism::average() const {
    return at_once.empty() ? 0 : static_cast<double>(work()) / static_cast<double>(steps());
}

Parallelism parallelism(std::span<const Summary> launches) {
    Parallelism out;
    std::uint32_t at = 0;
    for (const Summary& summary : launches)
        for (const Counters& step : summary.steps) {
            if (step.operations != 0) {
                out.at_once.push_back(step.operations);
                out.step.push_back(at);
            }
            ++at;
        }
    return out;
}

double speed_up(const Parallelism& slow, const Parallelism& fast) {
    return fast.steps() == 0 ? 0 : static_cast<double>(slow.steps()) / static_cast<double>(fast.steps());
}

}  // namespace warptree::counters
