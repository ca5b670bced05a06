// Up to four runs on one timeline, in step or by time, and what each has cost so far.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/subject/subject.hpp"

namespace warptree::study {

inline constexpr std::size_t kMostColumns = 4;

/// What a run has cost up to a position.
struct Tally {
    counters::Counters all;   // every step
    counters::Counters tree;  // the tree's steps: what books count efficiency over
    Useful useful;
    std::size_t steps = 0;
};

using Tallies = std::vector<Tally>;

/// One to four runs on one timeline. In step: a moment is a step of every run. By time: one scheduler issues the work
/// of one warp at a time, so a step takes as long as it has active warps (at least 1), and a moment is the end of any
/// run's step. Immutable.
class Comparison {
public:
    using Columns = std::vector<std::shared_ptr<const Subject>>;
    /// columns  at least one, none null
    explicit Comparison(Columns columns, bool by_time = false);

    std::size_t size() const { return columns_.size(); }
    const Subject& column(std::size_t i) const { return *columns_[i]; }
    /// Steps of all launches of a column's run, and what one of them cost.
    std::size_t steps(std::size_t column) const { return ends_[column].size(); }
    const counters::Counters& cost(std::size_t column, std::size_t step) const {
        return columns_[column]->facts->cost(step);
    }
    const Useful& useful(std::size_t column, std::size_t step) const { return columns_[column]->facts->useful[step]; }
    const Columns& columns() const { return columns_; }
    bool by_time() const { return by_time_; }
    /// Moments after the first, which is before the launch: positions are 0..moments().
    std::size_t moments() const { return stops_.size() - 1; }
    /// When a moment is, in units of the timeline: steps, or warps issued.
    std::uint64_t time(std::size_t moment) const { return stops_[std::min(moment, moments())]; }
    /// When a column's step begins and ends.
    std::uint64_t begin(std::size_t column, std::size_t step) const { return step == 0 ? 0 : ends_[column][step - 1]; }
    std::uint64_t end(std::size_t column, std::size_t step) const { return ends_[column][step]; }
    /// The launch that a column shows at a moment, and where that stands.
    struct Shown {
        const Subject& subject;
        Playhead at;
    };
    Shown shown(std::size_t column, Playhead moment) const;
    /// Where one column stands at a moment, counted over all its launches. A column whose step has not ended yet rests
    /// at the step before.
    Playhead at(std::size_t column, Playhead moment) const;
    /// Whether a column's last step ended before a moment: it waits for the others.
    bool finished(std::size_t column, std::size_t moment) const;
    /// The first moment at which a column has done so many steps.
    std::size_t moment_of(std::size_t column, std::size_t position) const;
    /// The nearest moment after and before one at which any column's phase changes, or an end.
    std::size_t next_phase(std::size_t moment) const;
    std::size_t previous_phase(std::size_t moment) const;

private:
    std::size_t position(std::size_t column, std::size_t moment) const;
    bool phase_changes_after(std::size_t moment) const;

    Columns columns_;
    std::vector<Columns> launches_;  // (column, launch)
    bool by_time_;
    std::vector<std::vector<std::uint64_t>> ends_;  // (column, step)
    std::vector<std::uint64_t> stops_;              // (moments + 1,), ascending from 0
};

/// position  counted over all launches of the subject's run
Tally tally(const Subject&, std::size_t position);

/// What a run's kernel gave, and what would be right where that is wrong.
std::string result_text(const Subject&);
/// The letter of a column: "A" to "D".
std::string column_tag(std::size_t column);
/// Of a column's launch, what is not the same in all of them: "N 32 · warp 4"; "" where all is.
std::string differences(const Comparison&, std::size_t column);

}  // namespace warptree::study
