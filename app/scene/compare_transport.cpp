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
    float x(std::uint64_t time) const { return box.x + box.w * time / std::max<std::uint64_t>(1, c.time(c.moments())); }
};

/// The moments, behind the tracks: what the pointer clicks and draws along.
void draw_moments(Pen& pen, const Line& line, Playhead at, const Target& hover) {
    const Comparison& c = line.c;
    for (std::size_t first = 0, end = 0; first < c.moments(); first = end) {
        do ++end;
        while (end < c.moments() && line.x(c.time(end)) - line.x(c.time(first)) < kLeastSlot);
        const float x = line.x(c.time(first)), w = line.x(c.time(end)) - x, edge = w > 12 ? 1.5f : 0.0f;
        const bool present = at.position > first && at.position <= end;
        const bool over = hover.kind == Target::Kind::kStepBar && hover.state >= first && hover.state < end;
        pen.framed({x + edge, line.box.y, w - 2 * edge, line.box.h},
                   {over ? Role::kRaisedHover : Role::kRaised, present || over ? 1.0f : 0.55f},
                   {present ? Role::kText : Role::kLine}, present && w > 6 ? 2.5f : 0.0f, edge > 0 ? 5.0f : 0.0f,
                   step_id(std::min<std::size_t>(first, 65535)));
        if (present && w <= 6) pen.fill({x + w - 1, line.box.y - 2, 3, line.box.h + 4}, {Role::kText}, 1);
    }
}

void draw_track(Pen& pen, const Line& line, std::size_t column, std::size_t done, Box track) {
    const Comparison& c = line.c;
    for (std::size_t first = 0, end = 0; first < c.steps(column); first = end) {
        study::Useful sum;
        do sum += c.useful(column, end++);
        while (end < c.steps(column) && line.x(c.end(column, end - 1)) - line.x(c.begin(column, first)) < kLeastSlot);
        const float x = line.x(c.begin(column, first)), w = line.x(c.end(column, end - 1)) - x;
        const float edge = w > 12 ? 4.0f : w > 5 ? 1.0f : 0.0f;
        draw_step_use(pen, {x + edge, track.y, w - 2 * edge, track.h}, std::max(1.0 / track.h, sum.efficiency()),
                      sum.slots == 0, first >= done);
    }
}

void draw_timeline(Pen& pen, const Comparison& c, Playhead at, Box box, const Target& hover) {
    if (box.w < 60 || box.h < 12) return;
    constexpr float kLetter = 24, kBetweenTracks = 5;
    const float each = (box.h - 8 + kBetweenTracks) / c.size() - kBetweenTracks, letters = box.x;
    cut_left(box, kLetter);
    const Line line{c, box};
    draw_moments(pen, line, at, hover);
    cut_top(box, 4);
    for (std::size_t i = 0; i < c.size(); ++i) {
        const Box track = cut_top(box, each, kBetweenTracks);
        if (each + kBetweenTracks >= 15)
            pen.line({letters, track.centre().y}, column_tag(i),
                     {Face::kMonoBold, std::clamp(each, kLeast, kSmall), {Role::kTextDim}}, kLetter - 4);
        draw_track(pen, line, i, c.at(i, at).position, track);
    }
}

}  // namespace

Scene compare_transport_view(const Comparison& c, Playhead at, const TransportState& state, Box box,
                             const Measure& measure, const Target& hover) {
    return on_panel(box, measure, [&](Pen& pen) {
        const bool low = box.h - kCaptions * (state.text - 1) < 140;
        const std::size_t shown = low ? std::min<std::size_t>(2, c.size()) : c.size();
        std::vector<std::string> tags;
        while (tags.size() < shown) tags.push_back(column_tag(tags.size()));
        const auto captions = [&](int brief) {
            std::vector<std::string> all;
            while (all.size() < shown) all.push_back(compare_caption(c, all.size(), at, brief));
            return all;
        };
        const float below = draw_captions(pen, box, state.text, shown, low, captions, tags);
        const float bottom = box.bottom() - (low ? 8.0f : 12.0f), height = std::clamp(bottom - below, 62.0f, 110.0f);
        const float left =
            22 + transport_buttons(pen, at.position, c.moments(), state, box.x + kPad, bottom - height / 2, hover);
        draw_timeline(pen, c, at, {left, bottom - height, box.right() - kPad - left, height}, hover);
    });
}

}  // namespace warptree::scene
