// The columns of a comparison: each a card with its name, its efficiency and its tree; their counters are bars beside
// them.
#include <algorithm>

#include <fmt/format.h>

#include "app/scene/compare.hpp"
#include "app/scene/tree_parts.hpp"
#include "app/study/flows.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kBetween = 14, kEdge = kPad - 2, kHead = 92, kHeadAlone = 90, kFootHeight = 34, kInside = 16;
constexpr float kLeastCard = 300, kLeastTree = 132, kLeastBars = 380, kMostBars = 540;
constexpr float kPill = 34, kBadge = 24;

/// The controls at the right of the title's row, as many as have room: the switch first.
void draw_controls(Pen& pen, const Comparison& c, Box box, float title, const Target& hover) {
    constexpr float kShare = 0.26f;  // of the row: the rest is the tabs'
    const float y = box.y + std::min(kTitleY, title / 2 + 2) - kPill / 2;
    Pills pills(pen, {box.right() - kPad - kShare * box.w, y, kShare * box.w, kPill}, hover, Align::kRight);
    pills.add("by time", control_id(Control::kByTime), c.by_time());
    pills.add("in step", control_id(Control::kInStep), !c.by_time());
    pills.next_group();
    if (c.size() > 1) pills.add("swap", control_id(Control::kSwap), false);
    if (c.size() < kMostColumns) pills.add("+ column", control_id(Control::kAddColumn), false);
}

/// Where a card has its tree: the row of the title, which it draws none of, lies behind the card's head.
Box tree_in(Box card) {
    const float body = card.h - kHead - 6, title = TreeLayout::title_height(body + kTitleHeight);
    return {card.x, card.y + kHead - title, card.w, body + title};
}

std::string where(const Comparison& c, std::size_t column, Playhead moment) {
    const Subject& s = c.column(column);
    const Playhead at = c.at(column, moment);
    if (c.finished(column, moment.position)) return "finished, result " + result_text(s);
    if (!at.has_step()) return counted(c.steps(column), "step");
    return fmt::format("step {} of {}", at.position, c.steps(column));
}

/// Name, how far it is, efficiency so far. `remark` is the tree's own.
void draw_head(Pen& pen, const Comparison& c, std::size_t i, Playhead moment, const CompareLook& look, Box card,
               const std::string& remark, const Target& hover) {
    const Subject& s = c.column(i);
    const float x = card.x + kInside, right = card.right() - kInside, y = card.y + 26;
    float end = right;
    const auto button = [&](Control control, Box box) {
        const Id id = control_id(control, 0, i);
        pen.fill(box, {pack(hover) == id ? Role::kRaisedHover : Role::kPanel}, 8, id);
        return id;
    };
    if (c.size() > 2) {  // a cross that takes the column away
        const Box box{right - 22, y - 17, kPill, kPill};
        const Id id = button(Control::kColumnRemove, box);
        pen.line(box.centre(), "×", {Face::kSans, 22, {Role::kTextDim}}, box.w, Align::kCentre, id);
        end = box.x - 8;
    }
    const Tally now = tally(s, c.at(i, moment).position);
    const std::string share = figures().front().text(figures().front()(now));
    const Id efficiency = figure_id(figures().front(), i);
    end -=
        pen.line({end, y}, share, {Face::kMonoBold, 24, {Role::kText}}, 0.3f * card.w, Align::kRight, efficiency) + 12;
    const float name_x = x + kBadge + 10;
    const float room = end - name_x - kPill - 4;
    const std::string& full = s.trace.launch.kernel;
    const std::string name = pen.width(full, Face::kSansBold, 16) <= room ? full : std::string(s.kernel->label);
    const float needed = pen.width(name, Face::kSansBold, kTitle);
    button(Control::kColumnName, {x - 5, y - kPill / 2, kBadge + 15 + std::min(needed, room), kPill});
    draw_tag(pen, {x + kBadge / 2, y}, i, i == look.focus);
    const float used = pen.line({name_x, y}, name, {Face::kSansBold, kTitle, {Role::kText}}, room);
    const Box menu{name_x + used + 2, y - kPill / 2, kPill, kPill};
    if (menu.right() <= end) {
        const Id id = button(Control::kColumnKernel, menu);
        const Vec m = menu.centre();
        pen.add(Triangle{{m.x - 6, m.y - 3}, {m.x + 6, m.y - 3}, {m.x, m.y + 5}, {Role::kTextDim}, id});
    }
    const Box bar{x, card.y + 48, right - x, 12};
    draw_efficiency(pen, now.useful, bar);
    pen.spot(bar, efficiency);
    std::string left = where(c, i, moment);
    if (const std::string own = differences(c, i); !own.empty()) left += " · " + own;
    const float said = pen.line({x, card.y + 76}, left, kDim, right - x);
    pen.either({right, card.y + 76}, {remark}, kAxisText, right - x - said - 20, Align::kRight);
}

