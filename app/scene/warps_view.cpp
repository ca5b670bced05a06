// The warps' view: what surrounds the bands or the matrix: the switch, the legend, a sentence of help.
#include <algorithm>

#include <fmt/format.h>

#include "app/scene/warps_parts.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

using counters::LaneState;

constexpr float kFaintStep = 0.34f;

std::string headline(const WarpsContext& c, bool all_steps, float width) {
    const Subject& s = c.subject;
    const auto fitted = [&](std::initializer_list<std::string_view> wordings) {
        return fitting(c.pen, wordings, Face::kSansBold, kLeast, width);
    };
    const std::string warps = counted(c.warps(), "warp"), lanes = fmt::format("{} of {} lanes", warps, c.warp_size());
    if (all_steps) return fitted({fmt::format("{}, {}", lanes, counted(s.steps(), "step")), lanes, warps});
    if (!c.at.has_step() || c.at.step() >= s.steps()) return fitted({lanes + ": nothing has run yet", lanes, warps});
    const counters::Counters cost = cost_of(c, c.present());
    const std::string name = capitalised(row_name(s, c.present()));
    if (cost.consumed_slots == 0)
        return fitted({name + ": this block is idle, at no cost", name + ": idle, at no cost", name + ": idle"});
    const std::string work =
        fmt::format("{}: {} of {}", name, grouped(cost.active_threads), grouped(cost.consumed_slots));
    const double share = static_cast<double>(cost.active_threads) / static_cast<double>(cost.consumed_slots);
    return fitted({fmt::format("{} slots work, {}", work, brief_percent(share)), work + " slots work", work, name});
}

constexpr LegendItem kShort[] = {{"works", Role::kActive},
                                 {"waits, paid for", Role::kDivergent, Fill::kHatched, "waits"},
                                 {"idle, free", Role::kIdle, Fill::kNone, "idle"}};
constexpr LegendItem kLong[] = {{"slot at work", Role::kActive},
                                {"waits for its warp: slot spent", Role::kDivergent, Fill::kHatched},
                                {"idle warp: costs nothing", Role::kIdle, Fill::kNone}};

void draw_foot_legend(const WarpsContext& c, Box row) {
    float needed = 0;
    for (const LegendItem& e : kLong) needed += 46 + c.pen.width(e.text, Face::kSans, kLeast);
    draw_legend(c.pen, {row.x, row.y + 14}, row.w, needed <= row.w + 22 ? kLong : kShort);
}

void put_help(const WarpsContext& c, bool all_steps, Vec at, float width) {
    if (all_steps && c.rows.size() < c.subject.steps())
        c.pen.either(
            at,
            {"Each box is a warp in one step, or in steps that repeat: their numbers are of all times. A click "
             "on such a band's name shows each (R).",
             "A band of steps that repeat is as high as one; its numbers are of all times. R shows each.",
             "Steps that repeat are one band (R)."},
            kDim, width);
    else if (all_steps)
        c.pen.either(
            at,
            {"Each box is a warp in one step. It costs all its slots or none: hatched area is paid for and lost.",
             "A warp costs all its slots or none: hatched area is paid for and lost.", "Hatched area is paid for."},
            kDim, width);
    else
        c.pen.either(
            at,
            {"A row is a warp: its lanes share one instruction. A lane that waits is paid for like one that works.",
             "A row is a warp: a lane that waits is paid for like one that works.", "Hatched lanes are paid for."},
            kDim, width);
}

std::string remark(const WarpsContext& c, const BandGrain& grain) {
    const trace::Launch& launch = c.subject.trace.launch;
    std::string text;
    if (launch.grid > 1) text = fmt::format("block {} of {}", grouped(c.subject.block), grouped(launch.grid));
    if (grain.warps > 1) text += fmt::format("{}1 box = {} warps", text.empty() ? "" : " · ", grain.warps);
    const bool folded = c.rows.size() < c.subject.steps();
    if (grain.rows > 1)
        text += fmt::format("{}1 band = {} {}", text.empty() ? "" : " · ", grain.rows, folded ? "rows" : "steps");
    return text;
}

}  // namespace

float WarpsContext::presence(std::size_t step) const {
    if (step + 1 > at.position) return kFaintStep;
    if (step + 1 < at.position) return 1;
    return kFaintStep + (1 - kFaintStep) * eased(at.progress / 0.6f);
}

counters::Counters cost_of(const WarpsContext& c, Fold steps) {
    counters::Counters out;
    for (std::size_t step = steps.first; step < steps.end; ++step) out += c.subject.block_summary.steps[step];
    return out;
}

Share share_of(const WarpsContext& c, std::size_t step, std::size_t first_warp, std::size_t last_warp) {
    const auto& lanes = c.subject.lanes[step];
    Share share;
    for (std::size_t w = first_warp; w < last_warp; ++w) {
        const std::size_t end = std::min((w + 1) * c.warp_size(), lanes.size());
        std::size_t active = 0;
        for (std::size_t t = w * c.warp_size(); t < end; ++t) active += lanes[t] == LaneState::kActive ? 1 : 0;
        share.active += active;
        share.slots += active > 0 ? c.warp_size() : 0;
        share.capacity += c.warp_size();
    }
    return share;
}

Scene warps_view(const Subject& subject, Playhead at, bool all_steps, Box box, const Measure& measure,
                 const Target& hover) {
    Scene scene;
    if (box.w <= 0 || box.h <= 0) return scene;
    scene.shapes.reserve(2048);
    Pen pen(scene, measure);
    WarpsContext c{subject, at, pen, hover};
    for (std::size_t step = 0; step < subject.steps(); step = c.rows.back().end)
        c.rows.push_back(subject.steps_with(step, at.open));
    panel_ground(pen, box);
    if (subject.on_host()) return draw_on_host(pen, box), scene;
    Box inside = panel_inside(box, 14);

    // The switch, with a headline beside it
    const Box head = cut_top(inside, 32, 14);
    Pills pills(pen, head, hover, Align::kRight);
    pills.add("all steps", control_id(Control::kAllSteps), all_steps);
    pills.add("this step", control_id(Control::kOneStep), !all_steps);
    const float room = pills.left() - head.x - 12;
    pen.line({head.x, head.centre().y}, headline(c, all_steps, room), kTopic, room);

    // Legend and help; where room is short, the legend stands in the title's row
    const float said = panel_title(pen, box, "", remark(c, all_steps ? band_grain(c, inside) : BandGrain{}));
    const bool above = inside.h < 300 && title_legend(pen, box, said, kShort, 0);
    if (inside.h >= (above ? 154 : 202)) {
        const Box row = cut_bottom(inside, above ? 24 : 36);
        put_help(c, all_steps, {row.x, row.y + (above ? 16.0f : 20.0f)}, row.w);
        if (!above) draw_foot_legend(c, cut_bottom(inside, 24, 0));
        if (!above) cut_bottom(inside, 12);
    }
    all_steps ? draw_bands(c, inside) : draw_matrix(c, inside);
    return scene;
}

}  // namespace warptree::scene
