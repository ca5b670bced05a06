// How a lane looks.
#include "app/scene/lanes.hpp"

#include <algorithm>

namespace warptree::scene {

using counters::LaneState;

Rect lane_chip(Box box, LaneState state, Id id, float opacity) {
    Rect r{.box = box, .ink = {}, .radius = std::min(6.0f, 0.2f * box.w), .outline = {}, .id = id};
    if (state == LaneState::kActive) {
        r.ink = {Role::kActive, opacity};
    } else if (state == LaneState::kDiverged) {
        r.ink = {Role::kDivergent, opacity};
        r.fill = Fill::kHatched;
        r.outline = {Role::kDivergent, opacity};
        r.outline_width = 1.4f;
    } else {
        r.fill = Fill::kNone;
        r.outline = {Role::kIdle, opacity};
        r.outline_width = 1.3f;
        r.dashed = true;
    }
    return r;
}

}  // namespace warptree::scene
