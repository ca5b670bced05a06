// The tree view.
#pragma once

#include "app/kit/kit.hpp"

namespace warptree::scene {

/// The reduction tree: a row of cells for each state, a row of lanes grouped by warp for each step between.
/// hover   the target under the pointer, whose operands and results are traced
/// help    a sentence at the foot, where there is room, and a trail: grid › block 2 › warp 0
/// errors  how far sums are off: threads are coloured by it, and the foot says it; null: that is not shown
Scene tree_view(const Subject&, Playhead, const Camera&, Box, const Measure&, const Target& hover = {},
                bool help = false, const graph::Errors* errors = nullptr);
/// The part of its box that the tree itself takes: what the functions below want.
Box tree_inside(Box, bool help);
/// Clamps a camera to what tree_view can show; follows the present step when asked.
Camera tree_camera(const Subject&, Playhead, const Camera&, Box, bool follow);
/// The camera zoomed by a factor so that what is under a point stays there.
Camera tree_zoom(const Subject&, Playhead, const Camera&, Box, Vec point, float factor);
/// The camera that has one warp's lanes fill the width, or as many of them as are legible.
Camera tree_warp(const Subject&, Playhead, Box, std::uint32_t warp);

/// What follows a caption where the tree shows errors: whether the step is on the path on which most was lost.
std::string error_caption(const Subject&, const graph::Errors&, Playhead);

}  // namespace warptree::scene
