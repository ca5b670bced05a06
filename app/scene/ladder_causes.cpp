// Why one rung is faster than the one before: what was counted of both, beside their times.
#include <algorithm>

#include <fmt/format.h>

#include "app/scene/ladder_view.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

std::string change(const Cause& cause) {
    if (cause.before == cause.after) return "same";
    if (cause.before == 0 || cause.after == 0) return cause.after == 0 ? "none left" : "new";
    const double more = static_cast<double>(cause.after) / static_cast<double>(cause.before);
    return more < 1 ? "÷ " + times(1 / more) : "× " + times(more);
}

/// What the times say, in one sentence; "" where one is missing.
std::string of_times(const LadderContext& c, const Rung& before) {
    if (!c.chosen.step) return "";
    const double least = std::min(before.timing->ms_median, c.chosen.timing->ms_median);
    return fmt::format("Measured at N = {}: {} ms, then {} ms: {} times as fast.", size_name(c.ladder.choice.n),
                       ms_text(before.timing->ms_median, least), ms_text(c.chosen.timing->ms_median, least),
                       times(*c.chosen.step));
}

/// Why there is no comparison; "" where there is one.
std::string missing(const LadderContext& c, const Rung* before) {
    if (c.chosen.reference) return fmt::format("{} is no kernel of ours: it cannot be counted here.", c.chosen.name);
    if (before == nullptr) return fmt::format("{} is the first rung: there is none before it.", c.chosen.name);
    const auto [first, then, at_n] = counted_pair(c.ladder, c.counted, *before, c.chosen);
    for (const CountedRun* run : {first, then}) {
        if (run == nullptr) return "What both cost is being counted.";
        if (!run->problem.empty()) return run->problem;
    }
    return "";
}

}  // namespace

void draw_ladder_causes(const LadderContext& c, Box box) {
    const bool alone = c.ladder.sizes.size() == 1;  // without curves there is room
    const float pitch = alone ? 34.0f : 22.0f, size = alone ? 19.0f : kSmall, column = alone ? 130.0f : 104.0f;
    Pen& pen = c.pen;
    if (!alone) separator(pen, box.x, box.y - 6, box.w);
    const Rung* before = rung_before(c.ladder, c.chosen);
    const std::string title =
        before == nullptr ? std::string(c.chosen.name) : fmt::format("From {} to {}", before->name, c.chosen.name);
    const float used = pen.line({box.x, box.y + 14}, title, kTopic, box.w);
    if (const std::string why = missing(c, before); !why.empty()) {
        pen.paragraph({box.x, box.y + 42}, why, kDim, box.w, 3);
        return;
    }
    const auto [first_run, then_run, at_n] = counted_pair(c.ladder, c.counted, *before, c.chosen);
    const std::string brief =
        fmt::format("counted at N = {}", at_n ? size_name(c.ladder.choice.n) : grouped(LadderStudy::kN));
    const std::string where = at_n ? "with these results" : "on the CPU";
    pen.either({box.right(), box.y + 14}, {fmt::format("{}, {}, sum of float32", brief, where), brief}, kFine,
               box.w - used - 20, Align::kRight);
    pen.line({box.x, box.y + 40}, of_times(c, *before), kEntry, box.w);
    Table table(pen, {box.x, box.y + 56, box.w, box.h},
                {{"", 0, Align::kLeft}, {"before", column}, {"then", column}, {"", column}}, pitch);
    table.heads();
    const auto all = causes(*first_run, *then_run);
    for (const Cause& cause : all) {
        table.next();
        const bool fell = cause.after < cause.before, same = cause.after == cause.before;
        const Ink ink{same ? Role::kTextFaint : Role::kText};
        const Style figure{fell ? Face::kMonoBold : Face::kMono, size, ink};
        table.text(0, cause.name, {fell ? Face::kSansBold : Face::kSans, size, ink});
        table.text(1, grouped(cause.before), figure);
        table.text(2, grouped(cause.after), figure);
        table.text(3, change(cause), figure);
    }
    if (std::ranges::all_of(all, [](const Cause& cause) { return cause.before == cause.after; }))
        pen.line({box.x, table.y() + pitch}, "None of these changed: what did is not counted here.", kFine, box.w);
}

}  // namespace warptree::scene
