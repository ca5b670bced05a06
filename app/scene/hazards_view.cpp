// The view as a whole: what was found and the order on show, the tree, and, where there is room, the other orders and
// the switches.
#include "app/scene/hazards_view.hpp"

#include <fmt/format.h>

#include "app/scene/tree_parts.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kLeastTree = 130, kLeastTreeWidth = 420, kLegend = 28, kHelp = 22;
constexpr std::string_view kSentence = "Without a barrier, chance decides which thread comes first.";

/// A box for the tree whose own title would lie above `top`.
Box tree_box(Box box, float top, float bottom) {
    const float title = TreeLayout::title_height(bottom - top + kTitleHeight);
    return {box.x, top - title, box.w, bottom - top + title};
}

/// The marks that the damage adds to the tree's own: frames, or bars below narrow cells.
void draw_legend(Pen& pen, Vec at, float width, bool frames) {
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
    if (end - at.x < 250) return;
    draw_segment(pen, at, {at.x + 40, at.y}, {Role::kWrong}, 3.6f);
    pen.ring({at.x + 20, at.y}, 10, {Role::kPanel}, {Role::kWrong}, 2);
    pen.put({at.x + 20, at.y}, "!", {Face::kSansBold, kLeast, {Role::kWrong}}, Align::kCentre);
    at.x += 50;
    label("read at the wrong time");
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
    const Box inside = panel_inside(box, 14);
    bool frames = false;
    std::vector<Section> sections;
    if (!study.barriers.empty())
        sections.push_back({draw_switches(c, inside, false), 5, [&](Box row) { draw_switches(c, row); }});
    add_orders(c, inside.w, sections);
    const auto draw_picture = [&](Box area) {
        const Box lower = tree_box(box, area.y, area.bottom());
        const TreeLayout tree_layout(s, *s.flows, tree_camera(s, at, {}, lower, true), lower);
        draw_tree({s, *s.flows, tree_layout, at, pen}, hover, &study.damage);
        frames = tree_layout.grain == Grain::kCells;
    };
    if (inside.w >= kLeastTreeWidth) {
        sections.push_back({kLeastTree, c.race != nullptr ? 4 : 2, draw_picture, 6, kRest});
        if (study.without != 0)  // else nothing is wrong, and no mark says so
            sections.push_back({kLegend, 6,
                                [&](Box row) {
                                    draw_legend(pen, {row.x, row.centre().y}, row.w, frames);
                                },
                                0});
    }
    sections.push_back({kHelp, 7,
                        [&](Box row) {
                            pen.line({row.x, row.bottom() - 9}, kSentence, kDim, row.w);
                        },
                        kClose});
    stack(pen, std::move(sections), inside, 0);
    return out;
}

}  // namespace warptree::scene
