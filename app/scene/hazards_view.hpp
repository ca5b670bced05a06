// The hazards view: switches for the kernel's barriers, what each order of threads made of the race, and the damage on
// its way up the tree.
#pragma once

#include "app/scene/kit.hpp"
#include "app/study/races.hpp"

namespace warptree::scene {

/// Controls are switches (kBarrier: Target::state the line, array 1 where that barrier is out) and the orders' lines
/// (kThreadOrder: state the order).
/// hover  a cell of the tree: its race is told
Scene hazards_view(const Subject&, const RaceStudy&, Playhead, Box, const Measure&, const Target& hover = {});

/// " Race: threads 1 and 0 touch input[2], one writing, one reading, with no barrier between them.": of the races of
/// some steps; "" where there is none.
/// brief  as of caption()
std::string race_caption(const Subject&, Fold steps, int brief);

}  // namespace warptree::scene
