// The accuracy view's parts but for its charts: the bits of running sums; and the same sum again and again, how often
// each result came, of many kernels by how far they are off, of one bit by bit.
#include "app/scene/accuracy_view.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/scene/chart.hpp"
#include "app/study/words.hpp"
#include "instrumentation/trace/trace.hpp"

namespace warptree::scene {
namespace {

constexpr float kRowHeight = 26;

/// The exponents of a number's first and last digit that is 1.
struct Digits {
    int first = 0, last = 0;
};
Digits digits_of(double number) {
    int exponent = 0;
    auto digits = static_cast<std::uint64_t>(std::ldexp(std::frexp(std::abs(number), &exponent), 53));
    int last = exponent - 53;
    while (digits != 0 && digits % 2 == 0) digits /= 2, ++last;
    return {exponent - 1, last};
}

/// What is drawn of many runs, and above it, where both have room, what else there is to draw.
void draw_picture(Pen& pen, const AccuracyShown& shown, Box box) {
    const auto choices = [&](Box row) {
        std::vector<Choice> all;
        for (const auto& [picture, name] : study::kAccuracyPictures)
            all.push_back({std::string(name), control_id(Control::kAccuracyPicture, static_cast<std::size_t>(picture)),
                           picture == shown.picture});
        draw_choices(pen, row, {all}, {});
    };
    const auto picture = [&](Box area) {
        shown.picture == AccuracyPicture::kBandwidth ? draw_trade_offs(pen, shown, area)
        : shown.picture == AccuracyPicture::kRepeats ? draw_repeats(pen, shown, area)
                                                     : draw_accuracy_chart(pen, shown, area);
    };
    stack(pen, {{32, 1, choices}, {160, 0, picture, 16, kRest, kLeastPicture}}, box, 0);
}

/// Of what runs the picture is, and how it is read; the last sentences give way first.
std::string_view help_of(AccuracyPicture picture) {
    if (picture == AccuracyPicture::kBandwidth)
        return "Left: recorded plain runs, not the run on show. The line joins the points that no kernel beats in "
               "both. The pointer tells a point, a click chooses its kernel.";
    if (picture == AccuracyPicture::kRepeats)
        return "Left: recorded plain runs, not the run on show. Each bar is one pattern of bits. A ulp is a unit in "
               "the last place of the right result.";
    return "Left: plain runs over many seeds, not the run on show. Dashed are the bounds of Higham (ch. 4) and, √N, of "
           "Higham and Mary (2019). u is half the distance from 1 to the next number.";
}

using Row = study::Repeats::Result;

constexpr LegendItem kNearAndFar[] = {{"correctly rounded", Role::kSegment, Fill::kSolid, "right"},
                                      {"off by more than ½ ulp", Role::kActive, Fill::kSolid, "> ½ ulp"}};

Role role_of(const Row& row) {
    return std::abs(row.ulps) <= 0.5 ? Role::kSegment : Role::kActive;
}

double highest(const std::vector<Row>& rows) {
    return std::ranges::max_element(rows, {}, &Row::count)->count;
}

/// The place of what the run's kernel gave on a device; of all there are: that was not recorded.
std::size_t own_repeats(const AccuracyShown& shown) {
    const auto& all = shown.recorded.repeats->repeats;
    return static_cast<std::size_t>(std::ranges::find(all, shown.kernel(), &study::Repeats::kernel) - all.begin());
}

/// Why all orders of blocks give the same.
std::string one_result(const RoundingStudy& study) {
    const trace::Run& run = study.subject->run();
    return !study.problem.empty() ? study.problem
           : run.launch().grid == 1
               ? "One block makes the result, always in the same order: it is the same bits every time."
           : run.launches.size() > 1
               ? "The blocks' sums meet in another launch, in the order of the blocks: the result "
                 "is the same bits every time."
               : "The last block to come adds the blocks' sums in the order of the blocks, whoever "
                 "that is: the result is the same bits every time.";
}

/// A row a result: value, bits, error, and how often it came.
void draw_rows(Pen& pen, std::vector<Row> rows, value::Type type, Box box) {
    const auto fitting = static_cast<std::size_t>(std::max(0.0f, box.h / 24));
    if (rows.size() > fitting) {  // the commonest, in order of their values
        std::ranges::stable_sort(rows, std::ranges::greater(), &Row::count);
        rows.resize(fitting);
        std::ranges::sort(rows, {}, &Row::value);
    }
    if (rows.empty()) return;
    Table table(pen, {box.x, box.y - 26, box.w, box.h},
                {{"", 100, Align::kLeft}, {"", 76}, {"", 100}, {"", 14}, {""}, {"", 56}}, 24);
    const Style dim{Face::kMono, kLeast, {Role::kTextDim}};
    for (const double most = highest(rows); const Row& row : rows) {
        table.next();
        table.row({Face::kMono, kLeast, {Role::kText}}, dim,
                  {fmt::format("{:.9g}", row.value), fmt::format("{:0{}x}", row.bits, 2 * value::size_bytes(type)),
                   fmt::format("{:+.2f} ulps", row.ulps)});
        const Box bar = table.cell(4);
        const float w = std::max<float>(2, bar.w * row.count / most);
        pen.fill({bar.x, table.y() - 8, w, 16}, {role_of(row)}, 2);
        pen.line({bar.x + w + 6, table.y()}, grouped(row.count), dim, 50);
    }
}

}  // namespace

void draw_running_sums(Pen& pen, const RoundingStudy& study, Playhead at, Box box) {
    pen.line({box.x, box.y + 10}, "Digits of the sum, and what it lost", kTopic, box.w);
    cut_top(box, kHeadingHeight);
    const std::size_t most = std::max(0.0f, (box.h - 46) / kRowHeight);
    std::vector<const RunningSum*> rows;  // the last so many that are told
    for (const RunningSum& sum : study.running)
        if (sum.step < at.position && !at.hides(sum.step)) rows.push_back(&sum);
    if (rows.size() > most) rows.erase(rows.begin(), rows.end() - static_cast<std::ptrdiff_t>(most));
    if (rows.empty()) {
        pen.paragraph({box.x, box.y + 8},
                      !study.problem.empty() ? study.problem
                      : study.running.empty()
                          ? "The result meets in atomics alone: no order of additions stands in the rows."
                          : "Step on: each addition on the way to the result has a row here.",
                      kDim, box.w, 3);
        return;
    }
    int first = INT32_MIN, last = INT32_MAX;
    for (const RunningSum* row : rows)
        for (const double number : {row->sum, row->lost})
            if (number != 0)
                first = std::max(first, digits_of(number).first), last = std::min(last, digits_of(number).last);
    if (first < last) first = last = 0;  // nothing but zeros
    Table table(pen, {box.x, box.y + 2, box.w, box.h}, {{"", 74, Align::kLeft}, {"", 106}, {"", 10}, {""}}, kRowHeight);
    const Box bits = table.cell(3);
    const float bit = bits.w / (first - last + 1);
    const auto bar = [&](double number, float y, float h, Role role) {
        const Digits digits = digits_of(number);
        if (number != 0)
            pen.fill({bits.x + bit * (first - digits.first), y, bit * (digits.first - digits.last + 1), h}, {role}, 2);
    };
    for (const RunningSum* row : rows) {
        const bool now = row->step + 1 == at.position;
        const Box line = table.line();
        if (now) pen.fill({line.x - 6, line.y + 1, line.w + 12, line.h - 2}, {Role::kRaised}, 6);
        table.row({now ? Face::kSansBold : Face::kSans, kLeast, {Role::kTextDim}}, {Face::kMono, kLeast, {Role::kText}},
                  {fmt::format("step {}", grouped(row->step + 1)), fmt::format("{:.9g}", row->sum)});
        bar(row->sum, table.y() - 8, 8, Role::kWritten);
        bar(row->lost, table.y() + 2, 7, row->caught ? Role::kSegment : Role::kWrong);
        pen.spot(line,
                 pack({Target::Kind::kFigure, 0, kSumFigure, static_cast<std::uint32_t>(row - study.running.data())}));
        table.next();
    }
    constexpr LegendItem kLegend[] = {{"the sum's digits", Role::kWritten},
                                      {"lost", Role::kWrong},
                                      {"lost, and caught", Role::kSegment, Fill::kSolid, "caught"}};
    draw_legend(pen, {box.x, table.y() + 4}, box.w, kLegend);
}

Scene accuracy_view(const AccuracyShown& shown, Playhead at, Box box, const Measure& measure) {
    constexpr float kWide = 1000, kBetween = 44, kWanted = 300, kLeastSums = 200, kSpread = 0.44f;
    return on_panel(box, measure, [&](Pen& pen) {
        const AccuracyWanted& wanted = shown.table().wanted;
        const bool recorded = shown.picture >= AccuracyPicture::kBandwidth;
        panel_title(pen, box, "",
                    recorded ? "recorded results"
                             : fmt::format("sums of {} · input {} · {} seeds", trace::name(wanted.type), wanted.input,
                                           wanted.seeds));
        const auto draw = [&](Box inside) {
            if (inside.w < kWide) return draw_picture(pen, shown, inside);
            draw_picture(pen, shown, cut_left(inside, 0.56f * inside.w, kBetween));
            stack(pen,
                  {{kLeastSums, 0, [&](Box sums) { draw_running_sums(pen, shown.study, at, sums); }, kClose, kRest, 1},
                   {kSpread * inside.h, 1, [&](Box spread) { draw_spread(pen, shown, spread); }, 20}},
                  inside, 0);
        };
        stack_panel(pen, box, 0, {{kWanted, 0, draw, kClose, kRest, 1}}, panel_inside(box, 10), {},
                    help_of(shown.picture));
    });
}

void draw_spread(Pen& pen, const AccuracyShown& shown, Box box) {
    const Spread& spread = shown.study.spread;
    const Measurements* of = shown.picture == AccuracyPicture::kRepeats ? shown.recorded.repeats : nullptr;
    const bool recorded = of != nullptr && own_repeats(shown) < of->repeats.size();
    std::string heading = "Results of other orders", said = one_result(shown.study);
    value::Type type = shown.study.subject->run().launch().type;
    std::vector<Row> rows;
    if (recorded) {
        const study::Repeats& own = of->repeats[own_repeats(shown)];
        heading = fmt::format("The bits of {}", own.kernel);
        said = fmt::format("The same {} elements {} times on an {}: {}.{}", grouped(own.n), grouped(own.times()),
                           of->device, counted(own.results.size(), "result"),
                           own.results.size() == 1 && spread.sums < 2 && shown.study.problem.empty() ? " " + said : "");
        rows = own.results, type = own.type;
    } else if (spread.sums >= 2) {
        said = fmt::format(
            "{} of blocks meet in atomics. Added in {} random orders they give {}:", counted(spread.sums, "sum"),
            grouped(spread.orders), counted(spread.results.size(), "result"));
        rows = spread.results;
    }
    pen.line({box.x, box.y + 10}, heading, kTopic, box.w);
    cut_top(box, pen.paragraph({box.x, box.y + kHeadingHeight + 8}, said, kDim, box.w, 4) + 4 - box.y);
    if (!rows.empty() && shown.picture != AccuracyPicture::kRepeats && box.h > 100)  // else the picture has it
        draw_legend(pen, {box.x, cut_bottom(box, 28).centre().y}, box.w, kNearAndFar);
    draw_rows(pen, rows, type, box);
}

void draw_repeats(Pen& pen, const AccuracyShown& shown, Box box) {
    constexpr float kNames = 210, kLeastRow = 40, kMostRow = 96, kAxis = 66;
    const Measurements* of = shown.recorded.repeats;
    if (of == nullptr)
        return say(pen, box,
                   "No results have repeated runs; `warptree accuracy KERNELS --repeat 1000 --out FILE` makes some.");
    pen.line({box.x, box.y + 10}, fmt::format("The same sum again and again on an {}", of->device), kTopic, box.w);
    pen.either(
        {box.x, box.y + 38},
        {"How often each result came, by how far it is off. Where blocks meet in atomics, they come in any order.",
         "How often each result came, by how far it is off."},
        kDim, box.w);
    Box area{box.x + kNames, box.y + 64, box.w - kNames - 30, box.h - 64 - kAxis};
    if (area.h < kLeastRow) return;
    const Shown rows = shown_about(own_repeats(shown), of->repeats.size(), area.h, kLeastRow);
    const float h = std::min(kMostRow, area.h / rows.count());
    area.h = h * rows.count();
    Scale off{-1, 1};
    for (const study::Repeats& row : of->repeats)
        for (const Row& result : row.results) off.take(std::floor(result.ulps)), off.take(std::ceil(result.ulps));
    const Chart chart(pen, area, off, {});
    double tick = 1;
    while ((off.high - off.low) / tick > 12) tick *= 2;
    for (double ulps = std::ceil(off.low / tick) * tick; ulps <= off.high; ulps += tick) {
        const Ink ink = ulps == 0 ? Ink{Role::kText, 0.8f} : Ink{Role::kLine};
        pen.fill({chart.x(ulps), area.y, 1, area.h}, ink);
        pen.line({chart.x(ulps), area.bottom() + 16}, ulps == 0 ? "exact" : fmt::format("{:+g}", ulps), kAxisText, 60,
                 Align::kCentre);
    }
    pen.line({box.x, area.bottom() + 16}, "off by, in ulps", kFine, kNames - 40);
    draw_legend(pen, {area.x, area.bottom() + 44}, area.w, kNearAndFar);
    const float w = std::clamp<float>(area.w / (4 * (off.high - off.low)) - 2, 3, 24);
    for (std::size_t i = rows.first; i < rows.end; ++i) {
        const study::Repeats& row = of->repeats[i];
        const Box line = cut_top(area, h);
        const float foot = line.bottom() - 4, middle = foot - h / 2;
        const Style name{row.kernel == shown.kernel() ? Face::kSansBold : Face::kSans, kSmall, {Role::kText}};
        pen.line({box.x, middle - 4}, row.kernel, name, kNames - 16);
        pen.line({box.x, middle + 15},
                 fmt::format("{} of {}", counted(row.results.size(), "result"), counted(row.times(), "run")), kFine,
                 kNames - 16);
        pen.fill({line.x, foot, line.w, 1}, {Role::kLine});
        for (const Row& result : row.results) {
            const float tall = std::max<float>(2, (h - 12) * result.count / highest(row.results));
            pen.fill({chart.x(result.ulps) - w / 2, foot - tall, w, tall}, {role_of(result)}, 2);
        }
    }
}

}  // namespace warptree::scene
