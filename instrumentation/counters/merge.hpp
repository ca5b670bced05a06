// Counting a launch in pieces: the rows of a large launch are never all there at once. Each piece is counted while its
// rows are at hand; what remains is a few hundred bytes a step, however many blocks there were.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "instrumentation/counters/counters.hpp"

namespace warptree::counters {

/// Who is active in a step, by one of the two meanings of the word.
struct Activity {
    std::uint64_t threads = 0, warps = 0, divergent = 0;

    constexpr void add_warp(std::uint32_t active, std::uint32_t lanes) {
        threads += active;
        warps += active > 0 ? 1 : 0;
        divergent += active > 0 && active < lanes ? 1 : 0;
    }
    Activity& operator+=(const Activity& o) {
        threads += o.threads, warps += o.warps, divergent += o.divergent;
        return *this;
    }
};

/// A step while it is being counted: which meaning of "active" holds is known only when the whole grid has been seen.
struct StepCount {
    Counters cost;
    Activity combining, moving;

    StepCount& operator+=(const StepCount& o) {
        cost += o.cost, combining += o.combining, moving += o.moving;
        return *this;
    }
    Counters finish(bool grid_combines, std::uint32_t warp_size) const;
};

/// Adds up pieces, in any order and in any grouping: the sum is that of count() over the whole launch.
class Merger {
public:
    explicit Merger(std::uint32_t warp_size = 32) : warp_size_(warp_size) {}
    /// Adds blocks [first, last) of a trace that holds their rows.
    /// keys  (trace.steps,) ascending: equal keys name the same step in different pieces, whose tables may differ.
    ///       Steps that leave no row in these blocks are passed over.
    void add(const trace::Trace&, std::uint32_t first, std::uint32_t last, std::span<const std::uint64_t> keys);
    /// Adds what another one has seen of the same launch.
    void add(const Merger&);
    /// Adds what some blocks' rows of one step cost.
    /// line_of_add  whether the step's line is that of an add
    void add(std::uint64_t key, const trace::Step&, bool line_of_add, const StepCount&);

    /// The steps of all pieces, in order of keys. A step's line is the lowest of an add, or else of a row.
    std::vector<trace::Step> steps() const;
    std::vector<std::uint64_t> keys() const;
    Summary summary() const;

    /// A step that two pieces name alike, and of which they do not say the same; none: they agree.
    struct Disagreement {
        trace::Step one, other;
    };
    const std::optional<Disagreement>& disagreement() const { return disagreement_; }

private:
    struct Entry {
        trace::Step step;
        bool line_of_add = false;
        StepCount count;
    };

    std::map<std::uint64_t, Entry> entries_;
    std::uint32_t warp_size_;
    trace::Processor processor_ = trace::Processor::kDevice;
    std::optional<Disagreement> disagreement_;
};

}  // namespace warptree::counters
