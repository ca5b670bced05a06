// The hazards view.
#pragma once

#include "app/kit/kit.hpp"
#include "app/views/hazards/facts.hpp"

namespace warptree::scene {

/// Switches for the kernel's barriers, what each order of threads made of the race, and the damage on its way up the
/// tree.
/// hover  a cell of the tree: its race is told
Scene hazards_view(const Subject&, const RaceStudy&, Playhead, Box, const Measure&, const Target& hover = {});
/// " Race: threads 1 and 0 touch input[2], ...": of the races of some steps; "" where there is none.
/// brief  as of caption()
std::string race_caption(const Subject&, Fold steps, int brief);

}  // namespace warptree::scene