void draw_card(Pen& pen, const Comparison& c, std::size_t i, Playhead moment, const CompareLook& look, Box card,
               bool trees, const Target& hover) {
    const bool chosen = i == look.focus && c.size() > 1;
    pen.framed(card, {Role::kPanel}, {chosen ? Role::kAccent : Role::kLine}, chosen ? 2.5f : 1.0f, 10,
               control_id(Control::kColumn, 0, i));
    std::string remark;
    if (trees) {
        const Box box = tree_in(card);
        const auto [s, at] = c.shown(i, moment);
        const TreeLayout layout(s, tree_camera(s, at, look.camera, box, look.follow), box);
        draw_tree({s, layout, at, pen}, i == look.hovered ? hover : Target{});
        remark = tree_remark(s, layout);
    }
    draw_head(pen, c, i, moment, look, card, remark, hover);
}

/// Legend and a sentence of help.
void draw_foot(Pen& pen, const Comparison& c, Box box) {
    const float y = box.centre().y + 2;
    const float x = box.x + draw_legend(pen, {box.x, y}, box.w, kTreeLegend) + 18;
    const float room = box.right() - x - 10;
    const Vec at{box.right(), y};
    if (c.by_time())
        pen.either(at,
                   {"One scheduler for each: a step takes as long as it has active warps to issue.",
                    "A step takes as long as it has active warps to issue.", "A step takes its active warps."},
                   kNote, room, Align::kRight);
    else if (c.size() > 1)
        pen.either(
            at,
            {"Each press makes one step in every column. Click a column, then choose in the header; A's input and "
             "size hold for all.",
             "Each press makes one step in every column. Click a column, then choose in the header.",
             "Each press makes one step in every column.", "A press: a step in each."},
            kNote, room, Align::kRight);
    else
        pen.line(at, "Each press makes one step.", kNote, room, Align::kRight);
}

}  // namespace

void draw_tag(Pen& pen, Vec centre, std::size_t column, bool chosen) {
    pen.framed({centre.x - kBadge / 2, centre.y - kBadge / 2, kBadge, kBadge}, {chosen ? Role::kAccent : Role::kRaised},
               {Role::kLine}, chosen ? 0.0f : 1.0f, 6);
    pen.line(centre, column_tag(column), {Face::kMonoBold, kSmall, {chosen ? Role::kOnAccent : Role::kText}}, kBadge,
             Align::kCentre);
}

Box tree_box(const CompareLayout& l, std::size_t column) {
    return l.trees && column < l.cards.size() ? tree_in(l.cards[column]) : Box{};
}

CompareLayout compare_layout(std::size_t columns, Box box) {
    CompareLayout l;
    const float n = static_cast<float>(columns);
    l.title = box.h < 320 ? 50 : kTitleHeight + 2;  // clear of the line under the tab
    Box inside{box.x + kEdge, box.y + l.title, box.w - 2 * kEdge, box.h - l.title - kBetween};
    const bool two_rows = columns == 4 && inside.h >= 2 * (kHead + kLeastTree) + kBetween + kFootHeight;
    const float across = two_rows ? 2 : n;
    const float cards = across * kLeastCard + (across - 1) * kBetween;
    l.trees = inside.w >= cards && inside.h >= kHead + kLeastTree;
    if (!l.trees) {  // names and efficiency alone, the counters below
        Box row = cut_top(inside, std::min(inside.h, kHeadAlone), 8);
        const float w = (row.w - (n - 1) * kBetween) / n;
        for (std::size_t i = 0; i < columns; ++i) l.cards.push_back(cut_left(row, w, kBetween));
        l.bars = {inside.x - 4, inside.y, inside.w + 6, inside.h + kBetween - 6};
        if (l.bars.h < 60) l.bars.w = 0;
        return l;
    }
    if (inside.w >= kLeastBars + kBetween + cards)
        l.bars = cut_right(inside, std::clamp(0.27f * inside.w, kLeastBars, kMostBars), kBetween);
    if (inside.h >= kHead + kLeastTree + kFootHeight + 60) {
        l.foot = cut_bottom(inside, kFootHeight);
        l.foot = {l.foot.x + 4, l.foot.y + 8, l.foot.w - 8, l.foot.h - 8};
    }
    const float down = two_rows ? 2 : 1;
    const float w = (inside.w - (across - 1) * kBetween) / across, h = (inside.h - (down - 1) * kBetween) / down;
    while (l.cards.size() < columns) {
        Box row = cut_top(inside, h, kBetween);
        for (float i = 0; i < across; ++i) l.cards.push_back(cut_left(row, w, kBetween));
    }
    return l;
}

Scene compare_view(const Comparison& c, Playhead moment, const CompareLook& look, Box box, const Measure& measure,
                   const Target& hover) {
    return on_panel(box, measure, [&](Pen& pen) {
        const CompareLayout l = compare_layout(c.size(), box);
        draw_controls(pen, c, box, l.title, hover);
        for (std::size_t i = 0; i < c.size(); ++i) draw_card(pen, c, i, moment, look, l.cards[i], l.trees, hover);
        if (l.bars.w > 0) draw_bars(pen, c, moment, l.bars);
        if (l.foot.w > 0) draw_foot(pen, c, l.foot);
    });
}

}  // namespace warptree::scene
