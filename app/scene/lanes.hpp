// How a lane looks, by how it spends a step: the same in every view.
#pragma once

#include "app/scene/scene.hpp"
#include "app/study/subject.hpp"

namespace warptree::scene {

/// Solid: works. Hatched: waits, and its slot is spent. Dashed outline: its warp is idle, at no cost.
Rect lane_chip(Box box, counters::LaneState state, Id id, float opacity = 1);

}  // namespace warptree::scene
