// The overlay of all keys: the table of keys itself, printed.
#pragma once

#include "app/panel/panel.hpp"

namespace warptree::panel {

/// Everything below is dimmed. Fits any window: in two columns where one is too high, smaller where two are.
Scene help_scene(const Measure& measure, Box window);

}  // namespace warptree::panel
