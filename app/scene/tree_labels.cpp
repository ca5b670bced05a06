// Words around the tree's rows: the numbers above the cells, and each row's name at its left.
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "app/scene/lanes.hpp"
#include "app/scene/tree_parts.hpp"

namespace warptree::scene {
namespace {

bool whole(const TreeLayout& l, float y, float size) {
    return y - kAbove * size >= l.area.y - 4 && y + kBelow * size <= l.area.bottom() + 4;
}

}  // namespace

void draw_ruler(const TreeContext& c) {
    const TreeLayout& l = c.layout;
    if (l.rows.empty()) return;
    const TreeRow& row = l.rows.front();
    const float size = std::clamp(std::floor(0.3f * l.pitch), kIndex, 15.0f);
    const float widest =
        c.pen.width(std::to_string(row.first + l.columns), Face::kMono, size) + (l.pitch < 24 ? 12.0f : 6.0f);
    std::uint32_t every = 1;
    while (static_cast<float>(every) * l.pitch < widest) every *= 2;
    const float y = std::max(l.box.y + l.title_height() + 9, row.y - 14);
    for (std::uint32_t i = l.first_column(); i < l.end_column(); ++i) {
        if (i % every != 0) continue;
        const std::string text = fmt::format("{}", row.first + i);
        const float x = l.column_x(static_cast<float>(i) + 0.5f), half = c.pen.width(text, Face::kMono, size) / 2;
        if (x - half < l.box.x + kPad || x + half > l.box.right() - 6) continue;
        c.pen.add(Text{{x, y}, text, Face::kMono, size, Align::kCentre, {Role::kTextDim}});
    }
}

void draw_labels(const TreeContext& c, const TreeRow& row) {
    const TreeLayout& l = c.layout;
    if (!l.visible(row)) return;
    const float x = l.box.x + kPad, y = row.middle();
    if (row.cells) {
        if (!row.named || !whole(l, y, kSmall)) return;
        const bool future = row.state > c.at.position;
        c.pen.line({x, y}, c.subject.trace.arrays[row.array].name,
                   {Face::kMono, kSmall, {future ? Role::kTextFaint : Role::kTextDim}}, l.label_width);
        return;
    }
    const When when = c.when(row.state);
    const auto& lanes = c.subject.lanes[row.state];
    const auto active = std::count(lanes.begin(), lanes.end(), counters::LaneState::kActive);
    const Role strong = when == When::kPresent ? Role::kText : when == When::kPast ? Role::kTextDim : Role::kTextFaint;
    const Role weak = when == When::kFuture ? Role::kTextFaint : Role::kTextDim;
    if (whole(l, y - 10, kSmall) && whole(l, y + 10, kSmall)) {
        const Fold steps = l.steps_with(row.state);
        c.pen.line({x, y - 10}, row_name(c.subject, steps), {Face::kSansBold, kSmall, {strong}}, l.label_width);
        c.pen.line({x, y + 10}, fmt::format("{} of {}", active, lanes.size()), {Face::kMono, 15, {weak}},
                   l.label_width);
        draw_fold_mark(c.pen, c.subject, steps, {l.box.x, y - 20, kPad + l.label_width, 40}, {strong});
    }
}

}  // namespace warptree::scene
