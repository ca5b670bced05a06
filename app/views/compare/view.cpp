// The columns of a comparison: each a card with its tree or its first figures; their counters side by side, a bar a
// column with its ratio to the first column's; and the transport below them, a row a column.
#include "app/views/compare/view.hpp"

#include "app/kit/layout.hpp"
#include "app/kit/timeline.hpp"
#include "app/views/transport/view.hpp"
#include "app/views/tree/parts.hpp"

namespace warptree::scene {
namespace {

/// The moments, and on them a row a column with its steps.
void draw_moments(Pen& pen, const Comparison& c, Playhead at, Box box, const Target& hover) {
    if (box.w < 60 || box.h < 12) return;
    constexpr float kLetter = 24, kBetweenRows = 5;
    const float each = (box.h - 8 + kBetweenRows) / c.size() - kBetweenRows, letters = box.x;
    cut_left(box, kLetter);
    // draw(first, end, x, width): of what begins at some times, and together what would be too narrow alone
    const auto each_band = [&](std::size_t count, auto time, auto draw) {
        const auto x = [&](std::size_t i) {
            return box.x + box.w * time(i) / std::max<std::uint64_t>(1, c.time(c.moments()));
        };
        for (std::size_t first = 0, end = 0; first < count; first = end) {
            do ++end;
            while (end < count && x(end) - x(first) < kNarrowest);
            draw(first, end, x(first), x(end) - x(first));
        }
    };
    std::vector<Band> bands;
    const auto time = [&](std::size_t moment) { return c.time(moment); };
    each_band(c.moments(), time, [&](std::size_t first, std::size_t end, float x, float w) {
        const float edge = w > 12 ? 1.5f : 0.0f;
        bands.push_back({{first, end}, {x + edge, box.y, w - 2 * edge, box.h}});
    });
    if (!bands.empty()) draw_timeline(pen, bands, at, hover, false);
    cut_top(box, 4);
    for (std::size_t i = 0; i < c.size(); ++i) {
        const Box row = cut_top(box, each, kBetweenRows);
        if (each + kBetweenRows >= 15)
            pen.line({letters, row.centre().y}, column_tag(i),
                     {kMonoBold, std::clamp(each, kLeast, kSmall), {kTextDim}}, kLetter - 4);
        const auto begin = [&](std::size_t step) { return c.begin(i, step); };
        each_band(c.steps(i), begin, [&](std::size_t first, std::size_t end, float x, float w) {
            Useful sum;
            for (std::size_t step = first; step < end; ++step) sum += c.useful(i, step);
            const float edge = w > 12 ? 4.0f : w > 5 ? 1.0f : 0.0f;
            draw_step_use(pen, {x + edge, row.y, w - 2 * edge, row.h}, std::max(1.0 / row.h, sum.efficiency()),
                          sum.slots == 0, first >= c.at(i, at).position);
        });
    }
}

constexpr float kBetween = 14, kEdge = kPad - 2, kHead = 92, kFootHeight = 34, kInside = 16;
constexpr float kLeastCard = 300, kLeastTree = 132, kLeastBars = 380, kMostBars = 540, kCloseLine = 20;
constexpr float kPill = 34, kBadge = 24, kName = 25;

struct CompareContext {
    const Comparison& c;
    Playhead moment;
    const CompareLook& look;
    Pen& pen;
    const Target& hover;
    std::vector<Bars> bars = ranked_bars(c, moment, look.rows);
    std::span<const Tally> versions() const {
        return look.versions ? std::span(*look.versions) : std::span<const Tally>();
    }
};

/// What each version of the first column's program came to in the end, as small bars; the last ones, as far as there is
/// room.
/// returns  how wide they are
float draw_versions(const CompareContext& v, const Figure& figure, Box row) {
    constexpr float kBar = 7, kAir = 3, kHigh = 16;
    if (v.versions().size() < 2 || row.w < 4 * kBar) return 0;
    const std::size_t count =
        std::min<std::size_t>(v.versions().size(), static_cast<std::size_t>(row.w / (kBar + kAir)));
    double most = figure.share ? 1 : 0;
    for (const Tally& one : v.versions()) most = std::fmax(most, figure(one));  // NaN is passed over
    const float width = static_cast<float>(count) * (kBar + kAir) - kAir;
    const Box box{row.right() - width, row.y + 11 - kHigh / 2, width, kHigh};
    float x = box.x;
    for (const Tally& one : v.versions().last(count)) {
        const bool now = &one == &v.versions().back();
        const float high = std::max(1.5f, kHigh * static_cast<float>(std::fmax(0, figure(one)) / std::max(most, 1e-9)));
        v.pen.fill({x, box.bottom() - high, kBar, high}, {now ? figure.role : kTextDim, now ? 1.0f : 0.6f}, 1);
        x += kBar + kAir;
    }
    v.pen.spot(box, figure_id(figure, kVersions));
    return width;
}

void draw_entry(const CompareContext& v, const Bars& bars, float line, float number, Box box) {
    const About about(v.pen, figure_id(*bars.figure, 0));
    const float used = v.pen.line({box.x, box.y + 11}, bars.figure->name, kSubHeading, box.w);
    const float versions = draw_versions(v, *bars.figure, {box.x + used + 14, box.y, box.w - used - 14, kName});
    v.pen.either({box.x + used + 12, box.y + 11}, {bars.figure->note}, kFine,
                 box.w - used - 14 - versions - (versions > 0 ? 12 : 0));
    const std::vector<bool> best = bars.best();
    Table table(v.pen, {box.x + 2, box.y + kName + line / 2 - 10, box.w - 2, box.h},
                {{"", 20, kLeft}, {""}, {"", number}, {"", 68}, {"", 24}}, line);
    for (std::size_t i = 0; i < v.c.size(); ++i, table.next()) {
        const Box cell = table.cell(1);
        const Style figure{kMono, 17, {kTextDim}}, ratio{kMono, 15, {kTextDim}};
        table.text(0, column_tag(i), {kMonoBold, kSmall, {kTextDim}});
        Box bar{cell.x, table.y() - 7, cell.w, 14};
        v.pen.fill(bar, {kRaised, 0.6f}, 3);
        const double before = std::fmax(0, bars.before[i]), now = std::fmax(0, bars.now[i]);
        const double share = before + (now - before) * eased(v.c.at(i, v.moment).progress);
        bar.w *= std::clamp(share / bars.most, 0.0, 1.0);
        if (bar.w >= 1 && !bars.used.empty())
            draw_use(v.pen, bar, {.share = bars.used[i], .radius = 3, .outline = 1.2f});
        else if (bar.w >= 1)
            v.pen.mark(bar, {bars.figure->role}, bars.figure->fill, 1.2f, std::min(3.0f, bar.w / 2));
        table.text(2, bars.figure->text(bars.now[i]), chosen_style(figure, best[i]));
        if (i > 0) table.text(3, ratio_text(bars.now[i], bars.now[0]), chosen_style(ratio, best[i]));
        if (best[i]) draw_tick(v.pen, {table.cell(4).right() - 8, table.y()}, {kText});
        v.pen.spot(table.line(), figure_id(*bars.figure, i));
    }
}

/// The figures below one another, in columns where the box is wide; closer, and the first ones alone, where not all
/// have room.
void draw_bars(const CompareContext& v, Box box) {
    constexpr float kTitleRow = 34, kLeastEntry = 330, kApart = 28, kLoose = 21, kLooseAir = 13, kCloseAir = 8;
    constexpr double kMostNarrow = 1e6;  // numbers below fit the usual column
    const std::size_t columns = std::max(1.0f, box.w / kLeastEntry);
    const float w = (box.w + kApart) / columns - kApart;
    const std::vector<Bars>& all = v.bars;
    float number = 90;
    for (const Bars& bars : all)
        if (bars.most >= kMostNarrow)
            number = std::max(number, v.pen.width(bars.figure->text(bars.most), kMonoBold, 17) + 14);
    const auto rows_of = [&](std::size_t count, float line, float air) {
        std::vector<Section> sections;
        while (sections.size() < count)
            sections.push_back({kName + v.c.size() * line, int(sections.size()), nullptr, air});
        std::vector<Box> rows = stacked(sections, box, 12);
        std::erase_if(rows, [](Box row) { return row.h == 0; });
        return rows;
    };
    Box title{};
    if (box.h >= kTitleRow + 6 + 2 * (kName + v.c.size() * kLoose + kLooseAir)) title = cut_top(box, kTitleRow, 6);
    const bool close = columns * rows_of(all.size(), kLoose, kLooseAir).size() < all.size();
    const float line = close ? kCloseLine : kLoose, air = close ? kCloseAir : kLooseAir;
    const std::size_t shown = std::min(all.size(), columns * rows_of(all.size(), line, air).size());
    if (title.h > 0) {
        const float y = title.y + 16,
                    used = v.pen.line({title.x, y}, "Cost so far", {kSansBold, kTitle, {kText}}, title.w / 2);
        const std::string less = fmt::format("{} of {} have room", shown, all.size());
        const std::string small = fmt::format("small bars: versions up to {}", v.versions().size());
        v.pen.either({title.right(), y},
                     {v.versions().size() > 1 ? small
                      : shown < all.size()    ? less
                                              : "bold and ticked: the better"},
                     kFine, title.w - used - 20, kRight);
    }
    const std::vector<Box> rows = rows_of((shown + columns - 1) / columns, line, air);
    for (std::size_t i = 0; i < shown; ++i) {
        const Box& row = rows[i % rows.size()];
        draw_entry(v, all[i], line, number, {row.x + i / rows.size() * (w + kApart), row.y, w, row.h});
    }
}

/// A ground that shows what the pointer is over.
void draw_button(const CompareContext& v, Command command, std::string tooltip, Box box) {
    const Id id = v.pen.button(box, std::move(command), std::move(tooltip), 8);
    v.pen.fill(box, {pack(v.hover) == id ? kRaisedHover : kPanel}, 8);
}

/// Letter, name, how far it is, efficiency so far. `remark` is the tree's own.
void draw_head(const CompareContext& v, std::size_t i, Box card, const std::string& remark) {
    Pen& pen = v.pen;
    const Subject& s = v.c.column(i);
    const float x = card.x + kInside, right = card.right() - kInside, y = card.y + 26;
    const Tally now = tally(s, v.c.at(i, v.moment).position);
    const Figure& efficiency = figures().front();
    const std::string share = efficiency.text(efficiency(now));
    float end = right;
    if (v.c.size() > 2 && right - kPill - 16 - x - kBadge >= pen.width(share, kMonoBold, kLeast)) {
        const Box box{right - 22, y - kPill / 2, kPill, kPill};
        draw_button(v, {.action = Action::kRemoveColumn, .value = 1.0 * i},
                    fmt::format("Take column {} away (−)", column_tag(i)), box);
        pen.line(box.centre(), "×", {kSans, 22, {kTextDim}}, box.w, kCentre);
        end = box.x - 8;
    }
    end -= pen.line({end, y}, share, {kMonoBold, 24, {kText}},
                    std::min(end - x - kBadge - 8, std::max(70.0f, 0.3f * card.w)), kRight, figure_id(efficiency, i)) +
           12;
    const float name_x = x + kBadge + 10, room = end - name_x - kPill - 4;
    const std::string& name = s.trace.launch.kernel;
    const float needed = pen.width(name, kSansBold, kTitle);
    draw_button(v, {.action = Action::kColumn, .value = 1.0 * i},
                i == 0 ? "What is chosen in the header changes this column; input and size change in all"
                       : "What is chosen in the header changes this column alone",
                {x - 5, y - kPill / 2, kBadge + 15 + std::min(needed, room), kPill});
    const bool chosen = i == v.look.focus;
    const Box badge{x, y - kBadge / 2, kBadge, kBadge};
    pen.framed(badge, {chosen ? kAccent : kRaised}, {kLine}, chosen ? 0.0f : 1.0f, 6);
    pen.line(badge.centre(), column_tag(i), {kMonoBold, kSmall, {chosen ? kOnAccent : kText}}, kBadge, kCentre);
    const bool named = pen.width(name, kSansBold, kLeast) <= room;
    const float used = named ? pen.line({name_x, y}, name, {kSansBold, kTitle, {kText}}, room) : 0;
    const Box menu{name_x + used + 2, y - kPill / 2, kPill, kPill};
    if (menu.right() <= end) {
        draw_button(v, {.action = Action::kMenu, .value = 1.0 + i, .menu = Menu::kKernels},
                    fmt::format("Another kernel for column {}", column_tag(i)), menu);
        const Vec m = menu.centre();
        pen.add(Triangle{{m.x - 6, m.y - 3}, {m.x + 6, m.y - 3}, {m.x, m.y + 5}, {kTextDim}});
    }
    const Box bar{x, card.y + 48, right - x, 12};
    draw_efficiency(pen, now.useful, bar);
    pen.spot(bar, figure_id(efficiency, i));
    // Where the name has no room above it stands here: the caption tells the step, too.
    const Playhead at = v.c.at(i, v.moment);
    const std::string where = v.c.finished(i, v.moment.position) ? "finished, result " + result_text(s)
                              : !at.has_step()                   ? counted(v.c.steps(i), "step")
                                               : fmt::format("step {} of {}", at.position, v.c.steps(i));
    const std::string own = differences(v.c, i), first = named ? where : name;
    const std::string both = own.empty() ? first : first + " · " + own;
    float said = pen.either({x, card.y + 76}, {both, named && !own.empty() ? own : first}, kDim, right - x);
    if (said == 0 && !named) said = pen.line({x, card.y + 76}, name, kDim, right - x);  // never a card of nobody's
    pen.either({right, card.y + 76}, {remark}, kAxisText, right - x - said - 20, kRight);
}

void draw_card(const CompareContext& v, std::size_t i, const CompareLayout& l) {
    const Box card = l.cards[i];
    const bool chosen = i == v.look.focus && v.c.size() > 1;
    v.pen.framed(card, {kPanel}, {chosen ? kAccent : kLine}, chosen ? 2.5f : 1.0f, 10);
    std::string remark;
    if (l.trees) {
        const Box box = tree_box(l, i);
        const auto [s, at] = v.c.shown(i, v.moment);
        const TreeLayout layout(s, tree_camera(s, at, v.look.camera, box, v.look.follow), box);
        draw_tree({{s, at, v.pen, i == v.look.hovered ? v.hover : Target{}}, layout});
        remark = tree_remark(s, layout).text;
    } else {
        constexpr float kFigureLine = 22;  // the first figures whose names have room, a line each
        Box box{card.x + kInside, card.y + kHead - 4, card.w - 2 * kInside, card.h - kHead + 4};
        for (const Bars& bars : v.bars) {
            float widest = 0;
            for (const double now : bars.now)
                widest = std::max(widest, v.pen.width(bars.figure->text(now), kMono, kSmall));
            const float room = box.w - widest - 12;
            const bool above = bars.figure == &figures().front();  // it stands there already
            if (above || box.h < kFigureLine) continue;
            if (v.pen.width(bars.figure->name, kDim.face, kLeast) > room) continue;
            const float y = cut_top(box, kFigureLine).y + 10;
            v.pen.line({box.x, y}, bars.figure->name, kDim, room);
            v.pen.put({box.right(), y}, bars.figure->text(bars.now[i]), {kMono, kSmall, {kText}}, kRight);
        }
    }
    draw_head(v, i, card, remark);
}

/// Legend and a sentence of help.
void draw_foot(const CompareContext& v, Box box) {
    const float y = box.centre().y + 2, room = box.w - draw_legend(v.pen, {box.x, y}, box.w, kTreeLegend) - 28;
    const auto help = [&](auto... wordings) { v.pen.either({box.right(), y}, {wordings...}, kNote, room, kRight); };
    if (v.c.by_time())
        return help("One scheduler for each: a step takes as long as it has active warps to issue.",
                    "A step takes as long as it has active warps to issue.", "A step takes its active warps.");
    if (v.c.size() == 1) return help("Each press makes one step.");
    bool alike = true;  // files and programs have brought their own
    for (std::size_t i = 1; i < v.c.size(); ++i)
        alike = alike && v.c.column(i).trace.launch.n == v.c.column(0).trace.launch.n;
    const std::string click = "Each press makes one step in every column. Click a column, then choose in the header";
    help(click + (alike ? "; A's input and size hold for all." : "."),
         "Each press makes one step in every column. Click a column, then choose in the header.",
         "Each press makes one step in every column.", "A press: a step in each.");
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
        draw_moments(pen, c, at, {left, bottom - height, box.right() - kPad - left, height}, hover);
    });
}

