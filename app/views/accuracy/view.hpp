// The accuracy view.
#pragma once

#include "app/kit/kit.hpp"
#include "app/views/accuracy/facts.hpp"

namespace warptree::scene {

/// What the accuracy view shows: the study of the run on show, and of all results what is drawn of many runs.
struct AccuracyShown {
    const RoundingStudy& study;
    AccuracyPicture picture;
    const RecordedAccuracy& recorded;  // of table()'s type first
    const AccuracyTable& table() const { return study.table; }
    std::string_view kernel() const { return study.subject->run().launch().kernel; }
};
inline constexpr std::uint8_t kSumFigure = 0, kBoundFigure = 1;  // Target::array of its figures
/// Error against N with the theory's bounds, or beside the bandwidth; what each addition lost and who caught it; and
/// what other orders of a run's atomics give.
Scene accuracy_view(const AccuracyShown&, Playhead, Box, const Measure&);
/// What is known of a kernel's point, of a bound, of a sum on the way to the result; empty of anything else.
std::vector<std::string> accuracy_story(const AccuracyShown&, const Target&);

}  // namespace warptree::scene
