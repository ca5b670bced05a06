// The tooltip: a few lines beside the pointer, always inside the window and never under the pointer.
#pragma once

#include "app/panel/panel.hpp"

namespace warptree::panel {

/// lines  the first is the heading; none: an empty scene
Scene tooltip_scene(const std::vector<std::string>& lines, const Measure& measure, Vec pointer, Box window);

}  // namespace warptree::panel
