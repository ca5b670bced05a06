// The accuracy view: error over N, or beside bandwidth, as charts; the same sum again and again, how often each result
// came; the bits of running sums; and the results of other orders of a run's atomics.
#include <bit>

#include "app/kit/chart.hpp"
#include "app/views/accuracy/view.hpp"
#include "app/views/ladder/view.hpp"

namespace warptree::scene {
namespace {

constexpr float kHeadingHeight = 34, kLeastPicture = 110;

/// The bounds of theory, then the kernels, that of the run last: it then lies over the others.
std::vector<ChartLine> lines_of(const AccuracyShown& shown) {
    std::vector<ChartLine> lines;
    const bool rms = shown.picture == AccuracyPicture::kRms;
    const auto& bounds = accuracy_bounds();
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        lines.push_back({.name = std::string(bounds[i].name),
                         .ink = {kBook, 0.9f},
                         .width = 1.6f,
                         .dashed = true,
                         .style = {kSans, kLeast, {kBook}},
                         .id = target_id(Target::Kind::kFigure, i, 0, kBoundFigure)});
        for (const double n : shown.table().wanted.sizes) lines.back().points.push_back({n, bounds[i].at(n)});
    }
    for (const bool own : {false, true})
        for (const std::string& kernel : shown.table().wanted.kernels) {
            if (own != (kernel == shown.kernel())) continue;
            ChartLine line{.name = kernel,
                           .ink = own ? Ink{kActive} : Ink{kText, 0.8f},
                           .width = own ? 3.5f : 1.8f,
                           .dot = own ? 5.0f : 3.5f,
                           .kept = own,
                           .style = chosen_style(kFine, own)};
            for (const AccuracyRow& row : shown.table().rows)
                if (const double off = rms ? row.rms : row.worst; row.kernel == kernel && row.seeds > 0) {
                    line.points.push_back({1.0 * row.n, off, off == 0});
                    line.name = kernels::factored_name(kernel, row.coarsen);
                }
            if (!line.points.empty()) lines.push_back(std::move(line));
        }
    return lines;
}

/// Whether the table is of sums over devices.
bool is_of_devices(const AccuracyShown& shown) {
    const kernels::Kernel* kernel = kernels::find(shown.table().wanted.kernels.front());
    return kernel != nullptr && value::is_collective(kernel->problem);
}

/// Error over N, on log axes, a line a kernel and a dashed one a bound.
void draw_accuracy_chart(Pen& pen, const AccuracyShown& shown, Box box) {
    if (box.h < kLeastPicture || box.w < 320 || shown.table().rows.empty()) return;
    const auto& sizes = shown.table().wanted.sizes;
    const Scale across{1.0 * sizes.front(), 1.0 * sizes.back(), true};
    std::vector<ChartLine> lines = lines_of(shown);
    const bool rms = shown.picture == AccuracyPicture::kRms;
    Scale up{1, across.high, true};
    for (const ChartLine& line : lines)
        for (const ChartLine::Point& point : line.points)
            if (line.dot > 0 && point.y > 0) up.take(point.y);
    up = {std::max(up.low * 0.7, up.high * 1.4e-7), up.high * 1.4, true};
    for (ChartLine& line : lines)  // what is exact, which a log axis has no place for, stands on it
        for (ChartLine::Point& point : line.points) point.y = std::clamp(point.y, up.low, up.high);
    const Chart chart(pen, box, 44, lines, across, up);
    const std::string error = rms ? "Root mean square error" : "Worst error",
                      measure = "in roundings of every element: error / (u · sum of |x|)";
    if (is_of_devices(shown))
        pen.either({box.x, box.y + 10},
                   {fmt::format("{} over N devices that have an element each, {}", error, measure),
                    fmt::format("{} over N devices that have an element each", error), error + " over devices"},
                   kTopic, box.w);
    else
        pen.line({box.x, box.y + 10}, fmt::format("{} over N, {}", error, measure), kTopic, box.w);
    chart.ticks();
    Ruler ruler{pen, chart.area().bottom() + 16, box.x, 10};
    for (const std::uint64_t n : sizes) ruler.put(chart.x(n), grouped(n));
    for (const ChartLine& line : lines) chart.draw(line);
    chart.draw_names(lines, box.right());
}

/// Whether no kernel is faster and no farther off, or as fast and nearer.
bool unbeaten(const TradeOff& point, const std::vector<TradeOff>& all) {
    return std::ranges::none_of(all, [&](const TradeOff& other) {
        const double gb = other.time->gb_per_s - point.time->gb_per_s, off = other.error->worst - point.error->worst;
        return gb >= 0 && off <= 0 && (gb > 0 || off < 0);
    });
}

/// A kernel's point, which chooses it.
void draw_point(Pen& pen, Vec at, bool own, const std::string& kernel, std::uint32_t which) {
    const float r = own ? 7 : 5;
    pen.disc(at, r, {own ? kActive : kText, own ? 1.0f : 0.8f}, target_id(Target::Kind::kTiming, which));
    pen.button({at.x - r, at.y - r, 2 * r, 2 * r}, {.action = Action::kKernel, .text = kernel}, "", r);
}

/// Error beside bandwidth, on log axes: a point a kernel, and a line through those that none beats in both.
void draw_trade_offs(Pen& pen, const AccuracyShown& shown, Box box) {
    const std::vector<TradeOff>& all = shown.recorded.points;
    if (all.size() < 2)
        return say(
            pen, box,
            "No results have both: `warptree bench KERNELS --out FILE` measures times, `warptree accuracy KERNELS "
            "--n N --out FILE` errors at the same N; open both here.",
            kDim, 4);
    if (box.h < kLeastPicture || box.w < 320) return;
    const bool brief = box.h < 260;  // no room for a second line of the title
    const AccuracyRow& error = *all.front().error;
    pen.line({box.x, box.y + 10}, "Worst error beside bandwidth in GB/s: down and to the right is better", kTopic,
             box.w);
    if (!brief)
        pen.line({box.x, box.y + 38},
                 fmt::format("{}, N = {}, {}, input {}, {}; warm cache", shown.recorded.errors->device,
                             size_name(error.n), value::name(error.type), error.input, counted(error.seeds, "seed")),
                 kDim, box.w);
    Scale up{1e300, 0, true};
    for (const TradeOff& point : all)
        if (point.error->worst > 0) up.take(point.error->worst);
    if (up.high == 0) up.low = up.high = 1;
    up = {up.low * 0.6, up.high * 1.6, true};
    Box area{box.x + 62, box.y, box.w - 72, box.h - 30};
    cut_top(area, brief ? 40 : 72);
    const Chart chart(pen, area, {all.front().time->gb_per_s * 0.6, all.back().time->gb_per_s * 1.6, true}, up);
    chart.ticks();
    for (const double gb : chart.across().ticks(area.w)) {
        pen.fill({chart.x(gb), area.y, 1, area.h}, {kLine});
        pen.line({chart.x(gb), area.bottom() + 16}, tick_text(gb), kAxisText, 60, kCentre);
    }
    std::vector<Vec> points, front;  // what is exact stands on the axis
    for (const TradeOff& point : all) {
        points.push_back(chart.at(point.time->gb_per_s, std::max(point.error->worst, up.low)));
        if (unbeaten(point, all)) front.push_back(points.back());
    }
    chart.line(front, {kBook}, 1.6f, true);
    const auto own = [&](std::size_t i) { return all[i].error->kernel == shown.kernel(); };
    for (const bool over : {false, true})  // the chosen one lies over the others
        for (std::uint32_t i = 0; i < all.size(); ++i)
            if (own(i) == over) draw_point(pen, points[i], over, all[i].error->kernel, i);
    Labels labels{{area.x, area.y, box.right() - area.x, area.h}, points, front};
    // The chosen one's name comes first, and where it has no room all the same, on a ground of its own; the others
    // stand beside their points, where there is room; else the pointer tells them.
    for (const int need : {0, 1, 2})
        for (std::size_t i = 0; i < all.size(); ++i) {
            if ((own(i) ? 0 : unbeaten(all[i], all) ? 1 : 2) != need) continue;
            const Style style = chosen_style(kFine, own(i));
            const std::string name = kernels::factored_name(all[i].error->kernel, all[i].error->coarsen);
            const float w = pen.width(name, style.face, kLeast) + 2;
            auto place = labels.place(i, {points[i].x + 10 + w / 2, points[i].y}, {w, 16});
            if (!place && own(i)) {
                const float x = std::min(points[i].x + 10, box.right() - w);
                place = labels.taken.emplace_back(Box{x, std::max(area.y, points[i].y - 24), w, 16});
                pen.fill(*place, {kPanel}, 3);
            }
            if (place) pen.line({place->x, place->centre().y}, name, style, w);
        }
}

using Row = Repeats::Result;

constexpr LegendItem kNearAndFar[] = {{Word::kRight, kSegment}, {Word::kOff, kActive}};

const LegendItem& look_of(const Row& row) {
    return kNearAndFar[std::abs(row.ulps) <= 0.5 ? 0 : 1];
}

/// What the run's kernel gave on a device; null: that was not recorded.
const Repeats* own_repeats(const AccuracyShown& shown) {
    const auto& all = shown.recorded.repeats->repeats;
    const auto own = std::ranges::find(all, shown.kernel(), &Repeats::kernel);
    return own == all.end() ? nullptr : &*own;
}

/// How often each result of the same sum came on a device, a row a kernel.
void draw_repeats(Pen& pen, const AccuracyShown& shown, Box box) {
    constexpr float kLeastRow = 40, kMostRow = 96, kAxis = 66;
    const Measurements* of = shown.recorded.repeats;
    if (of == nullptr)
        return say(pen, box,
                   "No results have repeated runs; `warptree accuracy KERNELS --repeat 1000 --out FILE` makes some.");
    const float title =
        pen.line({box.x, box.y + 10}, fmt::format("The same sum again and again on an {}", of->device), kTopic, box.w);
    pen.either(
        {box.x, box.y + 38},
        {"How often each result came, by how far it is off. Where blocks meet in atomics, they come in any order.",
         "How often each result came, by how far it is off."},
        kDim, box.w);
    float names = 210;
    for (const Repeats& row : of->repeats)
        names = std::max(names, pen.width(kernels::factored_name(row.kernel, row.coarsen), kSansBold, kSmall) + 24);
    Box area{box.x + names, box.y + 64, box.w - names - 30, box.h - 64 - kAxis};
    if (area.h < kLeastRow) return;
    const Repeats* own = own_repeats(shown);
    const std::size_t all = of->repeats.size();
    const Shown rows = shown_about(own ? own - of->repeats.data() : all, all, area.h, kLeastRow);
    if (rows.count() < all)
        pen.either({box.right(), box.y + 10}, {fmt::format("{} of {} kernels find room", rows.count(), all)}, kFine,
                   box.w - title - 16, kRight);
    const float h = std::min(kMostRow, area.h / rows.count());
    area.h = h * rows.count();
    Scale off{-1, 1};
    for (const Repeats& row : of->repeats)
        for (const Row& result : row.results) off.take(std::floor(result.ulps)), off.take(std::ceil(result.ulps));
    const Chart chart(pen, area, off, {});
    double tick = 1;
    while ((off.high - off.low) / tick > 12) tick *= 2;
    for (double ulps = std::ceil(off.low / tick) * tick; ulps <= off.high; ulps += tick) {
        const Ink ink = ulps == 0 ? Ink{kText, 0.8f} : Ink{kLine};
        pen.fill({chart.x(ulps), area.y, 1, area.h}, ink);
        pen.line({chart.x(ulps), area.bottom() + 16}, ulps == 0 ? "exact" : fmt::format("{:+g}", ulps), kAxisText, 60,
                 kCentre);
    }
    pen.line({box.x, area.bottom() + 16}, "off by, in ulps", kFine, names - 40);
    draw_legend(pen, {area.x, area.bottom() + 44}, area.w, kNearAndFar);
    const float w = std::clamp<float>(area.w / (4 * (off.high - off.low)) - 2, 3, 24);
    for (std::size_t i = rows.first; i < rows.end; ++i) {
        const Repeats& row = of->repeats[i];
        const Box line = cut_top(area, h);
        const float foot = line.bottom() - 4, middle = foot - h / 2;
        pen.line({box.x, middle - 4}, kernels::factored_name(row.kernel, row.coarsen),
                 chosen_style(kEntry, &row == own), names - 16);
        pen.line({box.x, middle + 15},
                 fmt::format("{} of {}", counted(row.results.size(), "result"), counted(row.times(), "run")), kFine,
                 names - 16);
        pen.fill({line.x, foot, line.w, 1}, {kLine});
        for (const double most = std::ranges::max(row.results, {}, &Row::count).count;
             const Row& result : row.results) {
            const float tall = std::max<float>(2, (h - 12) * result.count / most);
            pen.fill({chart.x(result.ulps) - w / 2, foot - tall, w, tall}, {look_of(result).role}, 2,
                     word_id(look_of(result).word));
        }
    }
}

/// Wide enough for all of some texts, and for the usual ones.
float column_width(const Pen& pen, const std::vector<std::string>& texts, float usual) {
    for (const std::string& text : texts) usual = std::max(usual, pen.width(text, kMono, kLeast) + 10);
    return usual;
}

/// A row a result: value, bits, error, and how often it came.
void draw_rows(Pen& pen, std::vector<Row> rows, value::Type type, Box box) {
    const std::size_t fitting = std::max(0.0f, box.h / 24);
    if (rows.size() > fitting && fitting > 1) {  // the commonest, in order of their values
        std::ranges::stable_sort(rows, std::ranges::greater(), &Row::count);
        pen.line({box.x, box.y + 10 + 24 * (fitting - 1)},
                 fmt::format("and {} that came less often", counted(rows.size() - fitting + 1, "result")), kFine,
                 box.w);
        rows.resize(fitting - 1);
        std::ranges::sort(rows, {}, &Row::value);
    }
    if (rows.empty()) return;
    std::vector<std::string> values, bits;
    for (const Row& row : rows) {
        values.push_back(value::number_text(row.value, type));
        bits.push_back(fmt::format("{:0{}x}", row.bits, 2 * value::size_bytes(type)));
    }
    Table table(pen, {box.x, box.y - 26, box.w, box.h},
                {{"", column_width(pen, values, 100), kLeft},
                 {"", column_width(pen, bits, 76)},
                 column_of(Word::kOff, 100),
                 {"", 14},
                 {""},
                 {"", 56}},
                24);
    const Style dim{kMono, kLeast, {kTextDim}};
    const double most = std::ranges::max(rows, {}, &Row::count).count;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        table.next();
        table.row({kMono, kLeast, {kText}}, dim, {values[i], bits[i], fmt::format("{:+.2f} ulps", row.ulps)});
        const Box bar = table.cell(4);
        const float w = std::max<float>(2, bar.w * row.count / most);
        pen.fill({bar.x, table.y() - 8, w, 16}, {look_of(row).role}, 2, word_id(look_of(row).word));
        pen.line({bar.x + w + 6, table.y()}, grouped(row.count), dim, 50);
    }
}

