// The warps' view.
#pragma once

#include "app/kit/kit.hpp"

namespace warptree::scene {

/// What the block's warps cost: all steps as bands whose area is the slots they consume, or the lanes of one step.
Scene warps_view(const Subject&, Playhead, bool all_steps, Box, const Measure&, const Target& hover = {});

}  // namespace warptree::scene
