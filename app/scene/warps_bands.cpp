// All steps at once: a band a step, a box a warp. Equal areas are equal costs.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/scene/kit.hpp"
#include "app/scene/tree_layout.hpp"
#include "app/scene/warps_parts.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kLeastBand = 9, kMostBand = 96, kTotalRow = 30, kBandsHead = 26, kColumn = 88, kLeastBox = 6;
constexpr float kLeastArea = 180;  // of the boxes, before columns beside them give way

/// Where everything stands.
struct Bands {
    Box area;  // of the boxes of all bands
    float pitch = 0, box_width = 0, gap_x = 0, gap_y = 0;
    BandGrain grain;
    std::size_t bands = 0, boxes = 0;
    /// The steps of a band.
    Fold steps(const WarpsContext& c, std::size_t band) const {
        const std::size_t last = std::min((band + 1) * grain.rows, c.rows.size()) - 1;
        return {c.rows[band * grain.rows].first, c.rows[last].end};
    }
    float names = 0;  // width of the names at the left; 0: none
    int totals = 0;   // rows below
    Box inside;

    float y(std::size_t band) const { return area.y + pitch * static_cast<float>(band); }
    float x(std::size_t box) const { return area.x + box_width * static_cast<float>(box); }
};

enum Place : std::uint8_t { kNames, kBoxes, kAtWork, kSlots, kEfficiency };

/// A line of names, boxes and numbers, its middle at y.
Table line_at(const WarpsContext& c, Box inside, float y, float pitch) {
    const float names = c.rows.size() < c.subject.steps() ? 176 : 116;
    return {c.pen,
            {inside.x, y - 10, inside.w, inside.h},
            {{"", names, Align::kLeft, 1},
             {""},
             {"at work", kColumn, Align::kRight, 3},
             {"slots", kColumn, Align::kRight, 4},
             {"efficiency", kColumn, Align::kRight, 2}},
            pitch,
            kLeastArea};
}

Bands place_bands(const WarpsContext& c, Box inside) {
    Bands b;
    b.inside = inside;
    const Table line = line_at(c, inside, 0, 0);
    const bool numbers = line.has(kEfficiency);              // the last to go
    const counters::Summary& all = c.subject.block_summary;  // told apart where steps that are not the tree's move data
    const bool apart = all.tree.consumed_slots != all.totals.consumed_slots && inside.h >= 250;
    b.totals = !numbers || inside.h < 140 ? 0 : apart ? 2 : 1;
    const float head = numbers && inside.h >= 110 ? kBandsHead : 0;
    const float room = inside.h - head - kTotalRow * static_cast<float>(b.totals);
    const auto rows = static_cast<float>(std::max<std::size_t>(1, c.rows.size()));
    b.grain.rows = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(rows * kLeastBand / room)));
    b.bands = (c.rows.size() + b.grain.rows - 1) / b.grain.rows;
    b.pitch = std::min(kMostBand, room / static_cast<float>(std::max<std::size_t>(1, b.bands)));
    b.names = line.has(kNames) ? line.cell(kNames).w : 0;
    b.area = {line.cell(kBoxes).x, inside.y + head, line.cell(kBoxes).w, b.pitch * static_cast<float>(b.bands)};
    b.grain.warps = std::max<std::size_t>(
        1, static_cast<std::size_t>(std::ceil(static_cast<float>(c.warps()) * kLeastBox / b.area.w)));
    b.boxes = (c.warps() + b.grain.warps - 1) / b.grain.warps;
    b.box_width = b.area.w / static_cast<float>(b.boxes);
    b.gap_x = std::min(8.0f, gap_of(b.box_width));
    b.gap_y = std::clamp(gap_of(b.pitch), 2.0f, 10.0f);
    return b;
}

/// Filled by the share at work, hatched by the share that waits; the rest is idle, and free.
void draw_share(const WarpsContext& c, Box box, const Share& share, float presence) {
    const auto part = [&](std::size_t lanes) {
        return box.w * static_cast<float>(lanes) / static_cast<float>(share.capacity);
    };
    const float active = part(share.active), waits = part(share.slots - share.active);
    const float idle = box.w - active - waits;
    const auto add = [&](float x, float w, LaneState state) {
        if (w > 0.4f) c.pen.add(lane_chip({x, box.y, w, box.h}, state, 0, presence));
    };
    add(box.x, active, LaneState::kActive);
    add(box.x + active, waits, LaneState::kDiverged);
    if (idle > 3) add(box.x + active + waits, idle, LaneState::kIdleWarp);
}

