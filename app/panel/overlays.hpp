// Scenes over the panels, each a function of what it says.
#pragma once

#include "app/panel/panel.hpp"

namespace warptree::panel {

/// The table of keys, printed; everything below is dimmed. Fits any window: in two columns where one is too high,
/// smaller where two are.
Scene help_scene(const Measure& measure, Box window);
/// A few lines beside the pointer, always inside the window and never under the pointer.
/// lines  the first is the heading; none: an empty scene
Scene tooltip_scene(const std::vector<std::string>& lines, const Measure& measure, Vec pointer, Box window);
/// Of a lecture: the caption in the largest letters that fit, below it a thin line of progress, step count and clock;
/// in the picture's title row the kernel's name.
Scene lecture_scene(const AppState&, const Measure&, const scene::Layout&);
/// Of a lecture: lines of code and one number.
Scene strip_scene(const AppState&, const Measure&, Box);
/// What the kernel on show removed, what remains, and which one is next; over its picture.
Scene card_scene(const AppState&, const Measure&, Box picture);
/// What to press first.
Scene hint_scene(const Measure&, Box row);

}  // namespace warptree::panel
