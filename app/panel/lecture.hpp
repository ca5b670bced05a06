// What a lecture shows beside the picture: the kernel's name, the caption, how far the run has come; and at a kernel's
// end, there and elsewhere, what it removed and what remains.
#pragma once

#include "app/panel/panel.hpp"

namespace warptree::panel {

/// The caption in the largest letters that fit, below it a thin line of progress, step count and clock; in the
/// picture's title row the kernel's name.
Scene lecture_scene(const AppState&, const Measure&, const scene::Layout&);
/// What the kernel on show removed, what remains, and which one is next; over its picture.
Scene card_scene(const AppState&, const Measure&, Box picture);
/// What to press first.
Scene hint_scene(const Measure&, Box row);

}  // namespace warptree::panel
