// The order view.
#pragma once

#include "app/kit/kit.hpp"
#include "app/views/order/facts.hpp"

namespace warptree::scene {

/// Sequential order, this kernel's order, and the ideal tree: figures, parentheses, and operands that changed places.
Scene order_view(const Orders&, Playhead, Box, const Measure&, const Target& hover = {});

}  // namespace warptree::scene