/// How often each result came: of the run's kernel on a device, or where its atomics meet in other orders.
void draw_spread(Pen& pen, const AccuracyShown& shown, Box box) {
    const Spread& spread = shown.study.spread;
    const Measurements* of = shown.picture == AccuracyPicture::kRepeats ? shown.recorded.repeats : nullptr;
    const Repeats* own = of == nullptr ? nullptr : own_repeats(shown);
    std::string heading = "Results of other orders", said = shown.study.problem;
    const trace::Run& run = shown.study.subject->run();
    if (said.empty() && run.launch().grid == 1)
        said = "One block makes the result, always in the same order: it is the same bits every time.";
    if (said.empty() && run.launch().is_collective())
        said = "Nothing meets in atomics: a result is added up in one order, and is the same bits every time.";
    if (said.empty())  // why all orders of blocks give the same
        said =
            std::string(run.launches.size() > 1 ? "The blocks' sums meet in another launch, in the order of the blocks"
                                                : "The last block to come adds the blocks' sums in the order of the "
                                                  "blocks, whoever that is") +
            ": the result is the same bits every time.";
    value::Type type = run.launch().type;
    std::vector<Row> rows;
    if (own != nullptr) {
        heading = fmt::format("The bits of {}", kernels::factored_name(own->kernel, own->coarsen));
        const bool always = own->results.size() == 1 && spread.sums < 2 && shown.study.problem.empty();
        said = fmt::format("The same {} elements {} times on an {}: {}.{}", grouped(own->n), grouped(own->times()),
                           of->device, counted(own->results.size(), "result"), always ? " " + said : "");
        rows = own->results, type = own->type;
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

constexpr float kRowHeight = 26;

/// The exponents of a number's first and last digit that is 1.
struct Digits {
    int first = 0, last = 0;
};
Digits digits_of(double number) {
    int exponent = 0;
    const auto digits = std::uint64_t(std::ldexp(std::frexp(std::abs(number), &exponent), 53));
    return {exponent - 1, exponent - 53 + (digits == 0 ? 0 : std::countr_zero(digits))};
}

/// The bits of each sum, and below them what it lost.
void draw_running_sums(Pen& pen, const RoundingStudy& study, Playhead at, Box box) {
    pen.line({box.x, box.y + 10}, "Digits of the sum, and what it lost", kTopic, box.w);
    cut_top(box, kHeadingHeight);
    const std::size_t most = std::max(0.0f, (box.h - 46) / kRowHeight);
    std::vector<const RunningSum*> rows;  // the last so many that are told
    for (const RunningSum& sum : study.running)
        if (sum.step < at.position && !at.hides(sum.step)) rows.push_back(&sum);
    if (rows.size() > most && most > 1) {
        draw_left_out(pen, cut_top(box, kLeftOutRow), rows.size() - (most - 1), 0, "addition");
        rows.erase(rows.begin(), rows.end() - (most - 1));
    } else if (rows.size() > most) {
        rows.clear();
    }
    if (rows.empty()) {
        const std::string why = !study.problem.empty() ? study.problem
                                : study.running.empty()
                                    ? "The result meets in atomics alone: no order of additions stands in the rows."
                                    : "Step on: each addition on the way to the result has a row here.";
        cut_top(box, pen.paragraph({box.x, box.y + 8}, why, kDim, box.w, 3) - box.y);
        const trace::Launch& launch = study.subject->trace.launch;
        if (!value::is_float(launch.type) && launch.op == "sum") draw_offer(pen, box, Offered::kFloats);
        return;
    }
    int first = INT32_MIN, last = INT32_MAX;
    for (const RunningSum* row : rows)
        for (const double number : {row->sum, row->lost})
            if (number != 0)
                first = std::max(first, digits_of(number).first), last = std::min(last, digits_of(number).last);
    if (first < last) first = last = 0;  // nothing but zeros
    std::vector<std::string> sums;
    for (const RunningSum* row : rows) sums.push_back(value::number_text(row->sum, study.subject->run().launch().type));
    Table table(pen, {box.x, box.y + 2, box.w, box.h},
                {{"", 74, kLeft}, {"", column_width(pen, sums, 106)}, {"", 10}, {""}}, kRowHeight);
    const Box bits = table.cell(3);
    const float bit = bits.w / (first - last + 1);
    const auto bar = [&](double number, float y, float h, Role role) {
        const Digits digits = digits_of(number);
        if (number != 0)
            pen.fill({bits.x + bit * (first - digits.first), y, bit * (digits.first - digits.last + 1), h}, {role}, 2);
    };
    std::size_t row_at = 0;
    for (const RunningSum* row : rows) {
        const bool now = row->step + 1 == at.position;
        const Box line = table.line();
        if (now) pen.fill({line.x - 6, line.y + 1, line.w + 12, line.h - 2}, {kRaised}, 6);
        table.row({now ? kSansBold : kSans, kLeast, {kTextDim}}, {kMono, kLeast, {kText}},
                  {fmt::format("step {}", grouped(row->step + 1)), sums[row_at++]});
        bar(row->sum, table.y() - 8, 8, kWritten);
        bar(row->lost, table.y() + 2, 7, row->caught ? kSegment : kWrong);
        pen.spot(line, target_id(Target::Kind::kFigure, row - study.running.data(), 0, kSumFigure));
        table.next();
    }
    constexpr LegendItem kLegend[] = {{Word::kDigits, kWritten}, {Word::kLost, kWrong}, {Word::kCaught, kSegment}};
    draw_legend(pen, {box.x, table.y() + 4}, box.w, kLegend);
}

/// What is drawn of many runs, and above it, where both have room, what else there is to draw.
void draw_picture(Pen& pen, const AccuracyShown& shown, Box box) {
    const auto draw_row = [&](Box row) {
        static constexpr const char* kMeans[] = {
            "The largest error over many inputs, against N", "The root of the errors' mean square, against N",
            "Errors beside bandwidths, as they were recorded", "The same sum again and again, as it was recorded"};
        std::vector<Choice> all;
        for (const auto& [picture, name] : kAccuracyPictures)
            all.push_back({std::string(name), set(Field::kAccuracy, name), kMeans[std::size_t(picture)],
                           picture == shown.picture});
        draw_choices(pen, row, {all}, {});
    };
    const auto draw = shown.picture == AccuracyPicture::kBandwidth ? draw_trade_offs
                      : shown.picture == AccuracyPicture::kRepeats ? draw_repeats
                                                                   : draw_accuracy_chart;
    stack(pen, {{32, 1, draw_row}, {160, 0, [&](Box area) { draw(pen, shown, area); }, 16, kRest, kLeastPicture}}, box,
          0);
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
        // Of what runs the picture is, and how it is read; the last sentences give way first.
        const std::string_view help =
            shown.picture == AccuracyPicture::kBandwidth
                ? "Left: recorded plain runs, not the run on show. The line joins the points that no kernel beats in "
                  "both. The pointer tells a point, a click chooses its kernel."
            : shown.picture == AccuracyPicture::kRepeats
                ? "Left: recorded plain runs, not the run on show. Each bar is one pattern of bits. A ulp is a unit in "
                  "the last place of the right result."
                : "Left: plain runs over many seeds, not the run on show. Dashed are the bounds of Higham (ch. 4) and, "
                  "√N, of Higham and Mary (2019). u is half the distance from 1 to the next number.";
        stack_panel(pen, box, 0, {{kWanted, 0, draw, kClose, kRest, 1}}, panel_inside(box, 10), {}, help);
    });
}

}  // namespace warptree::scene
