// The columns of a comparison: each a card with its name, its efficiency and its tree, or its first figures; and their
// counters side by side: a bar a column growing with the steps, its number, its ratio to the first column's, and a tick
// at the better.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/scene/compare.hpp"
#include "app/scene/tree_parts.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kBetween = 14, kEdge = kPad - 2, kHead = 92, kFootHeight = 34, kInside = 16;
constexpr float kLeastCard = 300, kLeastTree = 132, kLeastBars = 380, kMostBars = 540, kCloseLine = 20;
constexpr float kPill = 34, kBadge = 24, kName = 25;

/// What one figure is in every column: before the present step, after it, and in the end.
struct Bars {
    const Figure* figure;
    std::vector<double> before, now, total;
    std::vector<double> used;  // of a bar that is split: which share of it did work
    double most = 0;           // what the longest bar stands for
};

struct Tallies {
    std::vector<Tally> before, now, total;
};

/// The share of slots whose lane worked, in loads as well: what the warps' view draws solid.
double at_work(const counters::Counters& all) {
    if (all.consumed_slots == 0) return 0;
    return static_cast<double>(all.active_threads) / static_cast<double>(all.consumed_slots);
}

Tallies tallies(const Comparison& c, Playhead moment) {
    Tallies t;
    for (std::size_t i = 0; i < c.size(); ++i) {
        const Subject& s = c.column(i);
        const Playhead at = c.at(i, moment);
        t.now.push_back(tally(s, at.position));
        t.before.push_back(at.progress < 1 && at.has_step() ? tally(s, at.position - 1) : t.now.back());
        t.total.push_back(tally(s, c.steps(i)));
    }
    return t;
}

/// The figures that are not zero in every column from beginning to end.
std::vector<Bars> all_bars(const Comparison& c, Playhead moment) {
    const Tallies t = tallies(c, moment);
    std::vector<Bars> all;
    for (const Figure& figure : figures()) {
        Bars bars{&figure, {}, {}, {}, {}, figure.share ? 1.0 : 0.0};
        for (std::size_t i = 0; i < c.size(); ++i) {
            bars.before.push_back(figure(t.before[i]));
            bars.now.push_back(figure(t.now[i]));
            bars.total.push_back(figure(t.total[i]));
            if (figure.split) bars.used.push_back(at_work(t.now[i].all));
            if (!std::isnan(bars.total.back())) bars.most = std::max(bars.most, bars.total.back());
        }
        if (bars.most > 0) all.push_back(std::move(bars));
    }
    return all;
}

void bar(Pen& pen, const Bars& bars, std::size_t i, float progress, Box box) {
    pen.fill(box, {Role::kRaised, 0.6f}, 3);
    const double before = std::isnan(bars.before[i]) ? 0 : bars.before[i];
    const double now = std::isnan(bars.now[i]) ? 0 : bars.now[i];
    const float share =
        static_cast<float>((before + (now - before) * static_cast<double>(eased(progress))) / bars.most);
    const float w = box.w * std::clamp(share, 0.0f, 1.0f);
    if (w < 1) return;
    if (!bars.used.empty())
        return draw_use(pen, {box.x, box.y, w, box.h}, {.share = bars.used[i], .radius = 3, .outline = 1.2f});
    pen.mark({box.x, box.y, w, box.h}, {bars.figure->role}, bars.figure->fill, 1.2f, std::min(3.0f, w / 2));
}

/// How an entry stands: closer where not all have room else.
struct Setting {
    float line = 21, air = 13;
    float number = 90;  // the room for one
    float height(const Comparison& c) const { return kName + static_cast<float>(c.size()) * line; }
};

