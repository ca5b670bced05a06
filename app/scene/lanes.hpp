// How a lane looks, by how it spends a step, and the mark of steps that repeat: the same in every view.
#pragma once

#include "app/scene/draw.hpp"
#include "app/scene/views.hpp"

namespace warptree::scene {

/// Solid: works. Hatched: waits, and its slot is spent. Dashed outline: its warp is idle, at no cost.
Rect lane_chip(Box box, counters::LaneState state, Id id, float opacity = 1);

/// A triangle before the name of steps that repeat: a click on it or the name shows them as one, or one by one. Of
/// other steps, nothing. label  of the name, its left kFoldMark included
void draw_fold_mark(Pen&, const Subject&, Fold steps, Box label, Ink);
inline constexpr float kFoldMark = 20;

}  // namespace warptree::scene
