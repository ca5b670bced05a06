// Why one rung is faster than the one before: what was counted of both, beside their times.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

namespace {

/// Where there is none: which there are.
std::string not_tuned(const LadderContext& c) {
    const std::string_view name = c.chosen.name;
    if (c.chosen.reference) return fmt::format("{} is no kernel of ours: it is not tuned here.", name);
    std::set<std::uint64_t> sizes;
    for (const kernels::Timing& t : c.ladder.of->tuned)
        if (t.kernel == name) sizes.insert(t.n);
    if (sizes.empty())
        return fmt::format("In these results {} was not tuned. `warptree bench {} --tune` does it.", name, name);
    std::vector<std::string> names;
    for (const std::uint64_t n : sizes) names.push_back(size_name(n));
    return fmt::format("In these results {} was not tuned at N = {}, but at N = {}.", name,
                       size_name(c.ladder.choice.n), fmt::join(names, ", "));
}

}  // namespace

void draw_ladder_tuning(const LadderContext& c, Box box) {
    const auto tuning = c.ladder.of->tuning_of(c.chosen.name, c.ladder.choice.n);
    if (tuning.empty()) {
        c.pen.paragraph({box.x, box.y + 12}, not_tuned(c), kDim, box.w, 3);
        return;
    }
    const kernels::Timing& best = tuning.front();
    c.pen.line({box.x, box.y + 12}, fmt::format("{} by block and coarsening, GB/s", c.chosen.name), kTopic, box.w);
    const std::string said = fmt::format(
        "Best at N = {}: blocks of {}{}, {} ms. float32, warm cache.", size_name(best.n), counted(best.block, "thread"),
        best.coarsen > 1 ? fmt::format(", coarsening {}", best.coarsen) : "", ms_text(best.ms_median, best.ms_median));
    c.pen.line({box.x, box.y + 40}, said, kDim, box.w);
    std::set<std::uint32_t> blocks, factors;
    for (const kernels::Timing& t : tuning) blocks.insert(t.block), factors.insert(t.coarsen);
    const Box area{box.x + 62, box.y + 64, box.w - 62, box.h - 64 - 34};
    const float w = area.w / static_cast<float>(blocks.size());
    const float h = std::min(64.0f, area.h / static_cast<float>(factors.size()));
    const auto place = [](const std::set<std::uint32_t>& all, std::uint32_t value) {
        return static_cast<float>(std::distance(all.begin(), all.find(value)));
    };
    for (const kernels::Timing& t : tuning) {
        const Box cell{area.x + place(blocks, t.block) * w + 2, area.y + place(factors, t.coarsen) * h + 2, w - 4,
                       h - 4};
        const bool first = &t == &best;
        const float share = static_cast<float>(best.ms_median / t.ms_median);
        c.pen.add(Rect{.box = cell,
                       .ink = {Role::kActive, 0.06f + 0.5f * share * share},
                       .radius = 4,
                       .outline = {Role::kAccent},
                       .outline_width = first ? 2.5f : 0.0f});
        c.pen.line(cell.centre(), fmt::format("{:.{}f}", t.gb_per_s, best.gb_per_s < 100 ? 1 : 0),
                   {first ? Face::kMonoBold : Face::kMono, kSmall, {Role::kText}}, cell.w - 4, Align::kCentre);
    }
    for (const std::uint32_t block : blocks)
        c.pen.line({area.x + (place(blocks, block) + 0.5f) * w, area.y + h * static_cast<float>(factors.size()) + 14},
                   fmt::format("{}", block), kAxisText, w, Align::kCentre);
    if (factors.size() > 1)
        for (const std::uint32_t factor : factors)
            c.pen.line({area.x - 10, area.y + (place(factors, factor) + 0.5f) * h}, fmt::format("× {}", factor),
                       kAxisText, 50, Align::kRight);
    c.pen.line({area.x - 10, area.y + h * static_cast<float>(factors.size()) + 14}, "threads", kFine, 54,
               Align::kRight);
}

}  // namespace warptree::scene
