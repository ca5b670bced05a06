// The network of a scan: columns are cells, rows are steps, and every add stands above the cell that it wrote.
#pragma once

#include "app/scene/kit.hpp"
#include "app/study/network.hpp"
#include "app/study/tiles.hpp"

namespace warptree::scene {

/// The rows that do not fit follow the present step. Cells narrower than 2 units are drawn as shares.
/// hover  the cell under the pointer, whose sources are traced
Scene network_view(const Network&, Playhead, Box, const Measure&, const Target& hover = {});

/// A hovered cell's story: its value, the elements that are in it, who wrote it.
std::vector<std::string> network_story(const Network&, Playhead, const Target&);

/// "Launch 2 of 3: scans the sums of the blocks".
std::string network_place(const Network&);

// The tiles of a look-back over time: what each has told, how long it waited, and which tiles its prefix is made of

/// Rows are tiles; where they are too many, some tiles together.
/// hover  the tile under the pointer, whose window is traced
Scene tiles_view(const Subject&, const Tiles&, Playhead, Box, const Measure&, const Target& hover = {});

/// A hovered tile's story: its elements, what it told and when, which tiles it looked at.
std::vector<std::string> tiles_story(const Subject&, const Tiles&, Playhead, const Target&);

}  // namespace warptree::scene
