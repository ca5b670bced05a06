// The warps' view: what surrounds the bands or the matrix: the switch, the legend, a sentence of help.
#include <algorithm>

#include <fmt/format.h>

#include "app/scene/warps_parts.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

using counters::LaneState;

constexpr float kFaintStep = 0.34f, kWanted = 100, kLeastPicture = 60;

std::string headline(const WarpsContext& c, const BandGrain& grain, float width) {
    const std::string warps = counted(c.warps(), "warp"), lanes = fmt::format("{} of {} lanes", warps, c.warp_size());
    const std::string steps = fmt::format("{}, {}", lanes, counted(c.subject.steps(), "step"));
    std::string one;  // where not each warp, or not each band, has its own
    if (grain.warps > 1) one += fmt::format(" · 1 box = {} warps", grain.warps);
    if (grain.rows > 1)
        one += fmt::format(" · 1 band = {} {}", grain.rows, c.rows.size() < c.subject.steps() ? "rows" : "steps");
    return fitting(c.pen, {steps + one, lanes + one, warps + one}, Face::kSansBold, kLeast, width);
}

std::string headline(const WarpsContext& c, float width) {
    const Subject& s = c.subject;
    const auto fitted = [&](std::initializer_list<std::string_view> wordings) {
        return fitting(c.pen, wordings, Face::kSansBold, kLeast, width);
    };
    const std::string warps = counted(c.warps(), "warp"), lanes = fmt::format("{} of {} lanes", warps, c.warp_size());
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

/// The longest wording that fits a line.
std::string help(const WarpsContext& c, bool all_steps, float width) {
    const auto either = [&](std::initializer_list<std::string_view> wordings) {
        return fitting(c.pen, wordings, kDim.face, kDim.size, width);
    };
    if (all_steps && c.rows.size() < c.subject.steps())
        return either(
            {"Each box is a warp in one step, or in steps that repeat: their numbers are of all times. A "
             "click on such a band's name shows each (R).",
             "A band of steps that repeat is as high as one; its numbers are of all times. R shows each.",
             "Steps that repeat are one band (R)."});
    if (all_steps)
        return either(
            {"Each box is a warp in one step. It costs all its slots or none: hatched area is paid for and lost.",
             "A warp costs all its slots or none: hatched area is paid for and lost.", "Hatched area is paid for."});
    return either(
        {"A row is a warp: its lanes share one instruction. A lane that waits is paid for like one that works.",
         "A row is a warp: a lane that waits is paid for like one that works.", "Hatched lanes are paid for."});
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
    return on_panel(box, measure, [&](Pen& pen) {
        WarpsContext c{subject, at, pen, hover};
        for (std::size_t step = 0; step < subject.steps(); step = c.rows.back().end)
            c.rows.push_back(subject.steps_with(step, at.open));
        if (subject.on_host()) return draw_on_host(pen, box);
        const Box inside = panel_inside(box, 14);
        Box head;
        const auto draw_picture = [&](Box picture) {
            all_steps ? draw_bands(c, picture) : draw_matrix(c, picture);
            if (head.h == 0) return;
            Pills pills(pen, head, hover, Align::kRight);
            pills.add("all steps", control_id(Control::kAllSteps), all_steps);
            pills.add("this step", control_id(Control::kOneStep), !all_steps);
            const float room = pills.left() - head.x - 12;
            const std::string text = all_steps ? headline(c, band_grain(c, picture), room) : headline(c, room);
            pen.line({head.x, head.centre().y}, text, kTopic, room);
        };
        const trace::Launch& launch = subject.trace.launch;
        const std::string block =
            launch.grid > 1 ? fmt::format("block {} of {}", grouped(subject.block), grouped(launch.grid)) : "";
        stack_panel(pen, box, panel_title(pen, box, "", block),
                    {{32, 1, [&](Box row) { head = row; }}, {kWanted, 0, draw_picture, 14, kRest, kLeastPicture}},
                    inside, std::span(kTreeLegend).first(3), help(c, all_steps, inside.w));
    });
}

}  // namespace warptree::scene
