// The network of a scan.
#pragma once

#include "app/kit/kit.hpp"
#include "app/views/network/facts.hpp"

namespace warptree::scene {

/// The network: columns are cells, rows are steps, and every add stands above the cell that it wrote.
/// hover  the cell under the pointer, whose sources are traced
Scene network_view(const Network&, Playhead, Box, const Measure&, const Target& hover = {});
/// A hovered cell's story: its value, the elements that are in it, who wrote it.
std::vector<std::string> network_story(const Network&, Playhead, const Target&);
/// "Launch 2 of 3: scans the sums of the blocks".
std::string network_place(const Network&);

}  // namespace warptree::scene
