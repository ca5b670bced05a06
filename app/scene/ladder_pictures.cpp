// Of the rung that is looked at: its schedule, multiprocessors as rows and blocks as bars over time; its times by block
// and coarsening, as a heat map; and why it is faster than the one before: what was counted of both, beside their
// times.
#include "app/scene/ladder_view.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/scene/chart.hpp"
#include "app/study/schedule.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

using kernels::Schedule;

constexpr float kAxis = 62, kStrip = 56;

std::string microseconds(double ns) {
    return fmt::format("{:.4g} µs", ns / 1000);
}

/// Where there is no picture of the rung: at which N there is one.
template <class Runs>
std::string none_here(const LadderContext& c, std::string_view what, const Runs& all) {
    const std::string_view name = c.chosen.name;
    std::set<std::uint64_t> sizes;
    for (const auto& one : all)
        if (one.kernel == name) sizes.insert(one.n);
    std::vector<std::string> names;
    for (const std::uint64_t n : sizes) names.push_back(size_name(n));
    if (c.chosen.reference) return fmt::format("{} is no kernel of ours: there is no {} of it.", name, what);
    if (sizes.empty())
        return fmt::format("These results have no {} of {}. `warptree bench {} --{}` makes one.", what, name, name,
                           what == "tuning" ? "tune" : what);
    return fmt::format("These results have no {} of {} at N = {}; they have N = {}.", what, name,
                       size_name(c.ladder.choice.n), fmt::join(names, ", "));
}

class ScheduleChart {
public:
    ScheduleChart(const LadderContext& c, const Schedule& schedule, Box box)
        : c_(c), schedule_(schedule), facts_(study::facts_of(schedule)), box_(box) {
        const float top = box.y + 40 + static_cast<float>(words()) * line_height(kSmall) + 8;
        area_ = {box.x + kAxis, top, box.w - kAxis - 8, box.bottom() - 30 - top};
        strip_ = {area_.x, area_.y, area_.w, std::min(kStrip, area_.h / 4)};
        rows_ = {area_.x, strip_.bottom() + 14, area_.w, area_.bottom() - strip_.bottom() - 14};
    }

    void draw() {
        c_.pen.line({box_.x, box_.y + 12}, fmt::format("When and where the blocks of {} ran", c_.chosen.name), kTopic,
                    box_.w);
        c_.pen.paragraph({box_.x, box_.y + 40}, story(), kDim, box_.w, static_cast<int>(words()));
        draw_strip();
        draw_rows();
        draw_axis();
    }

private:
    std::string story() const {
        return fmt::format(
            "{} of {} on {} of {} multiprocessors, at most {} at a time: {}. From {} on some have no block left: the "
            "tail is {} of {}. Noted by the blocks, by a clock that ticks every {} ns.",
            counted(schedule_.blocks.size(), "block"), counted(schedule_.block, "thread"), facts_.places,
            schedule_.places, grouped(facts_.at_once), counted(facts_.waves, "wave"),
            microseconds(static_cast<double>(facts_.tail)), percent(facts_.tail_share()),
            microseconds(static_cast<double>(facts_.end)), grouped(std::max<std::uint64_t>(facts_.tick, 1)));
    }
    std::size_t words() const {
        return std::min<std::size_t>(3, wrap(c_.pen.measure(), story(), Face::kSans, kSmall, box_.w).size());
    }
    float x(std::uint64_t ns) const {
        return area_.x + area_.w * static_cast<float>(static_cast<double>(ns) / static_cast<double>(last()));
    }
    std::uint64_t last() const { return std::max<std::uint64_t>(facts_.end, 1); }

