// Timelines: grounds, the present step, and where a finger can be drawn.
#include "app/kit/timeline.hpp"

namespace warptree::scene {

void draw_timeline(Pen& pen, const std::vector<Band>& bands, Playhead at, const Target& hover, bool framed) {
    constexpr float kLeastFrame = 6;  // narrower, an outline would fill it
    const Box &first = bands.front().box, &last = bands.back().box;
    Track track{{first.x, first.y, last.right() - first.x, first.h}, {.action = Action::kScrub}, {}};
    for (const Band& band : bands) {
        const Box& box = band.box;
        const bool present = band.present(at), thin = box.w <= kLeastFrame;
        const bool over = hover.kind == Target::Kind::kStepBar && band.steps.holds(hover.state);
        const float outline = thin ? 0.0f : present ? 2.5f : band.card() && framed ? 1.0f : 0.0f;
        pen.framed(box, {over ? kRaisedHover : kRaised, present || over ? 1.0f : 0.7f}, {present ? kText : kLine},
                   outline, std::min(framed ? 8.0f : 5.0f, box.w / 6), band.id());
        if (present && thin) pen.fill({box.x, box.y - 2, box.w, box.h + 4}, {kText}, 1);
        track.stops.emplace_back(box.x, band.steps.first);
        track.stops.emplace_back(box.right(), band.steps.end);
    }
    pen.scene().tracks.push_back(std::move(track));
}

void draw_step_use(Pen& pen, Box box, double share, bool moves, bool future, Id id) {
    const float presence = future ? 0.4f : 1;
    if (moves) return pen.fill({box.x, box.bottom() - 6, box.w, 6}, {kIdle, 0.8f * presence}, 3, id);
    const float radius = std::min(4.0f, box.w / 4);
    draw_use(pen, box,
             {.share = share, .up = true, .presence = presence, .radius = radius, .outline = 0, .waste = 0.75f}, id);
}

}  // namespace warptree::scene
