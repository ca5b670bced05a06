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
    draw_segment(pen, at, {at.x + 40, at.y}, {Role::kWrong}, 3.6f);
    pen.ring({at.x + 20, at.y}, 10, {Role::kPanel}, {Role::kWrong}, 2);
    pen.put({at.x + 20, at.y}, "!", {Face::kSansBold, kLeast, {Role::kWrong}}, Align::kCentre);
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
    Box inside = panel_inside(box, 14);
    cut_top(inside, draw_switches(c, inside), 12);
    const float head = orders_height(c, inside.w);
    if (head > inside.h) return out;  // no room for more than the switches
    draw_orders(c, cut_top(inside, head, 6));
    const bool damaged = study.without != 0;  // else nothing is wrong, and no mark says so
    const bool one_line = (damaged ? kMarks : 0) + pen.width(kSentence, Face::kSans, kSmall) <= inside.w;
    const bool tree = inside.w >= 420 && inside.h - kLegend - (one_line ? 0 : kHelp) >= kLeastTree;
    if (!one_line || !tree) {
        const bool room = inside.h >= kHelp - 6;
        const Box help = cut_bottom(inside, kHelp);
        if (room) pen.line({help.x, help.bottom() - 9}, kSentence, kDim, help.w);
    }
    if (!tree) return out;
    const Box legend = cut_bottom(inside, kLegend);
    const Box lower = tree_box(box, inside.y, inside.bottom());
    const Flows& flows = *s.flows;
    const TreeLayout tree_layout(s, flows, tree_camera(s, at, {}, lower, true), lower);
    const Vec left{legend.x, legend.centre().y};
    const float marks = damaged ? draw_legend(pen, left, legend.w, tree_layout.grain == Grain::kCells) : left.x;
    if (one_line) pen.line({marks, left.y}, kSentence, kDim, legend.right() - marks);
    draw_tree({s, flows, tree_layout, at, pen}, hover, &study.damage);
    return out;
}

}  // namespace warptree::scene