Box tree_box(const CompareLayout& l, std::size_t column) {
    if (!l.trees || column >= l.cards.size()) return {};
    const Box card = l.cards[column];  // the title's row, which the tree draws none of, lies behind the card's head
    const float body = card.h - kHead - 6, title = TreeLayout::title_height(body + kTitleHeight);
    return {card.x, card.y + kHead - title, card.w, body + title};
}

CompareLayout compare_layout(std::size_t columns, Box box) {
    CompareLayout l;
    l.title = TreeLayout::title_height(box.h) + 2;  // clear of the line under the tab
    Box inside{box.x + kEdge, box.y + l.title, box.w - 2 * kEdge, box.h - l.title - kBetween};
    const bool two_rows = columns == 4 && inside.h >= 2 * (kHead + kLeastTree) + kBetween + kFootHeight;
    const std::size_t down = two_rows ? 2 : 1, across = columns / down;
    const float cards = across * (kLeastCard + kBetween) - kBetween;
    l.trees = inside.w >= cards && inside.h >= kHead + kLeastTree;
    const float entry = kName + columns * kCloseLine;  // of the bars, at least
    if (!l.trees && inside.h >= kHead + 6 + entry) {   // names and efficiency alone, the counters below
        l.bars = inside;
        inside = cut_top(l.bars, kHead - 2, 8);
    } else if (inside.w >= kLeastBars + kBetween + cards) {
        l.bars = cut_right(inside, std::clamp(0.27f * inside.w, kLeastBars, kMostBars), kBetween);
    }
    if (l.trees && inside.h >= kHead + kLeastTree + kFootHeight + 60) {
        l.foot = cut_bottom(inside, kFootHeight);
        l.foot = {l.foot.x + 4, l.foot.y + 8, l.foot.w - 8, l.foot.h - 8};
    }
    const float w = (inside.w + kBetween) / across - kBetween;
    const float h = (inside.h + kBetween) / down - kBetween;
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
        const CompareContext v{c, moment, look, pen, hover};
        // The controls at the right of the title's row, as many as have room, the switch first; the rest is the tabs'.
        const float wide = 0.26f * box.w, y = box.y + std::min(kTitleY, l.title / 2 + 2) - kPill / 2;
        std::vector<Choice> columns;
        if (c.size() < kMostColumns)
            columns.push_back({"+ column", {.action = Action::kAddColumn}, "Compare with one more kernel (+)"});
        if (c.size() > 1)
            columns.push_back({"swap", {.action = Action::kSwap}, "Swap the first column with the chosen one (X)"});
        draw_choices(
            pen, {box.right() - kPad - wide, y, wide, kPill},
            {columns,
             {{"in step", set(Field::kByTime, 0), "Each press makes one step in every column", !c.by_time()},
              {"by time", set(Field::kByTime, 1),
               "One clock for all: a step takes as long as it has active warps to issue (Shift T)", c.by_time()}}},
            hover, kRight);
        for (std::size_t i = 0; i < c.size(); ++i) draw_card(v, i, l);
        if (l.bars.w > 0) draw_bars(v, {l.bars.x + 6, l.bars.y, l.bars.w - 6, l.bars.h});
        if (l.foot.w > 0) draw_foot(v, l.foot);
    });
}

}  // namespace warptree::scene
