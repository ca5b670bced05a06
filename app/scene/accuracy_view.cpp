// The accuracy view's parts but for its chart.
#include "app/scene/accuracy_view.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/study/words.hpp"
#include "instrumentation/trace/trace.hpp"

namespace warptree::scene {
namespace {

constexpr Style kHeading{Face::kSansBold, kBody, {Role::kText}};
constexpr float kRowHeight = 26, kHeadingHeight = 34;

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
    pen.line({box.x, box.y + 10}, "Digits of the sum, and what it lost", kHeading, box.w);
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
    const float names = 170, left = box.x + names, width = box.w - names;
    const float bit = width / static_cast<float>(std::max(1, first - last + 1));
    const auto bar = [&](double number, float y, float h, Ink ink, bool outlined) {
        const Digits digits = digits_of(number);
        const Box where{left + bit * static_cast<float>(first - digits.first), y,
                        bit * static_cast<float>(digits.first - digits.last + 1), h};
        outlined ? pen.frame(where, ink, 2, 2) : pen.fill(where, ink, 2);
    };
    float y = top;
    for (const RunningSum* row : rows) {
        const bool now = row->step + 1 == at.position;
        if (now) pen.fill({box.x - 6, y, box.w + 12, kRowHeight - 2}, {Role::kRaised}, 6);
        pen.line({box.x, y + 12}, fmt::format("step {}", grouped(row->step + 1)),
                 {now ? Face::kSansBold : Face::kSans, kLeast, {Role::kTextDim}}, 74);
        pen.line({box.x + names - 10, y + 12}, fmt::format("{:.9g}", row->sum), {Face::kMono, kLeast, {Role::kText}},
                 88, Align::kRight);
        if (row->sum != 0) bar(row->sum, y + 4, 8, {Role::kWritten}, false);
        if (row->lost != 0) bar(row->lost, y + 14, 7, {row->caught ? Role::kSegment : Role::kWrong}, false);
        y += kRowHeight;
    }
    constexpr LegendItem kLegend[] = {{"the sum's digits", Role::kWritten},
                                      {"lost", Role::kWrong},
                                      {"lost, and caught", Role::kSegment, Fill::kSolid, "caught"}};
    draw_legend(pen, {box.x, y + 16}, box.w, kLegend);
}

void draw_spread(Pen& pen, const RoundingStudy& study, Box box) {
    pen.line({box.x, box.y + 10}, "Results of other orders", kHeading, box.w);
    const Spread& spread = study.spread;
    const float top = box.y + kHeadingHeight;
    const trace::Run& run = study.subject->run();
    if (spread.sums < 2) {
        const bool launches = run.launches.size() > 1;
        const std::string why =
            !study.problem.empty() ? study.problem
            : run.launch().grid == 1
                ? "One block makes the result, always in the same order: it is the same bits every time."
            : launches ? "The blocks' sums meet in another launch, in the order of the blocks: the result is the same "
                         "bits every time."
                       : "The last block to come adds the blocks' sums in the order of the blocks, whoever that is: "
                         "the result is the same bits every time.";
        pen.paragraph({box.x, top + 8}, why, kDim, box.w, 4);
        return;
    }
    const std::string said = fmt::format(
        "{} of blocks meet in atomics. Added in {} random orders they give {}:", counted(spread.sums, "sum"),
        grouped(spread.orders), counted(spread.results.size(), "result"));
    float y = pen.paragraph({box.x, top + 8}, said, kDim, box.w, 2) + 4;
    const auto rows = static_cast<std::size_t>(std::max(0.0f, (box.bottom() - y) / 24));
    std::vector<Spread::Result> shown = spread.results;
    if (shown.size() > rows) {  // the commonest, in order of their values
        std::ranges::stable_sort(shown, std::ranges::greater(), &Spread::Result::count);
        shown.resize(rows);
        std::ranges::sort(shown, {}, &Spread::Result::value);
    }
    std::size_t highest = 1;
    for (const Spread::Result& result : shown) highest = std::max(highest, result.count);
    constexpr float kBits = 150, kUlps = 270, kBars = 284, kCount = 56;
    for (const Spread::Result& result : shown) {
        const double ulps = (result.value - study.exact) / study.ulp;
        const auto cell = [&](float x, const std::string& text, Role role, float width, Align align) {
            pen.line({box.x + x, y + 8}, text, {Face::kMono, kLeast, {role}}, width, align);
        };
        cell(0, fmt::format("{:.9g}", result.value), Role::kText, 92, Align::kLeft);
        cell(kBits + 20, fmt::format("{:0{}x}", result.bits, 2 * value::size_bytes(run.launch().type)), Role::kTextDim,
             74, Align::kRight);
        cell(kUlps, fmt::format("{:+.2f} ulps", ulps), Role::kTextDim, 92, Align::kRight);
        const float w =
            std::max(2.0f, (box.w - kBars - kCount) * static_cast<float>(result.count) / static_cast<float>(highest));
        pen.fill({box.x + kBars, y, w, 16}, {std::abs(ulps) <= 0.5 ? Role::kSegment : Role::kActive}, 2);
        cell(kBars + w + 6, grouped(result.count), Role::kTextDim, 50, Align::kLeft);
        y += 24;
    }
}

Scene accuracy_view(const RoundingStudy& study, Playhead at, Box box, const Measure& measure) {
    constexpr float kWide = 1000, kBetween = 44, kFoot = 34, kLeastSums = 200;
    Scene scene;
    if (box.w <= 0 || box.h <= 0) return scene;
    Pen pen(scene, measure);
    panel_ground(pen, box);
    const AccuracyWanted& wanted = study.table.wanted;
    panel_title(pen, box, "",
                fmt::format("sums of {} · input {} · {} seeds", trace::name(wanted.type), wanted.input, wanted.seeds));
    Box inside{box.x + kPad, box.y + kTitleHeight, box.w - 2 * kPad, box.h - kTitleHeight - 10};
    if (inside.h > 300) {
        const std::string help =
            fitting(pen,
                    {"Left: plain runs over many seeds, not the run on show. u is half the distance from 1 to the next "
                     "number; dashed are the bounds of Higham (ch. 4) and, √N, of Higham and Mary (2019).",
                     "Left: plain runs over many seeds, not the run on show. Dashed: bounds of Higham, and of Higham "
                     "and Mary (√N).",
                     "Plain runs over many seeds; dashed: the theory's bounds."},
                    Face::kSans, kSmall, inside.w);
        pen.line({inside.x, inside.bottom() - 12}, help, kDim, inside.w);
        inside.h -= kFoot;
    }
    const bool wide = inside.w >= kWide;
    const float left = wide ? 0.56f * inside.w : inside.w;
    draw_accuracy_chart(pen, study, {inside.x, inside.y, left, inside.h});
    if (!wide) return scene;
    const Box right{inside.x + left + kBetween, inside.y, inside.w - left - kBetween, inside.h};
    const bool both = right.h >= 2 * kLeastSums;
    const float sums = both ? 0.56f * right.h : right.h;
    draw_running_sums(pen, study, at, {right.x, right.y, right.w, sums - (both ? 20 : 0)});
    if (both) draw_spread(pen, study, {right.x, right.y + sums, right.w, right.h - sums});
    return scene;
}

}  // namespace warptree::scene
