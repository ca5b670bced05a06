// The ladder's pictures: bandwidth or time over N, in powers of two; of the rung that is looked at its schedule,
// multiprocessors as rows and blocks as bars over time; its times by block and coarsening, as a heat map; and why it is
// faster than the one before: what was counted of both, beside their times.
#include "app/views/ladder/view.hpp"

#include <limits>
#include <numeric>
#include <set>

#include <fmt/ranges.h>

#include "app/kit/chart.hpp"
#include "app/kit/strip.hpp"
#include "app/views/ladder/schedule.hpp"

namespace warptree::scene {
namespace {

constexpr Ink kLimit{kText, 0.8f};

/// A rung's right times in some results, in order of N; other results are of the rung that is looked at alone.
ChartLine line_of(const LadderContext& c, const Rung& rung, const Measurements& of) {
    const bool time = c.ladder.choice.picture == LadderPicture::kTime, other = &of != c.ladder.of;
    const bool chosen = &rung == &c.chosen, named = chosen || (rung.timing != nullptr && c.hot(*rung.timing));
    ChartLine line{.name = other ? "on " + of.name() : rung.called,
                   .ink = other    ? Ink{kAccent}
                          : chosen ? Ink{kActive}
                          : named  ? Ink{kText}
                                   : Ink{kTextDim, 0.7f},
                   .width = named && !other ? 3.5f : 1.6f,
                   .dot = named && !other ? 5.5f : 3.0f,
                   .dashed = rung.reference || other,
                   .kept = named,
                   .style = chosen_style(kFine, named)};
    if (named) line.leader = line.ink.role;
    bool apart = true;  // where one N was not measured, there is no line
    for (const std::uint64_t n : c.ladder.sizes) {
        const auto t = std::ranges::find_if(of.runs, [&](const kernels::Timing& run) {
            return run.kernel == rung.name && run.n == n && study::fits(c.ladder, run) && run.correct &&
                   (!other || rung.timing == nullptr || run.coarsen == rung.timing->coarsen);
        });
        const bool there = t != of.runs.end();
        if (there && !other) line.id = timing_id(c.ladder, *t), line.command = c.choose(rung);
        if (there) line.points.push_back({1.0 * n, time ? t->ms_median : t->gb_per_s, rung.reference, apart, line.id});
        apart = !there;
    }
    return line;
}

void draw_heading(const LadderContext& c, bool time, Box box) {
    const float y = box.y + 12;
    const float used = c.pen.line({box.x, y}, time ? "Time in ms over N" : "Bandwidth in GB/s over N", kTopic, box.w);
    const float room = box.w - used - 70;
    if (c.ladder.limit() == 0) {
        c.pen.either({box.right(), y}, {"dashed: references"}, kFine, room, kRight);
        return;
    }
    const std::string gb = bandwidth_text(c.ladder.limit()) + " GB/s",
                      limit = c.ladder.of->limit_name().first + ": " + gb;
    const float w = c.pen.either({box.right(), y}, {limit + ";  dashed: references", limit, gb}, kFine, room, kRight);
    if (w > 0) draw_segment(c.pen, {box.right() - w - 40, y}, {box.right() - w - 10, y}, kLimit, 2);
}

/// The bandwidth that shares are of, or the time that it takes, as far as that is on show.
void draw_limit(const LadderContext& c, const Chart& chart, bool time) {
    const double gb = c.ladder.limit(), most = chart.across().high;
    double first = chart.across().low;
    if (gb == 0) return;
    if (!time) return chart.line({chart.at(first, gb), chart.at(most, gb)}, kLimit, 2);
    const double ms = least_ms(c.ladder, 1);
    first = std::max(chart.up().low / ms, first);
    if (first < most) chart.line({chart.at(first, first * ms), chart.at(most, most * ms)}, kLimit, 2);
}

using kernels::Schedule;

constexpr float kAxis = 62, kRunning = 56;

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
    std::string names;
    for (const std::uint64_t n : sizes) names += (names.empty() ? "" : ", ") + size_name(n);
    if (c.chosen.reference) return fmt::format("{} is no kernel of ours: there is no {} of it.", name, what);
    if (sizes.empty())
        return fmt::format("These results have no {} of {}. `warptree bench {} --{}` makes one.", what, name, name,
                           what == "tuning" ? "tune" : what);
    return fmt::format("These results have no {} of {} at N = {}; they have N = {}.", what, name,
                       size_name(c.ladder.choice.n), names);
}

/// How many blocks ran at each moment.
void draw_running(const LadderContext& c, const Schedule& schedule, double most, Box box) {
    const std::size_t bins = std::max(1.0f, box.w / 3);
    std::vector<ShareColumn> columns;
    for (const double now : running(schedule, bins)) columns.push_back({now, 0, std::max(1.0, most)});
    draw_shares(c.pen, strip_in(box, bins, 0), 1, columns, 0.75f, {Word::kNone, kActive});
    c.pen.fill({box.x, box.bottom(), box.w, 1}, {kLine});
    c.pen.line({box.x - 10, box.y + 6}, whole(most), kAxisText, 54, kRight);
    c.pen.line({box.x - 10, box.bottom() - 6}, "blocks", kFine, 54, kRight);
}

/// A row a multiprocessor, in it a lane for each block that it runs at a time.
void draw_places(const LadderContext& c, const Schedule& schedule, const ScheduleFacts& facts, const Chart& chart) {
    const Box rows = chart.area();
    const float row = rows.h / schedule.places, lane = row / facts.lanes, gap = lane >= 3 ? 1.0f : 0.0f;
    std::vector<std::size_t> by_begin(schedule.blocks.size());
    std::iota(by_begin.begin(), by_begin.end(), 0);
    std::ranges::stable_sort(by_begin, {}, [&](std::size_t i) { return schedule.blocks[i].begin; });
    std::vector<bool> odd(std::size_t{schedule.places} * facts.lanes);  // the next block of a lane
    for (const std::size_t i : by_begin) {
        const kernels::BlockRun& block = schedule.blocks[i];
        const float left = chart.x(block.begin), w = std::max(0.5f, chart.x(block.end) - left);
        const float y = rows.y + block.place * row + facts.lane[i] * lane;
        auto shade = odd[block.place * std::size_t{facts.lanes} + facts.lane[i]];  // neighbours differ in it
        const Ink ink{kActive, shade ? 0.55f : 1.0f};
        shade = !shade;
        c.pen.fill({left, y, std::max(0.5f, w - (w >= 3 ? 1.0f : 0.0f)), std::max(0.3f, lane - gap)}, ink);
    }
    for (const std::uint32_t place : {0u, schedule.places - 1})
        c.pen.line({rows.x - 10, rows.y + (place + 0.5f) * row}, fmt::format("SM {}", place), kAxisText, 54, kRight);
    for (const double ns : chart.across().ticks()) {
        c.pen.fill({chart.x(ns), rows.bottom(), 1, 5}, {kLine});
        c.pen.line({chart.x(ns), rows.bottom() + 16}, fmt::format("{:g}", ns / 1000), kAxisText, 60, kCentre);
    }
    c.pen.line({rows.x - 10, rows.bottom() + 16}, "µs", kFine, 40, kRight);
}

std::string change(const Cause& cause) {
    const double before = cause.before, after = cause.after;
    if (before == after) return "same";
    if (before == 0 || after == 0) return after == 0 ? "none left" : "new";
    return after < before ? "÷ " + times(before / after) : "× " + times(after / before);
}

/// What the times say, and the work that was counted; "" where a time is missing.
std::string of_times(const LadderContext& c, const Rung& before, const Cause& operations) {
    if (!c.chosen.step) return "";
    const kernels::Timing &a = *before.timing, &b = *c.chosen.timing;
    const bool faster = *c.chosen.step > 1, alike = a.ms_min <= b.ms_max && b.ms_min <= a.ms_max;
    const std::string_view remark = alike                                             ? " Their runs' times overlap."
                                    : operations.after < operations.before && !faster ? " Fewer operations, yet slower."
                                    : operations.after > operations.before && faster  ? " More operations, yet faster."
                                                                                      : "";
    const double least = std::min(a.ms_median, b.ms_median);
    return fmt::format("Measured at N = {}: {} ms, then {} ms: {} times as fast.{}", size_name(c.ladder.choice.n),
                       ms_text(a.ms_median, least), ms_text(b.ms_median, least), times(*c.chosen.step), remark);
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

void draw_ladder_sizes(const LadderContext& c, const Chart& chart, float left) {
    constexpr float kBand = 20;
    const Box area = chart.area();
    Ruler ruler{c.pen, area.bottom() + 15, left};
    const auto& sizes = c.ladder.sizes;
    const auto x = [&](std::size_t i) { return chart.x(sizes[i]); };
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const bool now = sizes[i] == c.ladder.choice.n;
        const float from = i == 0 ? x(i) - kBand : (x(i) + x(i - 1)) / 2;
        const float to = i + 1 == sizes.size() ? x(i) + kBand : (x(i) + x(i + 1)) / 2;
        const Id id = c.pen.button({from, area.y, to - from, area.h + 28}, set(Field::kLadderN, sizes[i]),
                                   "N = " + size_name(sizes[i]));
        if (now || pack(c.hover) == id) c.pen.fill({x(i) - kBand, area.y, 2 * kBand, area.h + 28}, {kAccent, 0.14f}, 4);
        ruler.put(x(i), size_name(sizes[i]), chosen_style(kAxisText, now));
    }
}

void draw_ladder_chart(const LadderContext& c, Box box) {
    if (box.h < kLeastCurves || c.ladder.sizes.size() < 2) return;
    const bool time = c.ladder.choice.picture == LadderPicture::kTime;
    std::vector<ChartLine> lines;
    const auto add = [&](const Rung& rung, const Measurements& of) {
        if (ChartLine line = line_of(c, rung, of); !line.points.empty()) lines.push_back(std::move(line));
    };
    for (const Rung& rung : c.ladder.rungs) add(rung, *c.ladder.of);
    for (const Measurements& other : c.all)  // at the same N
        if (c.ladder.choice.others && &other != c.ladder.of) add(c.chosen, other);
    Scale up{std::numeric_limits<double>::max(), 0, time};
    for (const ChartLine& line : lines)
        for (const ChartLine::Point& point : line.points) up.take(point.y);
    up.take(time ? up.low * 0.8 : c.ladder.limit());
    if (!time) up.low = 0;
    up.high *= time ? 1.25 : 1.04;
    const Scale across{1.0 * c.ladder.sizes.front(), 1.0 * c.ladder.sizes.back(), true};
    const Chart chart(c.pen, box, 40, lines, across, up);
    draw_heading(c, time, box);
    chart.ticks();
    draw_ladder_sizes(c, chart, box.x);
    draw_limit(c, chart, time);
    for (const bool over : {false, true})
        for (const ChartLine& line : lines)
            if (line.kept == over) chart.draw(line);
    chart.draw_names(lines, box.right());
}

void draw_ladder_model(const LadderContext& c, Box box) {
    constexpr float kLeastSaid = 260;  // lower boxes have room for the curves alone
    if (box.h < kLeastCurves) return;
    const study::LinkModel model = *study::link_model(c.ladder);
    const std::uint64_t elements = c.ladder.choice.n / c.ladder.devices;
    std::set<std::uint32_t> measured;
    std::vector<ChartLine> lines, points;
    Scale up{std::numeric_limits<double>::max(), 0, true};
    for (const Rung& rung : c.ladder.rungs) {
        if (rung.reference) continue;
        const bool chosen = &rung == &c.chosen;
        ChartLine line{.name = rung.called,
                       .ink = chosen ? Ink{kActive} : Ink{kTextDim, 0.7f},
                       .width = chosen ? 3.5f : 1.6f,
                       .dashed = true,
                       .kept = chosen,
                       .style = chosen_style(kFine, chosen),
                       .id = 0,
                       .command = c.choose(rung)};
        for (std::uint32_t p = 2; p <= study::kMostModelled; p *= 2) {
            line.points.push_back({1.0 * p, model.ms(rung.name, p, elements), false, p == 2});
            up.take(line.points.back().y);
        }
        lines.push_back(line);
        line.dot = chosen ? 5.5f : 4.0f;
        line.points.clear();
        for (const kernels::Timing& t : c.ladder.of->runs) {
            if (t.kernel != rung.name || t.n != t.devices * elements || t.type != c.ladder.choice.type || !t.correct)
                continue;
            line.points.push_back({1.0 * t.devices, t.ms_median, false, true, timing_id(c.ladder, t)});
            up.take(t.ms_median);
            measured.insert(t.devices);
        }
        points.push_back(line);
    }
    up.low *= 0.8, up.high *= 1.25;
    std::string fastest;
    for (const study::Fastest& one : study::fastest_of(c.ladder, model, elements))
        fastest += fmt::format("{}{} {}", fastest.empty() ? "Fastest all-reduce: " : ", ", one.kernel,
                               one.last == study::kMostModelled ? fmt::format("from {} on", one.first)
                               : one.first == one.last          ? fmt::format("on {}", one.first)
                                                                : fmt::format("up to {}", one.last));
    const float used = c.pen.line({box.x, box.y + 12}, "A model: time in ms over devices", kTopic, box.w);
    const std::string dots = fmt::format("dots: measured on {}", fmt::join(measured, " and "));
    c.pen.either({box.right(), box.y + 12}, {fmt::format("{}; {} elements on each", dots, size_name(elements)), dots},
                 kFine, box.w - used - 20, kRight);
    const std::string said = fmt::format(
        "{}. A round takes {:.3g} µs and a link carries {:.4g} GB/s, as measured here on {}; adds go on meanwhile, at "
        "a "
        "copy's rate. All that has no dot is the model's.",
        fastest, model.alpha * 1e3, model.beta / 1e6, c.ladder.devices);
    const float top = box.h < kLeastSaid ? 22 : c.pen.paragraph({box.x, box.y + 38}, said, kDim, box.w, 3) - box.y;
    const Scale across{2, study::kMostModelled, true};
    const Chart chart(c.pen, {box.x, box.y + top - 22, box.w, box.h - top + 22}, 40, lines, across, up);
    chart.ticks();
    Ruler ruler{c.pen, chart.area().bottom() + 15, box.x};
    for (std::uint32_t p = 2; p <= study::kMostModelled; p *= 2)
        ruler.put(chart.x(p), std::to_string(p), chosen_style(kAxisText, measured.contains(p)));
    for (const auto* all : {&lines, &points})
        for (const ChartLine& line : *all) chart.draw(line);
    chart.draw_names(lines, box.right());
}

void draw_ladder_schedule(const LadderContext& c, Box box) {
    const Schedule* schedule = c.ladder.of->schedule_of(c.chosen.name, c.ladder.choice.n);
    if (schedule == nullptr) return say(c.pen, box, none_here(c, "schedule", c.ladder.of->schedules));
    if (box.h < 220) return;
    const ScheduleFacts facts = facts_of(*schedule);
    const std::string said = fmt::format(
        "{} of {} on {} of {} multiprocessors, at most {} at a time: {}. From {} on some have no block left: the "
        "tail is {} of {}. Noted by the blocks, by a clock that ticks every {} ns.",
        counted(schedule->blocks.size(), "block"), counted(schedule->block, "thread"), facts.places, schedule->places,
        grouped(facts.at_once), counted(facts.waves, "wave"), microseconds(facts.tail), percent(facts.tail_share()),
        microseconds(facts.end), grouped(std::max<std::uint64_t>(facts.tick, 1)));
    c.pen.line(
        {box.x, box.y + 12},
        fmt::format("When and where the blocks of {} ran", kernels::factored_name(schedule->kernel, schedule->coarsen)),
        kTopic, box.w);
    const float top = c.pen.paragraph({box.x, box.y + 40}, said, kDim, box.w, 3) + 8;
    Box rows{box.x + kAxis, top, box.w - kAxis - 8, box.bottom() - 30 - top};
    const Box above = cut_top(rows, std::min(kRunning, rows.h / 4), 14);
    const Chart chart(c.pen, rows, {.high = std::max<double>(facts.end, 1)}, {});
    draw_running(c, *schedule, facts.at_once, above);
    draw_places(c, *schedule, facts, chart);
    const float tail = chart.x(facts.tail);
    if (rows.right() - tail > 1) c.pen.fill({tail, above.y, 1, rows.bottom() - above.y}, {kText, 0.8f});
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
    const Box area{box.x + kAxis, box.y + 64, box.w - kAxis, box.h - 64 - 34};
    const float w = area.w / blocks.size(), h = std::min(64.0f, area.h / factors.size());
    const auto cell = [&](std::uint32_t block, std::uint32_t factor) {
        return Box{area.x + std::distance(blocks.begin(), blocks.find(block)) * w,
                   area.y + std::distance(factors.begin(), factors.find(factor)) * h, w, h};
    };
    for (const kernels::Timing& t : tuning) {
        const Box own = cell(t.block, t.coarsen).inset(2);
        const bool first = &t == &best;
        const double share = best.ms_median / t.ms_median;
        const float opacity = 0.06 + 0.5 * share * share;
        c.pen.framed(own, {kActive, opacity}, {kAccent}, first ? 2.5f : 0.0f, 4);
        c.pen.line(own.centre(), fmt::format("{:.{}f}", t.gb_per_s, best.gb_per_s < 100 ? 1 : 0),
                   {first ? kMonoBold : kMono, kSmall, {kText}}, own.w - 4, kCentre);
    }
    const float below = cell(best.block, *factors.rbegin()).bottom() + 14;
    for (const std::uint32_t block : blocks)
        c.pen.line({cell(block, best.coarsen).centre().x, below}, std::to_string(block), kAxisText, w, kCentre);
    for (const std::uint32_t factor : factors)
        if (factors.size() > 1)
            c.pen.line({area.x - 10, cell(best.block, factor).centre().y}, fmt::format("by {}", factor), kAxisText, 50,
                       kRight);
    c.pen.line({area.x - 10, below}, "threads", kFine, 54, kRight);
}

void draw_ladder_causes(const LadderContext& c, Box box) {
    const bool alone = c.ladder.sizes.size() == 1;  // without curves there is room
    const float pitch = alone ? 34.0f : 22.0f, size = alone ? 19.0f : kSmall, column = alone ? 130.0f : 104.0f;
    Pen& pen = c.pen;
    if (!alone) separator(pen, box.x, box.y - 6, box.w);
    const Rung* before = rung_before(c.ladder, c.chosen);
    const std::string title =
        before == nullptr ? c.chosen.called : fmt::format("From {} to {}", before->called, c.chosen.called);
    const float used = pen.line({box.x, box.y + 14}, title, kTopic, box.w);
    if (const std::string why = missing(c, before); !why.empty())
        return say(pen, {box.x, box.y + 30, box.w, box.h}, why);
    const auto [first_run, then_run, at_n] = counted_pair(c.ladder, c.counted, *before, c.chosen);
    const std::string brief =
        fmt::format("counted at N = {}", at_n ? size_name(c.ladder.choice.n) : grouped(LadderStudy::kN));
    const std::string where = at_n ? "with these results" : "on the CPU";
    pen.either({box.right(), box.y + 14}, {fmt::format("{}, {}, sum of float32", brief, where), brief}, kFine,
               box.w - used - 20, kRight);
    const std::vector<Cause> all = causes(*first_run, *then_run);
    pen.line({box.x, box.y + 40}, of_times(c, *before, all.front()), kEntry, box.w);
    Table table(pen, {box.x, box.y + 56, box.w, box.h},
                {{"", 0, kLeft}, column_of(Word::kBefore, column), column_of(Word::kThen, column), {"", column}},
                pitch);
    table.heads();
    bool all_same = true;
    for (const Cause& cause : all) {
        const bool fell = cause.after < cause.before, same = cause.after == cause.before;
        const Ink ink{same ? kTextFaint : kText};
        all_same = all_same && same;
        table.next(same ? Word::kNone : fell ? Word::kFewer : Word::kTimes);
        table.row({fell ? kSansBold : kSans, size, ink}, {fell ? kMonoBold : kMono, size, ink},
                  {cause.name, grouped(cause.before), grouped(cause.after), change(cause)});
    }
    if (all_same)
        pen.line({box.x, table.y() + pitch}, "None of these changed: what did is not counted here.", kFine, box.w);
}

}  // namespace warptree::scene
