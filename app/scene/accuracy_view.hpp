// The accuracy view: error against N with the theory's bounds, or beside the bandwidth; what each addition lost and who
// caught it; and what other orders of a run's atomics give.
#pragma once

#include "app/scene/kit.hpp"
#include "app/study/roundings.hpp"

namespace warptree::scene {

/// What the view shows: the study of the run on show, and of all results what is drawn of many runs.
struct AccuracyShown {
    const RoundingStudy& study;
    AccuracyPicture picture;
    const RecordedAccuracy& recorded;  // of table()'s type first
    const AccuracyTable& table() const { return study.table; }
    std::string_view kernel() const { return study.subject->run().launch().kernel; }
};
inline constexpr std::uint8_t kSumFigure = 0, kBoundFigure = 1;  // Target::array of its figures
Scene accuracy_view(const AccuracyShown&, Playhead, Box, const Measure&);
/// What is known of a kernel's point beside its bandwidth, of a bound, of a sum on the way to the result; empty of
/// anything else.
std::vector<std::string> accuracy_story(const AccuracyShown&, const Target&);
/// Its kernel; "" of anything else.
std::string accuracy_kernel(const AccuracyShown&, const Target&);

}  // namespace warptree::scene
