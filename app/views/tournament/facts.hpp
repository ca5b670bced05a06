// A tournament, PMPP Fig. 10.4, from a trace: a bracket whose matches are the combines of the kernel
// `tournament`, the venues (threads) that they were played at, and what other numbers of venues would have taken.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/subject/rerun.hpp"
#include "app/subject/subject.hpp"
#include "instrumentation/value/world_cup.hpp"

namespace warptree::study {

/// One place of the bracket: a team at the start, or whoever is left of it after some rounds.
struct Entry {
    std::uint32_t index = 0;               // of the input element whose place it takes
    std::int64_t row = -1;                 // the combine that decided it; -1: a team at the start, or a bye
    std::uint32_t step = 0, venue = 0;     // of that combine
    std::int32_t first = -1, second = -1;  // those who met, in the level below; second -1: a bye
};

/// levels[0] are the teams; levels[r] who is left after round r. Empty where the trace is none of a tournament.
struct Bracket {
    std::vector<std::vector<Entry>> levels;
    std::size_t rounds() const { return levels.empty() ? 0 : levels.size() - 1; }
};
Bracket bracket(const Subject&);

/// Whether a run is one of the kernel `tournament`.
inline bool is_tournament(const Subject& s) {
    return s.trace.launch.kernel == "tournament";
}

/// What a number of venues takes: recorded.
struct VenueRun {
    std::uint32_t venues = 1;
    std::uint32_t steps = 0;  // in which matches are played
    std::uint64_t matches = 0;
    /// Matches over the places that they could have been played at.
    double used() const { return static_cast<double>(matches) / (static_cast<double>(steps) * venues); }
};
VenueRun venue_run(const trace::Launch&, const counters::Summary&);

struct TournamentStudy {
    std::shared_ptr<const Subject> subject;
    Bracket bracket;
    std::vector<std::uint32_t> venues;  // the slider's stops, ascending; the subject's own is one of them
    std::vector<VenueRun> runs;         // of each stop; or of the subject alone, where N is large
    std::string problem;                // why there is no bracket
};
std::shared_ptr<const TournamentStudy> study_tournament(std::shared_ptr<const Subject>, const kernels::Request&,
                                                        const Recorder& record = {});

/// A team by its name or code, another operator's value as text.
std::string entrant(const Subject&, std::int64_t row, std::uint32_t index, bool code = false);
/// "2–1", "1–1"; "" where the two did not meet in 2010 or the operator is another.
std::string score(const Subject&, std::uint32_t row);

/// The rows of the two who met in a combine; none: it is of others than two.
std::optional<std::array<std::uint32_t, 2>> opponents(const Subject&, std::uint32_t row);

/// The match that a combine stands for; null where the two did not meet in 2010 or the operator is another.
const value::Match* match_of_row(const Subject&, std::uint32_t row);
}  // namespace warptree::study