    /// How many blocks ran at each moment.
    void draw_strip() {
        const auto bins = static_cast<std::size_t>(std::max(1.0f, strip_.w / 3));
        const auto now = study::running(schedule_, bins);
        const double most = std::max<double>(1, facts_.at_once);
        const float w = strip_.w / static_cast<float>(bins);
        for (std::size_t i = 0; i < bins; ++i) {
            const float h = strip_.h * static_cast<float>(std::min(1.0, now[i] / most));
            if (h > 0.2f)
                c_.pen.fill({strip_.x + static_cast<float>(i) * w, strip_.bottom() - h, w, h}, {Role::kActive, 0.75f});
        }
        c_.pen.fill({strip_.x, strip_.bottom(), strip_.w, 1}, {Role::kLine});
        c_.pen.line({area_.x - 10, strip_.y + 6}, grouped(facts_.at_once), kAxisText, 54, Align::kRight);
        c_.pen.line({area_.x - 10, strip_.bottom() - 6}, "blocks", kFine, 54, Align::kRight);
    }
    void draw_rows() {
        const float row = rows_.h / static_cast<float>(schedule_.places);
        const float lane = row / static_cast<float>(facts_.lanes);
        const float gap = lane >= 3 ? 1.0f : 0.0f;
        std::vector<std::size_t> by_begin(schedule_.blocks.size());
        std::iota(by_begin.begin(), by_begin.end(), 0);
        std::ranges::stable_sort(by_begin, {}, [&](std::size_t i) { return schedule_.blocks[i].begin; });
        std::vector<bool> odd(std::size_t{schedule_.places} * facts_.lanes);  // the next block of a lane
        for (const std::size_t i : by_begin) {
            const kernels::BlockRun& block = schedule_.blocks[i];
            const float left = x(block.begin), w = std::max(0.5f, x(block.end) - left);
            const float y = rows_.y + static_cast<float>(block.place) * row + static_cast<float>(facts_.lane[i]) * lane;
            auto shade = odd[block.place * std::size_t{facts_.lanes} + facts_.lane[i]];  // neighbours differ in it
            const Ink ink{Role::kActive, shade ? 0.55f : 1.0f};
            shade = !shade;
            c_.pen.fill({left, y, std::max(0.5f, w - (w >= 3 ? 1.0f : 0.0f)), std::max(0.3f, lane - gap)}, ink);
        }
        for (const std::uint32_t place : {0u, schedule_.places - 1})
            c_.pen.line({area_.x - 10, rows_.y + (static_cast<float>(place) + 0.5f) * row}, fmt::format("SM {}", place),
                        kAxisText, 54, Align::kRight);
        const float tail = x(facts_.tail);
        if (area_.right() - tail > 1) c_.pen.fill({tail, strip_.y, 1, area_.bottom() - strip_.y}, {Role::kText, 0.8f});
    }
    void draw_axis() {
        for (const double ns : Scale{.high = static_cast<double>(last())}.ticks()) {
            const float at = x(static_cast<std::uint64_t>(ns));
            c_.pen.fill({at, area_.bottom(), 1, 5}, {Role::kLine});
            c_.pen.line({at, area_.bottom() + 16}, fmt::format("{:g}", ns / 1000), kAxisText, 60, Align::kCentre);
        }
        c_.pen.line({area_.x - 10, area_.bottom() + 16}, "µs", kFine, 40, Align::kRight);
    }

    const LadderContext& c_;
    const Schedule& schedule_;
    const study::ScheduleFacts facts_;
    Box box_, area_, strip_, rows_;
};

std::string change(const Cause& cause) {
    if (cause.before == cause.after) return "same";
    if (cause.before == 0 || cause.after == 0) return cause.after == 0 ? "none left" : "new";
    const double more = static_cast<double>(cause.after) / static_cast<double>(cause.before);
    return more < 1 ? "÷ " + times(1 / more) : "× " + times(more);
}

