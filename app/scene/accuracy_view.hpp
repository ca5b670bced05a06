// The accuracy view: error against N with the theory's bounds, what each addition lost and who caught it, and what
// other orders of a run's atomics give.
#pragma once

#include "app/scene/kit.hpp"
#include "app/study/roundings.hpp"

namespace warptree::scene {

Scene accuracy_view(const RoundingStudy&, Playhead, Box, const Measure&);

// What the files of this view share

/// Error over N, on log axes, a line a kernel and a dashed one a bound.
void draw_accuracy_chart(Pen&, const RoundingStudy&, Box);
/// The bits of each sum, and below them what it lost.
void draw_running_sums(Pen&, const RoundingStudy&, Playhead, Box);
/// How often each result came.
void draw_spread(Pen&, const RoundingStudy&, Box);

}  // namespace warptree::scene
