// The transport of a comparison: what each column does, the buttons, and the timeline with a track a column.
#include <algorithm>

#include "app/scene/compare.hpp"
#include "app/scene/scene.hpp"
#include "app/scene/transport_parts.hpp"

namespace warptree::scene {
namespace {

constexpr float kLeastSlot = 3;  // units; narrower moments and steps are drawn together

/// What the tracks share: where a time is.
struct Line {
    const Comparison& c;
    Box box;
    float x(std::uint64_t time) const {
        return box.x +
               box.w * static_cast<float>(time) / static_cast<float>(std::max<std::uint64_t>(1, c.time(c.moments())));
    }
};

/// The moments, behind the tracks: what the pointer clicks and draws along.
void draw_moments(Pen& pen, const Line& line, Playhead at, const Target& hover) {
    const Comparison& c = line.c;
    for (std::size_t first = 0; first < c.moments();) {
        std::size_t end = first + 1;
        while (end < c.moments() && line.x(c.time(end)) - line.x(c.time(first)) < kLeastSlot) ++end;
        const float x = line.x(c.time(first)), w = line.x(c.time(end)) - x;
        const bool present = at.position > first && at.position <= end;
        const bool over = hover.kind == Target::Kind::kStepBar && hover.state >= first && hover.state < end;
        pen.framed({x + (w > 12 ? 1.5f : 0), line.box.y, w - (w > 12 ? 3.0f : 0), line.box.h},
                   {over ? Role::kRaisedHover : Role::kRaised, present || over ? 1.0f : 0.55f},
                   {present ? Role::kText : Role::kLine}, present && w > 6 ? 2.5f : 0.0f, w > 12 ? 5.0f : 0.0f,
                   step_id(std::min<std::size_t>(first, 65535)));
        if (present && w <= 6) pen.fill({x + w - 1, line.box.y - 2, 3, line.box.h + 4}, {Role::kText}, 1);
        first = end;
    }
}

void draw_track(Pen& pen, const Line& line, std::size_t column, Playhead at, Box track) {
    const Comparison& c = line.c;
    const std::size_t done = c.at(column, at).position;
    for (std::size_t first = 0; first < c.steps(column);) {
        std::size_t end = first + 1;
        study::Useful sum = c.useful(column, first);
        while (end < c.steps(column) && line.x(c.end(column, end - 1)) - line.x(c.begin(column, first)) < kLeastSlot)
            sum += c.useful(column, end++);
        const float x = line.x(c.begin(column, first)), w = line.x(c.end(column, end - 1)) - x;
        const float edge = w > 12 ? 4.0f : w > 5 ? 1.0f : 0.0f;
        draw_step_use(pen, {x + edge, track.y, w - 2 * edge, track.h},
                      std::max(1.0 / static_cast<double>(track.h), sum.efficiency()), sum.slots == 0, first >= done);
        first = end;
    }
}

void draw_timeline(Pen& pen, const Comparison& c, Playhead at, Box box, const Target& hover) {
    if (box.w < 60 || box.h < 12) return;
    constexpr float kLetter = 24;
    const float n = static_cast<float>(c.size()), gap = 5;
    const float each = (box.h - 8 - (n - 1) * gap) / n;
    const Line line{c, {box.x + kLetter, box.y, box.w - kLetter, box.h}};
    draw_moments(pen, line, at, hover);
    for (std::size_t i = 0; i < c.size(); ++i) {
        const float y = box.y + 4 + static_cast<float>(i) * (each + gap);
        if (each + gap >= 15)
            pen.line({box.x, y + each / 2}, column_tag(i),
                     {Face::kMonoBold, std::clamp(each, kLeast, kSmall), {Role::kTextDim}}, kLetter - 4);
        draw_track(pen, line, i, at, {line.box.x, y, line.box.w, each});
    }
}

}  // namespace

Scene compare_transport_view(const Comparison& c, Playhead at, const TransportState& state, Box box,
                             const Measure& measure, const Target& hover) {
    return on_panel(box, measure, [&](Pen& pen) {
        const bool low = box.h - kCaptions * (state.text - 1) < 140;
        const std::size_t shown = low ? std::min<std::size_t>(2, c.size()) : c.size();
        std::vector<std::string> tags;
        for (std::size_t i = 0; i < shown; ++i) tags.push_back(column_tag(i));
        const float below = draw_captions(
            pen, box, state.text, shown, low,
            [&](int brief) {
                std::vector<std::string> all;
                for (std::size_t i = 0; i < shown; ++i) all.push_back(compare_caption(c, i, at, brief));
                return all;
            },
            tags);
        const float bottom = box.bottom() - (low ? 8.0f : 12.0f);
        const float height = std::clamp(bottom - below, 62.0f, 110.0f), top = bottom - height;
        const float right =
            transport_buttons(pen, at.position, c.moments(), state, box.x + kPad, top + height / 2, hover);
        draw_timeline(pen, c, at, {right + 22, top, box.right() - kPad - right - 22, height}, hover);
    });
}

}  // namespace warptree::scene
