// All steps at once: a band a step, a box a warp. Equal areas are equal costs.
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "app/scene/tree_layout.hpp"
#include "app/scene/warps_parts.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kLeastBand = 9, kMostBand = 96, kColumn = 88, kLeastBox = 6;
constexpr float kLeastArea = 180;  // of the boxes, before columns beside them give way
constexpr std::size_t kNames = 0, kBoxes = 1, kEfficiency = 4;

/// A line of names, boxes and numbers, its middle at y.
Table line_at(const WarpsContext& c, Box inside, float y) {
    const float names = c.rows.size() < c.subject.steps() ? 176 : 116;
    return {c.pen,
            {inside.x, y - 10, inside.w, inside.h},
            {{"", names, Align::kLeft, 1},
             {""},
             {"at work", kColumn, Align::kRight, 3},
             {"slots", kColumn, Align::kRight, 4},
             {"efficiency", kColumn, Align::kRight, 2}},
            0,
            kLeastArea};
}

/// Slots at work, slots spent, and what part of them was of use where threads add.
void draw_numbers(Table line, const counters::Counters& cost, const study::Useful& useful, Face face, Ink ink) {
    line.row({}, {face, 18, ink}, {"", "", grouped(cost.active_threads), grouped(cost.consumed_slots)});
    line.text(kEfficiency, useful.slots > 0 ? percent(useful.efficiency()) : "–", {face, 17, ink});
}

/// Where everything stands.
struct Bands {
    Box inside, area;  // area: of the boxes of all bands
    BandGrain grain{};
    std::size_t bands = 0, boxes = 0;
    float pitch = 0, box_width = 0, names = 0;  // names: width of those at the left; 0: none
    float x(std::size_t box) const { return area.x + box_width * box; }
    float y(std::size_t band) const { return area.y + pitch * band; }
    float gap() const { return std::min(8.0f, gap_of(box_width)); }
};

Bands place_bands(const WarpsContext& c, Box inside) {
    const Table line = line_at(c, inside, 0);
    Bands b{inside, {line.cell(kBoxes).x, inside.y, line.cell(kBoxes).w, inside.h}};
    const std::size_t rows = std::max<std::size_t>(1, c.rows.size());
    b.grain.rows = std::max(1.0f, std::ceil(rows * kLeastBand / inside.h));
    b.grain.warps = std::max(1.0f, std::ceil(c.warps() * kLeastBox / b.area.w));
    b.bands = (c.rows.size() + b.grain.rows - 1) / b.grain.rows;
    b.boxes = (c.warps() + b.grain.warps - 1) / b.grain.warps;
    b.pitch = std::min(kMostBand, inside.h / std::max<std::size_t>(1, b.bands));
    b.box_width = b.area.w / b.boxes;
    b.names = line.has(kNames) ? line.cell(kNames).w : 0;
    return b;
}

/// Filled by the share at work, hatched by the share that waits; the rest is idle, and free.
void draw_share(const WarpsContext& c, Box box, const Share& share, float presence) {
    const float slot = box.w / share.capacity;
    const auto add = [&](std::size_t lanes, LaneState state, float least) {
        const Box chip = cut_left(box, lanes * slot);
        if (chip.w > least) c.pen.add(lane_chip(chip, state, 0, presence));
    };
    add(share.active, LaneState::kActive, 0.4f);
    add(share.slots - share.active, LaneState::kDiverged, 0.4f);
    add(share.capacity - share.slots, LaneState::kIdleWarp, 3);
}

/// A warp lane by lane. Lanes for which the block has no thread are paid for like those that wait.
void draw_lanes(const WarpsContext& c, Box box, std::size_t step, std::size_t warp, float presence) {
    const auto& lanes = c.subject.lanes[step];
    const bool idle = share_of(c, {step, step + 1}, warp, warp + 1).slots == 0;
    const float pitch = box.w / c.warp_size(), gap = std::min(4.0f, gap_of(pitch));
    for (std::size_t lane = 0; lane < c.warp_size(); ++lane) {
        const std::size_t t = warp * c.warp_size() + lane;
        const bool exists = t < lanes.size();
        const LaneState state = idle ? LaneState::kIdleWarp : exists ? lanes[t] : LaneState::kDiverged;
        const Box cell{box.x + lane * pitch, box.y, pitch - gap, box.h};
        const Id id = exists ? lane_id(step, t) : 0;
        c.pen.add(lane_chip(cell, state, id, presence));
        const float size = std::min(18.0f, std::floor(0.5f * box.h));
        if (exists && size >= kIndex && c.pen.width(std::to_string(t), Face::kMonoBold, size) <= cell.w - 6)
            draw_lane_number(c.pen, cell, state, t, size, presence, id);
    }
}