void draw_entry(Pen& pen, const Comparison& c, Playhead moment, const Bars& bars, const Setting& set, Box box) {
    const float used = pen.line({box.x, box.y + 11}, bars.figure->name, kSubHeading, box.w);
    pen.either({box.x + used + 12, box.y + 11}, {bars.figure->note}, kFine, box.w - used - 14);
    const std::vector<bool> best = better_by_now(*bars.figure, bars.now, bars.total);
    Table table(pen, {box.x + 2, box.y + kName + set.line / 2 - 10, box.w - 2, box.h},
                {{"", 20, Align::kLeft}, {""}, {"", set.number}, {"", 68}, {"", 24}}, set.line);
    for (std::size_t i = 0; i < c.size(); ++i, table.next()) {
        const Box track = table.cell(1), mark = table.cell(4);
        table.text(0, column_tag(i), {Face::kMonoBold, kSmall, {Role::kTextDim}});
        bar(pen, bars, i, c.at(i, moment).progress, {track.x, table.y() - 7, track.w, 14});
        table.text(2, bars.figure->text(bars.now[i]), chosen_style({Face::kMono, 17, {Role::kTextDim}}, best[i]));
        if (i > 0)
            table.text(3, ratio_text(bars.now[i], bars.now[0]),
                       chosen_style({Face::kMono, 15, {Role::kTextDim}}, best[i]));
        if (best[i]) draw_tick(pen, {mark.right() - 8, table.y()}, {Role::kText});
        pen.spot(table.line(), figure_id(*bars.figure, i));
    }
}

/// The figures below one another, in columns where the box is wide, the first ones where not all have room.
void draw_bars(Pen& pen, const Comparison& c, Playhead moment, const std::vector<Bars>& all, Box box) {
    constexpr float kTitleRow = 34, kLeastEntry = 330, kApart = 28;
    constexpr double kMostNarrow = 1e6;  // numbers below fit the usual column
    const auto columns = std::max<std::size_t>(1, static_cast<std::size_t>(box.w / kLeastEntry));
    const float w = (box.w + kApart) / static_cast<float>(columns) - kApart;
    Setting set;
    for (const Bars& bars : all)
        for (const double total : bars.total)
            if (total >= kMostNarrow)
                set.number = std::max(set.number, pen.width(bars.figure->text(total), Face::kMonoBold, 17) + 14);
    const auto rows_of = [&](std::size_t count) {
        std::vector<Section> sections;
        for (std::size_t i = 0; i < count; ++i)
            sections.push_back({set.height(c), static_cast<int>(i), nullptr, set.air});
        return stacked(sections, box, 12);
    };
    const auto fitting = [&] {
        const auto fits = [](Box row) { return row.h > 0; };
        return std::min(all.size(),
                        columns * static_cast<std::size_t>(std::ranges::count_if(rows_of(all.size()), fits)));
    };
    const auto title = [&](Box row) {
        const float used =
            pen.line({row.x, row.y + 16}, "Cost so far", {Face::kSansBold, kTitle, {Role::kText}}, row.w / 2);
        pen.either({row.right(), row.y + 16}, {"bold and ticked: the better"}, kFine, row.w - used - 20, Align::kRight);
    };
    if (box.h >= kTitleRow + 6 + 2 * (set.height(c) + set.air)) title(cut_top(box, kTitleRow, 6));
    if (fitting() < all.size()) set.line = kCloseLine, set.air = 8;
    const std::size_t shown = fitting(), down = (shown + columns - 1) / columns;
    const std::vector<Box> rows = rows_of(down);
    for (std::size_t i = 0; i < shown; ++i) {
        const Box& row = rows[i % down];
        draw_entry(pen, c, moment, all[i], set, {row.x + static_cast<float>(i / down) * (w + kApart), row.y, w, row.h});
    }
}

