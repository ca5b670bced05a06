// The accuracy view's parts but for its chart.
#include "app/scene/accuracy_view.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

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

}  // namespace

void draw_running_sums(Pen& pen, const RoundingStudy& study, Playhead at, Box box) {
    pen.line({box.x, box.y + 10}, "Digits of the sum, and what it lost", kTopic, box.w);
    const float top = box.y + kHeadingHeight;
    const auto most = static_cast<std::size_t>(std::max(0.0f, (box.bottom() - top - 46) / kRowHeight));
    std::vector<const RunningSum*> rows;  // the last so many that are told
    for (const RunningSum& sum : study.running)
        if (sum.step < at.position && !at.hides(sum.step)) rows.push_back(&sum);
    if (rows.size() > most) rows.erase(rows.begin(), rows.end() - static_cast<std::ptrdiff_t>(most));
    if (rows.empty() || most == 0) {
        pen.paragraph({box.x, top + 8},
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
    Table table(pen, {box.x, top + 2, box.w, box.h}, {{"", 74, Align::kLeft}, {"", 106}, {"", 10}, {""}}, kRowHeight);
    const Box bits = table.cell(3);
    const float bit = bits.w / static_cast<float>(std::max(1, first - last + 1));
    const auto bar = [&](double number, float y, float h, Role role) {
        const Digits digits = digits_of(number);
        if (number != 0)
            pen.fill({bits.x + bit * static_cast<float>(first - digits.first), y,
                      bit * static_cast<float>(digits.first - digits.last + 1), h},
                     {role}, 2);
    };
    for (const RunningSum* row : rows) {
        const bool now = row->step + 1 == at.position;
        const Box line = table.line();
        if (now) pen.fill({line.x - 6, line.y + 1, line.w + 12, line.h - 2}, {Role::kRaised}, 6);
        table.text(0, fmt::format("step {}", grouped(row->step + 1)),
                   {now ? Face::kSansBold : Face::kSans, kLeast, {Role::kTextDim}});
        table.text(1, fmt::format("{:.9g}", row->sum), {Face::kMono, kLeast, {Role::kText}});
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

namespace {

/// What is drawn of many runs, and above it, where both have room, what else there is to draw.
void draw_picture(Pen& pen, const AccuracyShown& shown, Box box) {
    const auto choices = [&](Box row) {
        Pills pills(pen, row, {});
        for (const auto& [picture, name] : study::kAccuracyPictures)
            pills.add(name, control_id(Control::kAccuracyPicture, static_cast<std::size_t>(picture)),
                      picture == shown.picture);
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

}  // namespace

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

}  // namespace warptree::scene