void draw_boxes(const WarpsContext& c, const Bands& b, Box line, Fold steps) {
    const std::size_t last = steps.end - 1;
    const bool each = b.grain.rows == 1 && b.grain.warps == 1;
    for (std::size_t i = 0; i < b.boxes; ++i) {
        const Box box{b.x(i), line.y, b.box_width - b.gap(), line.h};
        const std::size_t warp = i * b.grain.warps;
        if (each && b.box_width >= kApart * c.warp_size()) {
            draw_lanes(c, box, last, warp, c.presence(last));
            continue;
        }
        draw_share(c, box, share_of(c, steps, warp, std::min(warp + b.grain.warps, c.warps())), c.presence(last));
        if (each) c.pen.spot(box, warp_id(last, warp));
    }
}

void draw_band(const WarpsContext& c, const Bands& b, std::size_t band) {
    const std::size_t last = std::min((band + 1) * b.grain.rows, c.rows.size()) - 1;
    const Fold steps{c.rows[band * b.grain.rows].first, c.rows[last].end};
    const auto has = [&](std::size_t step) { return step >= steps.first && step < steps.end; };
    const std::size_t present = c.at.has_step() ? c.at.step() : c.subject.steps();
    const bool here = has(present), come = steps.end <= c.at.position;
    const Box whole{b.inside.x - 8, b.y(band), b.inside.w + 16, b.pitch};
    const Id bar = step_id(c.subject.first_step + steps.end - 1);
    const bool bars = c.hover.kind == Target::Kind::kStepBar;  // counted over the run
    const bool hot = c.hover.kind != Target::Kind::kNone && c.hover.kind != Target::Kind::kControl &&
                     has(c.hover.state - (bars ? c.subject.first_step : 0));
    here || hot ? c.pen.fill(whole, {Role::kRaised, here ? 0.75f : 0.4f}, 6, bar) : c.pen.spot(whole, bar);
    if (here && b.pitch >= 16) c.pen.fill({whole.x, whole.y + 4, 4, whole.h - 8}, {Role::kActive}, 2);
    const float gap = std::clamp(gap_of(b.pitch), 2.0f, 10.0f), y = whole.centre().y;
    draw_boxes(c, b, {whole.x, whole.y + gap / 2, whole.w, whole.h - gap}, steps);
    const std::size_t every = std::ceil(19 / b.pitch);  // bands a line of text needs
    const auto row = std::ranges::find_if(c.rows, [&](Fold f) { return present < f.end; });
    const std::size_t there = (row - c.rows.begin()) / b.grain.rows;  // the present band comes first
    const bool beside = c.at.has_step() && (band > there ? band - there : there - band) < every;
    if (!here && (band % every != 0 || beside)) return;
    const Ink ink{come || here ? Role::kText : Role::kTextDim};
    if (b.names > 0) {
        const std::string range = fmt::format("{}–{}", steps.first + 1, steps.end);
        const float mark = c.subject.facts->folds.empty() ? 0.0f : kFoldMark - 4, room = b.names - 14 - mark;
        const Style style{here ? Face::kSansBold : Face::kSans, kSmall, ink};
        const Vec at{b.inside.x + 4 + mark, y};
        if (b.grain.rows == 1) {
            c.pen.line(at, row_name(c.subject, steps), style, room);
            draw_fold_mark(c.pen, c.subject, steps, {b.inside.x - 4, whole.y, b.names, b.pitch}, ink);
        } else {
            const bool fits = c.pen.width("steps " + range, style.face, kLeast) <= room;
            c.pen.line(at, fits ? "steps " + range : range, style, room);
        }
    }
    if (come)
        draw_numbers(line_at(c, b.inside, y), c.cost(steps),
                     study::sum_of(c.subject.block_useful, steps.first, steps.end),
                     here ? Face::kMonoBold : Face::kMono, {Role::kText, c.presence(steps.end - 1)});
}