/// The controls at the right of the title's row, as many as have room: the switch first.
void draw_controls(Pen& pen, const Comparison& c, Box box, float title, const Target& hover) {
    constexpr float kShare = 0.26f;  // of the row: the rest is the tabs'
    const float y = box.y + std::min(kTitleY, title / 2 + 2) - kPill / 2;
    std::vector<Choice> columns;
    if (c.size() < kMostColumns) columns.push_back({"+ column", control_id(Control::kAddColumn)});
    if (c.size() > 1) columns.push_back({"swap", control_id(Control::kSwap)});
    draw_choices(pen, {box.right() - kPad - kShare * box.w, y, kShare * box.w, kPill},
                 {columns,
                  {{"in step", control_id(Control::kInStep), !c.by_time()},
                   {"by time", control_id(Control::kByTime), c.by_time()}}},
                 hover, Align::kRight);
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

/// A column's letter.
void draw_tag(Pen& pen, Vec centre, std::size_t column, bool chosen) {
    pen.framed({centre.x - kBadge / 2, centre.y - kBadge / 2, kBadge, kBadge}, {chosen ? Role::kAccent : Role::kRaised},
               {Role::kLine}, chosen ? 0.0f : 1.0f, 6);
    pen.line(centre, column_tag(column), {Face::kMonoBold, kSmall, {chosen ? Role::kOnAccent : Role::kText}}, kBadge,
             Align::kCentre);
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
    const Tally now = tally(s, c.at(i, moment).position);
    const std::string share = figures().front().text(figures().front()(now));
    const bool room_for_cross = right - kPill - 16 - x - kBadge >= pen.width(share, Face::kMonoBold, kLeast);
    if (c.size() > 2 && room_for_cross) {  // it takes the column away
        const Box box{right - 22, y - 17, kPill, kPill};
        const Id id = button(Control::kColumnRemove, box);
        pen.line(box.centre(), "×", {Face::kSans, 22, {Role::kTextDim}}, box.w, Align::kCentre, id);
        end = box.x - 8;
    }
    const Id efficiency = figure_id(figures().front(), i);
    end -= pen.line({end, y}, share, {Face::kMonoBold, 24, {Role::kText}},
                    std::min(end - x - kBadge - 8, std::max(70.0f, 0.3f * card.w)), Align::kRight, efficiency) +
           12;
    const float name_x = x + kBadge + 10;
    const float room = end - name_x - kPill - 4;
    const std::string& full = s.trace.launch.kernel;
    const std::string name = pen.width(full, Face::kSansBold, 16) <= room ? full : std::string(s.kernel->label);
    const float needed = pen.width(name, Face::kSansBold, kTitle);
    button(Control::kColumnName, {x - 5, y - kPill / 2, kBadge + 15 + std::min(needed, room), kPill});
    draw_tag(pen, {x + kBadge / 2, y}, i, i == look.focus);
    const bool named = pen.width(s.kernel->label, Face::kSansBold, kLeast) <= room;
    const float used = named ? pen.line({name_x, y}, name, {Face::kSansBold, kTitle, {Role::kText}}, room) : 0;
    const Box menu{name_x + used + 2, y - kPill / 2, kPill, kPill};
    if (menu.right() <= end) {
        const Id id = button(Control::kColumnKernel, menu);
        const Vec m = menu.centre();
        pen.add(Triangle{{m.x - 6, m.y - 3}, {m.x + 6, m.y - 3}, {m.x, m.y + 5}, {Role::kTextDim}, id});
    }
    const Box bar{x, card.y + 48, right - x, 12};
    draw_efficiency(pen, now.useful, bar);
    pen.spot(bar, efficiency);
    // Where the name has no room above it stands here: the caption tells the step, too.
    const std::string own = differences(c, i), first = named ? where(c, i, moment) : name;
    const std::string both = own.empty() ? first : first + " · " + own;
    const float said = pen.either({x, card.y + 76}, {both, named && !own.empty() ? own : first}, kDim, right - x);
    pen.either({right, card.y + 76}, {remark}, kAxisText, right - x - said - 20, Align::kRight);
}

/// The first figures of a column whose names have room, a line each: of cards without a tree.
void draw_figures(Pen& pen, const std::vector<Bars>& all, std::size_t i, Box box) {
    constexpr float kLine = 22;
    for (const Bars& bars : all) {
        const std::string value = bars.figure->text(bars.now[i]);
        float widest = 0;
        for (const double now : bars.now)
            widest = std::max(widest, pen.width(bars.figure->text(now), Face::kMono, kSmall));
        const float room = box.w - widest - 12;
        const bool above = bars.figure == &figures().front();  // it stands there already
        if (above || box.h < kLine || pen.width(bars.figure->name, kDim.face, kLeast) > room) continue;
        const float y = cut_top(box, kLine).y + 10;
        pen.line({box.x, y}, bars.figure->name, kDim, room);
        pen.put({box.right(), y}, value, {Face::kMono, kSmall, {Role::kText}}, Align::kRight);
    }
}

void draw_card(Pen& pen, const Comparison& c, std::size_t i, Playhead moment, const CompareLook& look, Box card,
               bool tree, const std::vector<Bars>& all, const Target& hover) {
    const bool chosen = i == look.focus && c.size() > 1;
    pen.framed(card, {Role::kPanel}, {chosen ? Role::kAccent : Role::kLine}, chosen ? 2.5f : 1.0f, 10,
               control_id(Control::kColumn, 0, i));
    std::string remark;
    if (tree) {
        const Box box = tree_in(card);
        const auto [s, at] = c.shown(i, moment);
        const TreeLayout layout(s, tree_camera(s, at, look.camera, box, look.follow), box);
        draw_tree({s, layout, at, pen}, i == look.hovered ? hover : Target{});
        remark = tree_remark(s, layout);
    } else {
        draw_figures(pen, all, i, {card.x + kInside, card.y + kHead - 4, card.w - 2 * kInside, card.h - kHead + 4});
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

Box tree_box(const CompareLayout& l, std::size_t column) {
    return l.trees && column < l.cards.size() ? tree_in(l.cards[column]) : Box{};
}

CompareLayout compare_layout(std::size_t columns, Box box) {
    CompareLayout l;
    l.title = TreeLayout::title_height(box.h) + 2;  // clear of the line under the tab
    Box inside{box.x + kEdge, box.y + l.title, box.w - 2 * kEdge, box.h - l.title - kBetween};
    const bool two_rows = columns == 4 && inside.h >= 2 * (kHead + kLeastTree) + kBetween + kFootHeight;
    const std::size_t down = two_rows ? 2 : 1, across = columns / down;
    const auto n = static_cast<float>(across);
    const float cards = n * kLeastCard + (n - 1) * kBetween;
    l.trees = inside.w >= cards && inside.h >= kHead + kLeastTree;
    const float entry = kName + static_cast<float>(columns) * kCloseLine;  // of the bars, at least
    if (!l.trees && inside.h >= kHead + 6 + entry) {  // names and efficiency alone, the counters below
        l.bars = inside;
        inside = cut_top(l.bars, kHead - 2, 8);
    } else if (inside.w >= kLeastBars + kBetween + cards) {
        l.bars = cut_right(inside, std::clamp(0.27f * inside.w, kLeastBars, kMostBars), kBetween);
    }
    if (l.trees && inside.h >= kHead + kLeastTree + kFootHeight + 60) {
        l.foot = cut_bottom(inside, kFootHeight);
        l.foot = {l.foot.x + 4, l.foot.y + 8, l.foot.w - 8, l.foot.h - 8};
    }
    const float w = (inside.w + kBetween) / n - kBetween;
    const float h = (inside.h + kBetween) / static_cast<float>(down) - kBetween;
    while (l.cards.size() < columns) {
        Box row = cut_top(inside, h, kBetween);
        for (std::size_t i = 0; i < across; ++i) l.cards.push_back(cut_left(row, w, kBetween));
    }
    return l;
}

Scene compare_view(const Comparison& c, Playhead moment, const CompareLook& look, Box box, const Measure& measure,
                   const Target& hover) {
    return on_panel(box, measure, [&](Pen& pen) {
        const CompareLayout l = compare_layout(c.size(), box);
        draw_controls(pen, c, box, l.title, hover);
        const std::vector<Bars> all = all_bars(c, moment);
        for (std::size_t i = 0; i < c.size(); ++i) draw_card(pen, c, i, moment, look, l.cards[i], l.trees, all, hover);
        if (l.bars.w > 0) draw_bars(pen, c, moment, all, {l.bars.x + 6, l.bars.y, l.bars.w - 6, l.bars.h});
        if (l.foot.w > 0) draw_foot(pen, c, l.foot);
    });
}

}  // namespace warptree::scene
