// The words of the panels in plain words: what a figure, a mark of a legend or a column's head means.
#pragma once

#include <string>
#include <vector>

#include "app/scene/scene.hpp"

namespace warptree::scene {

/// A tooltip of what stands at a point: the word itself; of a figure the name at its left and the head above; of a
/// legend's mark, and what looks like it, the mark's word. Empty where the glossary knows none of these.
std::vector<std::string> meaning(const Scene&, const Measure&, Vec at);

}  // namespace warptree::scene