/// A warp lane by lane. Lanes for which the block has no thread are paid for like those that wait.
void draw_lanes(const WarpsContext& c, Box box, std::size_t step, std::size_t warp, float presence) {
    const auto& lanes = c.subject.lanes[step];
    const std::size_t first = warp * c.warp_size();
    const bool idle = share_of(c, step, warp, warp + 1).slots == 0;
    const float pitch = box.w / static_cast<float>(c.warp_size()), gap = std::min(4.0f, gap_of(pitch));
    for (std::size_t lane = 0; lane < c.warp_size(); ++lane) {
        const std::size_t t = first + lane;
        const bool exists = t < lanes.size();
        const LaneState state = idle ? LaneState::kIdleWarp : exists ? lanes[t] : LaneState::kDiverged;
        const Box cell{box.x + static_cast<float>(lane) * pitch, box.y, pitch - gap, box.h};
        const Id id = exists ? lane_id(step, t) : 0;
        c.pen.add(lane_chip(cell, state, id, presence));
        const float size = std::min(18.0f, std::floor(0.5f * box.h));
        if (exists && size >= kIndex && c.pen.width(std::to_string(t), Face::kMonoBold, size) <= cell.w - 6)
            draw_lane_number(c.pen, cell, state, t, size, presence, id);
    }
}

void draw_boxes(const WarpsContext& c, const Bands& b, std::size_t band) {
    const auto [first, last] = b.steps(c, band);
    const float lane_width = b.box_width / static_cast<float>(c.warp_size());
    const bool by_lane = b.grain.rows == 1 && b.grain.warps == 1 && lane_width >= 7;
    for (std::size_t i = 0; i < b.boxes; ++i) {
        const Box box{b.x(i), b.y(band) + b.gap_y / 2, b.box_width - b.gap_x, b.pitch - b.gap_y};
        const std::size_t warp = i * b.grain.warps, end = std::min(warp + b.grain.warps, c.warps());
        if (by_lane) {
            draw_lanes(c, box, last - 1, warp, c.presence(last - 1));
            continue;
        }
        Share share;
        for (std::size_t step = first; step < last; ++step) {
            const Share one = share_of(c, step, warp, end);
            share.active += one.active;
            share.slots += one.slots;
            share.capacity += one.capacity;
        }
        draw_share(c, box, share, c.presence(last - 1));
        if (b.grain.rows == 1 && b.grain.warps == 1) c.pen.spot(box, warp_id(last - 1, warp));
    }
}

/// Slots at work, slots spent, and what part of them was of use where threads add.
void draw_numbers(Table& line, const counters::Counters& cost, const study::Useful& useful, Face face, Ink ink) {
    line.text(kAtWork, grouped(cost.active_threads), {face, 18, ink});
    line.text(kSlots, grouped(cost.consumed_slots), {face, 18, ink});
    line.text(kEfficiency, useful.slots > 0 ? percent(useful.efficiency()) : "–", {face, 17, ink});
}

