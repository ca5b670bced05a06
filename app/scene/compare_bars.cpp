// The counters of a comparison, side by side: a bar a column growing with the steps, its number, its ratio to the first
// column's, and a tick at the better.
#include <algorithm>
#include <cmath>

#include "app/scene/compare.hpp"

namespace warptree::scene {
namespace {

constexpr float kName = 25, kTitleRow = 34, kNumber = 90, kRatio = 68, kMark = 20, kTag = 20;
constexpr double kMostNarrow = 1e6;  // numbers below fit kNumber
constexpr float kLeastEntry = 330;   // width

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

/// Closer in a low box.
struct Setting {
    float line = 21, air = 13;
    float number = kNumber;  // the room for one
    float height(const Comparison& c) const { return kName + static_cast<float>(c.size()) * line + air; }
};

void draw_entry(Pen& pen, const Comparison& c, Playhead moment, const Bars& bars, const Setting& set, Box box) {
    const float used = pen.line({box.x, box.y + 11}, bars.figure->name, kSubHeading, box.w);
    pen.either({box.x + used + 12, box.y + 11}, {bars.figure->note}, kFine, box.w - used - 14);
    const std::vector<bool> best = better_by_now(*bars.figure, bars.now, bars.total);
    Table table(pen, {box.x + 2, box.y + kName + set.line / 2 - 10, box.w - 2, box.h},
                {{"", kTag, Align::kLeft}, {""}, {"", set.number}, {"", kRatio}, {"", kMark + 4}}, set.line);
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

}  // namespace

void draw_bars(Pen& pen, const Comparison& c, Playhead moment, Box box) {
    const Box inside{box.x + 6, box.y, box.w - 6, box.h};
    const auto columns = std::max<std::size_t>(1, static_cast<std::size_t>(inside.w / kLeastEntry));
    const float gap = 28;
    const float w = (inside.w - static_cast<float>(columns - 1) * gap) / static_cast<float>(columns);
    const std::vector<Bars> all = all_bars(c, moment);
    Setting set = box.h < 320 ? Setting{20, 8} : Setting{};
    for (const Bars& bars : all)
        for (const double total : bars.total)
            if (total >= kMostNarrow)
                set.number = std::max(set.number, pen.width(bars.figure->text(total), Face::kMonoBold, 17) + 14);
    const float height = set.height(c);
    const bool titled = box.h >= kTitleRow + 2 * height;
    float top = inside.y;
    if (titled) {
        const float used =
            pen.line({inside.x, top + 16}, "Cost so far", {Face::kSansBold, kTitle, {Role::kText}}, inside.w / 2);
        pen.either({inside.right(), top + 16}, {"bold and ticked: the better"}, kFine, inside.w - used - 20,
                   Align::kRight);
        top += kTitleRow + 6;
    }
    const auto rows = static_cast<std::size_t>(std::max(0.0f, (inside.bottom() - top + set.air) / height));
    const std::size_t shown = std::min(all.size(), rows * columns);
    if (shown == 0) return;
    const std::size_t down = (shown + columns - 1) / columns;
    const float spare =
        down > 1
            ? std::clamp((inside.bottom() - top - static_cast<float>(down) * height) / static_cast<float>(down - 1),
                         0.0f, 12.0f)
            : 0.0f;
    for (std::size_t k = 0; k < shown; ++k) {
        const float x = inside.x + static_cast<float>(k / down) * (w + gap);
        const float y = top + static_cast<float>(k % down) * (height + spare);
        draw_entry(pen, c, moment, all[k], set, {x, y, w, height});
    }
}

}  // namespace warptree::scene
