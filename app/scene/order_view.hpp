// The order view. Every number is the summary's of a run, every line a join of its combination.
#pragma once

#include "app/scene/kit.hpp"
#include "app/study/orders.hpp"

namespace warptree::scene {

/// Sequential order, this kernel's order, and the ideal tree: figures, parentheses, and operands that changed places.
Scene order_view(const Orders&, Playhead, Box, const Measure&, const Target& hover = {});

}  // namespace warptree::scene