void draw_band(const WarpsContext& c, const Bands& b, std::size_t band) {
    const auto [first, last] = b.steps(c, band);
    const std::size_t present = c.at.has_step() ? c.at.step() : c.subject.steps();
    const bool here = present >= first && present < last, come = last <= c.at.position;
    const Box whole{b.inside.x - 8, b.y(band), b.inside.w + 16, b.pitch};
    const Id bar = step_id(c.subject.first_step + last - 1);
    const std::size_t over = c.hover.kind != Target::Kind::kStepBar  ? c.hover.state
                             : c.hover.state >= c.subject.first_step ? c.hover.state - c.subject.first_step
                                                                     : c.subject.steps();
    const bool hot =
        c.hover.kind != Target::Kind::kNone && c.hover.kind != Target::Kind::kControl && over >= first && over < last;
    here || hot ? c.pen.fill(whole, {Role::kRaised, here ? 0.75f : 0.4f}, 6, bar) : c.pen.spot(whole, bar);
    if (here && b.pitch >= 16) c.pen.fill({whole.x, whole.y + 4, 4, whole.h - 8}, {Role::kActive}, 2);
    draw_boxes(c, b, band);
    const float y = b.y(band) + b.pitch / 2;
    const std::size_t every = static_cast<std::size_t>(std::ceil(19 / b.pitch));  // bands a line of text needs
    const auto row = std::ranges::find_if(c.rows, [&](Fold f) { return present < f.end; });
    const auto there = static_cast<std::size_t>(row - c.rows.begin()) / b.grain.rows;  // the present band comes first
    const bool beside = c.at.has_step() && !here && (band > there ? band - there : there - band) < every;
    if (!here && (band % every != 0 || beside)) return;
    const Ink ink{come || here ? Role::kText : Role::kTextDim};
    const std::string range = fmt::format("{}–{}", first + 1, last),
                      name = b.grain.rows == 1 ? row_name(c.subject, {first, last}) : "steps " + range;
    if (b.names > 0) {
        const float mark = c.subject.facts->folds.empty() ? 0.0f : kFoldMark - 4;
        const Face face = here ? Face::kSansBold : Face::kSans;
        const float room = b.names - 14 - mark;
        const bool fits = b.grain.rows == 1 || c.pen.width(name, face, kLeast) <= room;
        c.pen.line({b.inside.x + 4 + mark, y}, fits ? name : range, {face, kSmall, ink}, room);
        if (b.grain.rows == 1)
            draw_fold_mark(c.pen, c.subject, {first, last}, {b.inside.x - 4, y - b.pitch / 2, b.names, b.pitch}, ink);
    }
    Table line = line_at(c, b.inside, y, 0);
    if (come)
        draw_numbers(line, cost_of(c, {first, last}), study::sum_of(c.subject.block_useful, first, last),
                     here ? Face::kMonoBold : Face::kMono, {Role::kText, c.presence(last - 1)});
}

void draw_head(const WarpsContext& c, const Bands& b) {
    if (b.area.y <= b.inside.y) return;
    const float y = b.inside.y + 10;
    line_at(c, b.inside, y, 0).heads();
    if (b.grain.warps > 1 || b.box_width < 26) {
        c.pen.line({b.area.x, y}, fmt::format("warp 0 … {}", c.warps() - 1), kFine, b.area.w - 8);
        return;
    }
    if (b.box_width < 76) c.pen.line({b.inside.x + 4, y}, "warp", kFine, b.names - 14);
    for (std::size_t w = 0; w < c.warps(); ++w) {
        const std::string text = b.box_width >= 76 ? fmt::format("warp {}", w) : fmt::format("{}", w);
        c.pen.line({b.x(w) + (b.box_width - b.gap_x) / 2, y}, text, kFine, b.box_width - 4, Align::kCentre);
    }
}

void draw_totals(const WarpsContext& c, const Bands& b) {
    if (b.totals == 0) return;
    const std::size_t done = std::min(c.at.position, c.subject.steps());
    const bool all = done == c.subject.steps();
    Table line = line_at(c, b.inside, b.area.bottom() + kTotalRow / 2 + (b.pitch < 20 ? 8.0f : 4.0f), kTotalRow - 2);
    separator(c.pen, b.inside.x, b.area.bottom() + std::max(3.0f, 13 - b.pitch / 2), b.inside.w);
    const counters::Counters everything = cost_of(c, {0, done});
    counters::Counters adding;
    for (std::size_t step = 0; step < done; ++step)
        if (c.subject.block_useful[step].slots > 0) adding += cost_of(c, {step, step + 1});
    const auto row = [&](const std::string& name, const counters::Counters& cost, const study::Useful& useful) {
        c.pen.line({b.inside.x + 4, line.y()}, name, chosen_style(kEntry, true), b.area.right() - b.inside.x - 12);
        draw_numbers(line, cost, useful, Face::kMonoBold, {Role::kText});
        line.next();
    };
    row(all ? "all steps that add" : "steps that add, so far", adding, study::sum_of(c.subject.block_useful, 0, done));
    if (b.totals > 1) row(all ? "all steps" : "all steps so far", everything, {});
}

}  // namespace

BandGrain band_grain(const WarpsContext& c, Box inside) {
    return place_bands(c, inside).grain;
}

void draw_bands(const WarpsContext& c, Box inside) {
    const Bands b = place_bands(c, inside);
    if (b.area.w < 40 || b.area.h < 10) return;
    draw_head(c, b);
    for (std::size_t band = 0; band < b.bands; ++band) draw_band(c, b, band);
    draw_totals(c, b);
}

}  // namespace warptree::scene
