// The hazards view: switches for the kernel's barriers, what each order of threads made of the race, and the damage on
// its way up the tree.
#pragma once

#include <vector>

#include "app/scene/kit.hpp"
#include "app/study/races.hpp"

namespace warptree::scene {

/// A place in the view that does something when clicked.
struct HazardSpot {
    Box box;
    bool is_barrier = true;
    std::uint16_t line = 0;                                         // of the barrier that it takes out or puts back
    bool missing = false;                                           // that barrier is out now
    kernels::ThreadOrder order = kernels::ThreadOrder::kAscending;  // if not a barrier: the order to show
};

struct HazardsScene {
    Scene scene;
    std::vector<HazardSpot> spots;
};

/// hover  a cell of the tree: its race is told
HazardsScene hazards_view(const Subject&, const RaceStudy&, Playhead, Box, const Measure&, const Target& hover = {});

/// " Race: threads 1 and 0 touch input[2], one writing, one reading, with no barrier between them.": of the races of
/// some steps; "" where there is none.
/// brief  as of caption()
std::string race_caption(const Subject&, Fold steps, int brief);

}  // namespace warptree::scene
