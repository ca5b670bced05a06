// The tiles of a look-back.
#pragma once

#include "app/kit/kit.hpp"
#include "app/views/tiles/facts.hpp"

namespace warptree::scene {

/// The tiles of a look-back over time: what each has published, how long it waited, and which tiles its prefix is made
/// of. hover  the tile under the pointer, whose window is traced
Scene tiles_view(const Subject&, const Tiles&, Playhead, Box, const Measure&, const Target& hover = {});
/// A hovered tile's story: its elements, what it told and when, which tiles it looked at.
std::vector<std::string> tiles_story(const Subject&, const Tiles&, Playhead, const Target&);

}  // namespace warptree::scene
