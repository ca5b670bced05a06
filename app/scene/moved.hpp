// A scene in another place: what a zoom from one panel into another is made of.
#pragma once

#include "app/scene/scene.hpp"

namespace warptree::scene {

/// Adds a scene so that what stood in one box fills another. Ids stay behind: nothing that moves can be clicked. Text
/// that would be too small or too large to read is left out.
void add_moved(Scene& out, const Scene& scene, Box from, Box to, float opacity = 1);
/// A box on its way from one to another.
Box between(Box from, Box to, float share);

}  // namespace warptree::scene