/// What the times say, in one sentence; "" where one is missing.
/// operations  of both, as counted
std::string of_times(const LadderContext& c, const Rung& before, const Cause& operations) {
    if (!c.chosen.step) return "";
    const bool faster = *c.chosen.step > 1;
    const std::string_view work = operations.after < operations.before && !faster  ? " Fewer operations, yet slower."
                                  : operations.after > operations.before && faster ? " More operations, yet faster."
                                                                                   : "";
    const double least = std::min(before.timing->ms_median, c.chosen.timing->ms_median);
    return fmt::format("Measured at N = {}: {} ms, then {} ms: {} times as fast.{}", size_name(c.ladder.choice.n),
                       ms_text(before.timing->ms_median, least), ms_text(c.chosen.timing->ms_median, least),
                       times(*c.chosen.step), work);
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

void draw_ladder_schedule(const LadderContext& c, Box box) {
    const Schedule* schedule = c.ladder.of->schedule_of(c.chosen.name, c.ladder.choice.n);
    if (schedule == nullptr) return say(c.pen, box, none_here(c, "schedule", c.ladder.of->schedules));
    if (box.h >= 220) ScheduleChart(c, *schedule, box).draw();
}

void draw_ladder_tuning(const LadderContext& c, Box box) {
    const auto tuning = c.ladder.of->tuning_of(c.chosen.name, c.ladder.choice.n);
    if (tuning.empty()) return say(c.pen, box, none_here(c, "tuning", c.ladder.of->tuned));
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
        c.pen.framed(cell, {Role::kActive, 0.06f + 0.5f * share * share}, {Role::kAccent}, first ? 2.5f : 0.0f, 4);
        c.pen.line(cell.centre(), fmt::format("{:.{}f}", t.gb_per_s, best.gb_per_s < 100 ? 1 : 0),
                   {first ? Face::kMonoBold : Face::kMono, kSmall, {Role::kText}}, cell.w - 4, Align::kCentre);
    }
    for (const std::uint32_t block : blocks)
        c.pen.line({area.x + (place(blocks, block) + 0.5f) * w, area.y + h * static_cast<float>(factors.size()) + 14},
                   fmt::format("{}", block), kAxisText, w, Align::kCentre);
    if (factors.size() > 1)
        for (const std::uint32_t factor : factors)
            c.pen.line({area.x - 10, area.y + (place(factors, factor) + 0.5f) * h}, fmt::format("by {}", factor),
                       kAxisText, 50, Align::kRight);
    c.pen.line({area.x - 10, area.y + h * static_cast<float>(factors.size()) + 14}, "threads", kFine, 54,
               Align::kRight);
}

void draw_ladder_causes(const LadderContext& c, Box box) {
    const bool alone = c.ladder.sizes.size() == 1;  // without curves there is room
    const float pitch = alone ? 34.0f : 22.0f, size = alone ? 19.0f : kSmall, column = alone ? 130.0f : 104.0f;
    Pen& pen = c.pen;
    if (!alone) separator(pen, box.x, box.y - 6, box.w);
    const Rung* before = rung_before(c.ladder, c.chosen);
    const std::string title =
        before == nullptr ? std::string(c.chosen.name) : fmt::format("From {} to {}", before->name, c.chosen.name);
    const float used = pen.line({box.x, box.y + 14}, title, kTopic, box.w);
    if (const std::string why = missing(c, before); !why.empty())
        return say(pen, {box.x, box.y + 30, box.w, box.h}, why);
    const auto [first_run, then_run, at_n] = counted_pair(c.ladder, c.counted, *before, c.chosen);
    const std::string brief =
        fmt::format("counted at N = {}", at_n ? size_name(c.ladder.choice.n) : grouped(LadderStudy::kN));
    const std::string where = at_n ? "with these results" : "on the CPU";
    pen.either({box.right(), box.y + 14}, {fmt::format("{}, {}, sum of float32", brief, where), brief}, kFine,
               box.w - used - 20, Align::kRight);
    const auto all = causes(*first_run, *then_run);
    pen.line({box.x, box.y + 40}, of_times(c, *before, all.front()), kEntry, box.w);
    Table table(pen, {box.x, box.y + 56, box.w, box.h},
                {{"", 0, Align::kLeft}, {"before", column}, {"then", column}, {"", column}}, pitch);
    table.heads();
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
