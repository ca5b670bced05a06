// The warps' view: what surrounds the bands or the matrix: the switch, the legend, a sentence of help.
#include <algorithm>

#include <fmt/format.h>

#include "app/scene/lanes.hpp"
#include "app/scene/warps_parts.hpp"
#include "app/scene/words.hpp"

namespace warptree::scene {
namespace {

using counters::LaneState;

constexpr float kFaintStep = 0.34f, kPill = 32, kSwitchRow = 46, kLegendRow = 30;

Id control(Control what) {
    return pack({Target::Kind::kControl, 0, 0, static_cast<std::uint32_t>(what)});
}

/// returns  x of its left end
float draw_switch(const WarpsContext& c, bool all_steps, Box row) {
    struct Entry {
        Control what;
        const char* text;
        bool chosen;
    };
    const Entry entries[] = {{Control::kAllSteps, "all steps", all_steps},
                             {Control::kOneStep, "this step", !all_steps}};
    float x = row.right();
    for (const Entry& e : entries) {
        const float width = c.pen.width(e.text, Face::kSansBold, kSmall) + 28;
        const Id id = control(e.what);
        draw_pill(c.pen, {x - width, row.y, width, kPill}, e.text, id, e.chosen, pack(c.hover) == id);
        x -= width + 6;
    }
    return x;
}

std::string headline(const WarpsContext& c, bool all_steps) {
    const Subject& s = c.subject;
    const std::string warps = fmt::format("{} of {} lanes", counted(c.warps(), "warp"), c.warp_size());
    if (all_steps) return warps + fmt::format(", {}", counted(s.steps(), "step"));
    if (!c.at.has_step() || c.at.step() >= s.steps()) return warps + ": nothing has run yet";
    const counters::Counters& cost = c.cost(c.at.step());
    const std::string name = step_name(s, c.at.step());
    if (cost.consumed_slots == 0) return fmt::format("{}: this block is idle, at no cost", capitalised(name));
    return fmt::format(
        "{}: {} of {} slots work, {}", capitalised(name), grouped(cost.active_threads), grouped(cost.consumed_slots),
        brief_percent(static_cast<double>(cost.active_threads) / static_cast<double>(cost.consumed_slots)));
}

void draw_legend(const WarpsContext& c, Box row) {
    struct Entry {
        LaneState state;
        const char *shorter, *longer;
    };
    static constexpr Entry kEntries[] = {{LaneState::kActive, "works", "slot at work"},
                                         {LaneState::kDiverged, "waits, paid", "waits for its warp: slot spent"},
                                         {LaneState::kIdleWarp, "idle, free", "idle warp: costs nothing"}};
    float needed = 0;
    for (const Entry& e : kEntries) needed += 48 + c.pen.width(e.longer, Face::kSans, 15);
    float x = row.x;
    for (const Entry& e : kEntries) {
        const char* text = needed <= row.w ? e.longer : e.shorter;
        if (x + 28 + c.pen.width(text, Face::kSans, kLeast) > row.right()) return;
        c.pen.add(lane_chip({x, row.y + 4, 20, 20}, e.state, 0));
        x +=
            28 + c.pen.line({x + 28, row.y + 14}, text, {Face::kSans, 15, {Role::kTextDim}}, row.right() - x - 28) + 20;
    }
}

const char* help(bool all_steps) {
    return all_steps
               ? "Each box is a warp in one step. It costs all its slots or none: hatched area is paid for and lost."
               : "A row is a warp: its lanes share one instruction. A lane that waits is paid for like one that works.";
}

std::string remark(const WarpsContext& c, const BandGrain& grain) {
    const trace::Launch& launch = c.subject.trace.launch;
    std::string text;
    if (launch.grid > 1) text = fmt::format("block {} of {}", grouped(c.subject.block), grouped(launch.grid));
    if (grain.warps > 1) text += fmt::format("{}1 box = {} warps", text.empty() ? "" : " · ", grain.warps);
    if (grain.steps > 1) text += fmt::format("{}1 band = {} steps", text.empty() ? "" : " · ", grain.steps);
    return text;
}

}  // namespace

float WarpsContext::presence(std::size_t step) const {
    if (step + 1 > at.position) return kFaintStep;
    if (step + 1 < at.position) return 1;
    const float p = std::clamp(at.progress / 0.6f, 0.0f, 1.0f);
    return kFaintStep + (1 - kFaintStep) * p * p * (3 - 2 * p);
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
    const WarpsContext c{subject, at, pen, hover};
    panel_ground(pen, box);
    Box inside{box.x + kPad, box.y + kTitleHeight, box.w - 2 * kPad, box.h - kTitleHeight - 14};

    // The switch, with a headline beside it
    const float left = draw_switch(c, all_steps, inside);
    pen.line({inside.x, inside.y + kPill / 2}, headline(c, all_steps), {Face::kSansBold, kBody, {Role::kText}},
             left - inside.x - 12);
    inside.y += kSwitchRow;
    inside.h -= kSwitchRow;

    // Legend and help, where there is room
    const bool low = inside.h < 190;
    if (!low) {
        inside.h -= 2 * kLegendRow;
        draw_legend(c, {inside.x, inside.bottom(), inside.w, kLegendRow});
        pen.line({inside.x, inside.bottom() + kLegendRow + 14}, help(all_steps),
                 {Face::kSans, kSmall, {Role::kTextDim}}, inside.w);
        inside.h -= 12;
    }
    panel_title(pen, box, "", remark(c, all_steps ? band_grain(c, inside) : BandGrain{}));
    all_steps ? draw_bands(c, inside) : draw_matrix(c, inside);
    return scene;
}

}  // namespace warptree::scene
