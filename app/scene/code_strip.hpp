// The lecture's strip: the lines that the present step runs, and one number in large letters.
#pragma once

#include <string>

#include "app/scene/views.hpp"

namespace warptree::scene {

struct LargeNumber {
    std::string text, called;  // "62.5 %", "efficiency so far"; no text: there is none yet
};

/// As many lines as the box takes: those that the step runs; what room is left, lines before them, in a fainter ink.
/// Before the first step, the kernel's first lines.
Scene code_strip(const Subject&, Playhead, const LargeNumber&, Box, const Measure&);
/// The height of a strip in a window of some height, in units of its contents.
float strip_height(float window);

}  // namespace warptree::scene
