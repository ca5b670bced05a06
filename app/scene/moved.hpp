// A scene in another place: what a zoom from one panel into another is made of.
#pragma once

#include "app/scene/scene.hpp"

namespace warptree::scene {

/// Adds a scene so that what stood in one box fills another. Ids stay behind: nothing that moves can be clicked. Text
/// that would be too small or too large to read is left out.
void add_moved(Scene& out, const Scene& scene, Box from, Box to, float opacity = 1);
/// Adds a scene in units that are so many times larger: all of it grows, and can be clicked where it then stands.
void add_magnified(Scene& out, const Scene& scene, float by);
/// A box of a window in units that are so many times larger.
inline Box in_units(Box box, float unit) {
    return {box.x / unit, box.y / unit, box.w / unit, box.h / unit};
}
/// A box on its way from one to another.
Box between(Box from, Box to, float share);

}  // namespace warptree::scene
