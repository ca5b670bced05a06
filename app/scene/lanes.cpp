// How a lane looks, and the mark of steps that repeat.
#include "app/scene/lanes.hpp"

#include <algorithm>

namespace warptree::scene {

using counters::LaneState;

Rect lane_chip(Box box, LaneState state, Id id, float opacity) {
    const float narrow = std::min(box.w, box.h);
    Rect r{.box = box, .radius = std::min(6.0f, 0.2f * narrow), .id = id};
    if (state == LaneState::kActive) {
        r.ink = {Role::kActive, opacity};
    } else if (state == LaneState::kDiverged) {
        r.ink = {Role::kDivergent, opacity};
        r.fill = Fill::kHatched;
        r.outline = {Role::kDivergent, opacity};
        r.outline_width = narrow < 7 ? 0.0f : 1.4f;
    } else {
        r.fill = Fill::kNone;
        r.outline = {Role::kIdle, opacity};
        r.outline_width = 1.3f;
        r.dashed = true;
    }
    return r;
}

Role role_on(LaneState state, Role working) {
    return state == LaneState::kActive ? working : state == LaneState::kDiverged ? Role::kOnDivergent : Role::kTextDim;
}

void draw_lane_number(Pen& pen, Box chip, LaneState state, std::size_t thread, float size, float opacity, Id id) {
    if (state == LaneState::kDiverged)
        pen.disc(chip.centre(), std::min(0.5f * size + 5, 0.4f * std::min(chip.w, chip.h)), {Role::kPanel, 0.8f}, id);
    pen.put(chip.centre(), std::to_string(thread), {Face::kMonoBold, size, {role_on(state), opacity}}, Align::kCentre,
            id);
}

void draw_fold_mark(Pen& pen, const Subject& s, Fold steps, Box label, Ink ink) {
    const auto& folds = s.facts->folds;
    const std::size_t step = s.first_step + steps.first;
    const auto fold = std::ranges::find_if(folds, [&](Fold f) { return step >= f.first && step < f.end; });
    if (fold == folds.end()) return;
    const Id id = pack({Target::Kind::kFold, 0, 0, static_cast<std::uint32_t>(fold - folds.begin())});
    const Vec at{label.x + kFoldMark / 2, label.centre().y};
    constexpr float kSize = 5;
    pen.add(steps.steps() > 1  // closed: it points to the name; open: down
                ? Triangle{{at.x - kSize, at.y - kSize}, {at.x + kSize, at.y}, {at.x - kSize, at.y + kSize}, ink, id}
                : Triangle{{at.x - kSize, at.y - kSize}, {at.x + kSize, at.y - kSize}, {at.x, at.y + kSize}, ink, id});
    pen.spot(label, id);
}

}  // namespace warptree::scene
