// What a step does, and what the pointer is over, in words.
#pragma once

#include "app/kit/kit.hpp"

namespace warptree::scene {

/// One sentence: what the present step does. Position 0: what is about to happen.
/// brief  what is needed least is left out: 1: who sits the step out, 2: lists and names too, 3: whom and what it is
///        done with, too
std::string caption(const Subject&, Playhead, int brief = 0);
/// A hovered target's whole story, a line each: value, writer, step, address, segment. Empty for kNone.
std::vector<std::string> story(const Subject&, Playhead, const Target&);

}  // namespace warptree::scene