void draw_heads(const WarpsContext& c, const Bands& b, float y) {
    line_at(c, b.inside, y).heads();
    if (b.grain.warps > 1 || b.box_width < 26) {
        c.pen.line({b.area.x, y}, fmt::format("warp 0 … {}", c.warps() - 1), kFine, b.area.w - 8);
        return;
    }
    const bool full = b.box_width >= 76;
    if (!full) c.pen.line({b.inside.x + 4, y}, "warp", kFine, b.names - 14);
    for (std::size_t w = 0; w < c.warps(); ++w)
        c.pen.line({b.x(w) + (b.box_width - b.gap()) / 2, y}, fmt::format("{}{}", full ? "warp " : "", w), kFine,
                   b.box_width - 4, Align::kCentre);
}

/// A line of the totals.
std::function<void(Box)> total(const WarpsContext& c, const char* name, Fold steps, bool adding) {
    return [=, &c](Box box) {
        counters::Counters cost;
        for (std::size_t step = steps.first; step < steps.end; ++step)
            if (!adding || c.subject.block_useful[step].slots > 0) cost += c.cost({step, step + 1});
        const Table line = line_at(c, box, box.centre().y);
        const auto useful = adding ? study::sum_of(c.subject.block_useful, steps.first, steps.end) : study::Useful{};
        if (adding) separator(c.pen, box.x, box.y - 3, box.w);
        c.pen.line({box.x + 4, line.y()}, name, chosen_style(kEntry, true), line.cell(kBoxes).right() - box.x - 12);
        draw_numbers(line, cost, useful, Face::kMonoBold, {Role::kText});
    };
}

}  // namespace

Share share_of(const WarpsContext& c, Fold steps, std::size_t first_warp, std::size_t last_warp) {
    Share share;
    for (std::size_t step = steps.first; step < steps.end; ++step)
        for (std::size_t w = first_warp; w < last_warp; ++w) {
            const auto& lanes = c.subject.lanes[step];
            const auto begin = lanes.begin() + static_cast<std::ptrdiff_t>(w * c.warp_size());
            const auto end =
                lanes.begin() + static_cast<std::ptrdiff_t>(std::min((w + 1) * c.warp_size(), lanes.size()));
            const auto active = static_cast<std::size_t>(std::count(begin, end, LaneState::kActive));
            share.active += active;
            share.slots += active > 0 ? c.warp_size() : 0;
            share.capacity += c.warp_size();
        }
    return share;
}

std::vector<Section> band_sections(const WarpsContext& c, Box inside, std::function<void(BandGrain)> placed) {
    constexpr float kLeastBands = 24, kTotalRow = 28, kHead = 18, kBelowHead = 8;
    const auto head = std::make_shared<float>(-1.0f);  // where it stands; it is drawn with the bands that it names
    const auto draw = [=, &c](Box picture) {
        const Bands b = place_bands(c, picture);
        placed(b.grain);
        if (b.area.w < 40) return;
        if (*head >= 0) draw_heads(c, b, *head);
        for (std::size_t band = 0; band < b.bands; ++band) draw_band(c, b, band);
    };
    const Section bands{std::clamp(kLeastBand * c.rows.size(), 84.0f, 160.0f),
                        0,
                        draw,
                        kBelowHead,
                        kMostBand * c.rows.size(),
                        kLeastBands};
    if (!line_at(c, inside, 0).has(kEfficiency)) return {bands};  // the last of the numbers to go
    const std::size_t done = std::min(c.at.position, c.subject.steps());
    const bool all = done == c.subject.steps();
    std::vector<Section> sections{
        {kHead, 1, [=](Box row) { *head = row.y + 10; }, 14},
        bands,
        {kTotalRow, kLate, total(c, all ? "all steps that add" : "steps that add, so far", {0, done}, true), 8}};
    const counters::Summary& summary = c.subject.block_summary;  // told apart where other steps move data
    if (summary.tree.consumed_slots != summary.totals.consumed_slots)
        sections.push_back(
            {kTotalRow, kLate + 1, total(c, all ? "all steps" : "all steps so far", {0, done}, false), 0});
    return sections;
}

}  // namespace warptree::scene
