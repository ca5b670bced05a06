// How a lane looks, by how it spends a step, and the mark of steps that repeat: the same in every view.
#pragma once

#include "app/scene/kit.hpp"

namespace warptree::scene {

/// Solid: works. Hatched: waits, and its slot is spent. Dashed outline: its warp is idle, at no cost.
Rect lane_chip(Box box, counters::LaneState state, Id id, float opacity = 1);
/// What is written on it.
Role role_on(counters::LaneState, Role working = Role::kOnActive);
/// A lane's number in the middle of its chip; on a quiet ground where that is hatched.
void draw_lane_number(Pen&, Box chip, counters::LaneState, std::size_t thread, float size, float opacity, Id);
/// Neighbours in one state, from `first` to `end`: draw(begin, end).
template <class Draw>
void each_run(const std::vector<counters::LaneState>& lanes, std::size_t first, std::size_t end, Draw draw) {
    for (std::size_t run = first; first < end; first = run) {
        while (run < end && lanes[run] == lanes[first]) ++run;
        draw(first, run);
    }
}

/// A triangle before the name of steps that repeat: a click on it or the name shows them as one, or one by one. Of
/// other steps, nothing. label  of the name, its left kFoldMark included
void draw_fold_mark(Pen&, const Subject&, Fold steps, Box label, Ink);
inline constexpr float kFoldMark = 20;

}  // namespace warptree::scene
