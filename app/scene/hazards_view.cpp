// The view as a whole: head, tree, legend; the tree goes first where room is short.
#include "app/scene/hazards_view.hpp"

#include <fmt/format.h>

#include "app/scene/tree_parts.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kLeastTree = 130, kLegend = 28, kHelp = 22, kMarks = 420;
constexpr std::string_view kSentence = "Without a barrier, chance decides which thread comes first.";

/// A box for the tree whose own title would lie above `top`.
Box tree_box(Box box, float top, float bottom) {
    const float title = TreeLayout::title_height(bottom - top + kTitleHeight);
    return {box.x, top - title, box.w, bottom - top + title};
}

/// The marks that the damage adds to the tree's own: frames, or bars below narrow cells. returns  where it ends
float draw_legend(Pen& pen, Vec at, float width, bool frames) {
    const float end = at.x + width;
    const auto label = [&](std::string_view text) { at.x += pen.line(at, text, kDim, end - at.x) + 26; };
    const Box cell{at.x, at.y - 10, 26, 20};
    if (frames) {
        pen.framed(cell, {Role::kWritten}, {Role::kWrong}, 3, 4);
        pen.add(
            Triangle{{cell.right() - 10, cell.y}, {cell.right(), cell.y}, {cell.right(), cell.y + 10}, {Role::kWrong}});
    } else {
        pen.fill({cell.x, cell.y, cell.w, 12}, {Role::kWritten});
        pen.fill({cell.x, cell.y + 14, cell.w, 6}, {Role::kWrong});
    }
    at.x += 36;
    label("wrong value");
    if (end - at.x < 250) return at.x;
    pen.add(Curve{.from = {at.x, at.y},
                  .control_a = {at.x + 10, at.y},
                  .control_b = {at.x + 30, at.y},
                  .to = {at.x + 40, at.y},
                  .ink = {Role::kWrong},
                  .width = 3.6f});
    pen.add(Disc{.centre = {at.x + 20, at.y},
                 .radius = 10,
                 .ink = {Role::kPanel},
                 .outline = {Role::kWrong},
                 .outline_width = 2});
    pen.add(Text{{at.x + 20, at.y}, "!", Face::kSansBold, kLeast, Align::kCentre, {Role::kWrong}});
    at.x += 50;
    label("read at the wrong time");
    return at.x;
}

std::string remark(const Subject& s) {
    if (s.trace.launch.grid > 1) return fmt::format("block {} of {}", s.block, grouped(s.trace.launch.grid));
    return "";
}

}  // namespace

HazardsScene hazards_view(const Subject& s, const RaceStudy& study, Playhead at, Box box, const Measure& measure,
                          const Target& hover) {
    HazardsScene out;
    if (box.w <= 0 || box.h <= 0) return out;
    Pen pen(out.scene, measure);
    const replay::Place place{hover.array, hover.index};
    const bool cell = hover.kind == Target::Kind::kCell;
    const HazardsContext c{s, study, at, pen, race_at(study, at, cell ? &place : nullptr), out.spots};
    panel_ground(pen, box);
    panel_title(pen, box, "", remark(s));
    const float x = box.x + kPad, width = box.w - 2 * kPad, bottom = box.bottom() - 14;
    float y = box.y + kTitleHeight;
    y += draw_switches(c, {x, y, width, bottom - y}) + 12;
    const float head = orders_height(c, width);
    if (y + head > bottom) return out;  // no room for more than the switches
    draw_orders(c, {x, y, width, head});
    y += head + 6;
    float end = bottom;
    const Style help{Face::kSans, kSmall, {Role::kTextDim}};
    const bool damaged = study.without != 0;  // else nothing is wrong, and no mark says so
    const bool one_line = (damaged ? kMarks : 0) + pen.width(kSentence, Face::kSans, kSmall) <= width;
    const float foot = kLegend + (one_line ? 0 : kHelp);
    const bool tree = width >= 420 && end - foot - y >= kLeastTree;
    if (!one_line || !tree) {
        if (end - y >= kHelp - 6) pen.line({x, end - 9}, kSentence, help, width);
        end -= kHelp;
    }
    if (!tree) return out;
    end -= kLegend;
    const Box lower = tree_box(box, y, end);
    const Flows& flows = *s.flows;
    const TreeLayout tree_layout(s, flows, tree_camera(s, at, {}, lower, true), lower);
    const Vec legend{x, end + kLegend / 2};
    const float marks = damaged ? draw_legend(pen, legend, width, tree_layout.grain == Grain::kCells) : x;
    if (one_line) pen.line({marks, legend.y}, kSentence, help, x + width - marks);
    draw_tree({s, flows, tree_layout, at, pen}, hover, &study.damage);
    return out;
}

}  // namespace warptree::scene
