// The coarsening view: blocks on the places that they run at, with and without coarsening; sliders; and steps over the
// factor as a curve, where its numbers find room.
#include <tuple>

#include "app/kit/chart.hpp"
#include "app/views/coarsening/view.hpp"
#include "instrumentation/counters/quantities.hpp"

namespace warptree::scene {
namespace {

struct CoarsenContext {
    Pen& pen;
    const CoarsenStudy& study;
    std::size_t factor;      // place in runs
    std::uint32_t resident;  // blocks
    const CoarsenRun &plain = study.runs.front(), &chosen = study.runs[factor];
    std::size_t best = study.best(resident);  // place in runs
};

constexpr float kLeastCurve = 120, kLeastStep = 4;           // narrower steps are drawn as one area a block
constexpr float kTableRow = 23, kTable = 9 * kTableRow + 4;  // heads and eight rows
constexpr float kGap = 26, kSide = 0.36f, kLeastSide = 330, kLeastSchedules = 60, kWanted = 110;

std::vector<Vec> points_of(const CoarsenContext& c, const Chart& chart, std::uint32_t resident) {
    std::vector<Vec> points;
    for (const CoarsenRun& run : c.study.runs) points.push_back(chart.at(points.size(), run.time(resident)));
    return points;
}

/// A text on a ground, on which the faint lines make way.
void put_on(Pen& pen, Box ground, const std::string& text, Style style) {
    pen.fill(ground, {kPanel});
    pen.line({ground.centre().x, ground.y + kAbove * style.size + 1.5f}, text, style, ground.w, kCentre);
}
constexpr float height_of(Style style) {
    return (kAbove + kBelow) * style.size + 3;
}

/// Left of a line's first point, how many blocks run at once.
void name_line(const CoarsenContext& c, const Chart& chart, std::uint32_t resident, Labels& labels) {
    const std::string text = std::to_string(resident);
    const Style style = chosen_style(kAxisText, resident == c.resident);
    const float w = c.pen.width(text, style.face, style.size) + 2;
    const Vec at = points_of(c, chart, resident).front();
    const Box ground{at.x - 13 - w, at.y - kAbove * style.size - 1.5f, w, height_of(style)};
    if (at.y < chart.area().y - 4 || !labels.is_free(ground)) return;
    labels.taken.push_back(ground);
    put_on(c.pen, ground, text, style);
}

/// Steps over factor, a line for each number of resident blocks; the chosen one bright, its fewest marked. Its numbers
/// stand clear of lines, points and one another; one that finds no such place beside its point is left out.
void draw_curve(const CoarsenContext& c, Box box) {
    const auto& runs = c.study.runs;
    if (runs.size() < 2) return;  // nothing to show
    std::uint64_t most = 1;
    for (const CoarsenRun& run : runs) most = std::max(most, run.time(c.resident));
    const Chart chart(c.pen, {box.x + 58, box.y + 54, box.w - 74, box.h - 54 - 26}, {.high = runs.size() - 1.0},
                      {.high = 1.0 * most});
    const Box area = chart.area();
    const std::vector<Vec> points = points_of(c, chart, c.resident);
    const float used =
        c.pen.line({box.x, box.y + 10}, "Steps, by coarsening factor", chosen_style(kEntry, true), box.w);
    c.pen.either({box.right(), box.y + 10}, {"a line for each number of blocks at once", "a line: blocks at once"},
                 kFine, box.w - used - 16, kRight);
    c.pen.fill({box.x, area.bottom(), box.w, 1}, {kLine});
    c.pen.add(ClipBegin{{box.x, area.y - 20, box.w, area.h + 24}});
    for (const std::uint32_t resident : c.study.residents)
        if (resident != c.resident) chart.line(points_of(c, chart, resident), {kTextFaint, 0.6f}, 1.4f);
    chart.line(points, {kActive}, 3);
    c.pen.add(ClipEnd{});
    Ruler factors{c.pen, area.bottom() + 14, box.x, 8};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        c.pen.ring(points[i], i == c.factor ? 8.0f : 5.0f, {kActive}, {i == c.best ? kText : kPanel},
                   i == c.best ? 3.0f : 1.0f);
        factors.put(points[i].x, std::to_string(runs[i].factor), chosen_style(kAxisText, i == c.factor));
    }
    Labels labels{{box.x, box.y + 24, box.w, area.bottom() - box.y - 26}, points, points};
    name_line(c, chart, c.resident, labels);
    for (const std::uint32_t resident : c.study.residents)
        if (resident != c.resident) name_line(c, chart, resident, labels);
    for (const int need : {0, 1, 2})  // the fewest, the chosen one, the others
        for (std::size_t i = 0; i < runs.size(); ++i)
            if ((i == c.best ? 0 : i == c.factor ? 1 : 2) == need) {  // above its point where that is free, else nearby
                const std::string text = grouped(runs[i].time(c.resident));
                const Style style = chosen_style({kMono, kSmall, {kTextDim}}, i == c.best);
                const Vec size{c.pen.width(text, style.face, kSmall) + 6, height_of(style)};
                const float y = points[i].y - 20 - kAbove * kSmall - 1.5f + size.y / 2;
                if (const auto place = labels.place(i, {points[i].x, y}, size)) put_on(c.pen, *place, text, style);
            }
}

/// A block, step by step: the share of its threads that work solid, the rest hatched; too narrow for that, as one area.
void draw_block(Pen& pen, const CoarsenRun& run, std::uint64_t number, Box box) {
    const float pitch = box.w / run.steps.size(), high = box.h - 6;
    const bool apart = pitch >= kLeastStep;
    const float gap = !apart ? 2.0f : pitch > 10 ? 3.0f : 1.0f;
    const auto draw_step = [&](double active, float x, float w) {
        const double share = std::clamp(active / run.block, 2.0 / high, 1.0);
        draw_use(pen, {x, box.y + 3, w, high},
                 {.share = share,
                  .up = true,
                  .outline = w > 8 ? 1.0f : 0,
                  .works = Word::kThreadsWork,
                  .waits = Word::kThreadsWait});
    };
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < run.steps.size(); ++i) {
        all += run.steps[i].active_threads;
        if (apart) draw_step(run.steps[i].active_threads, box.x + i * pitch + gap / 2, pitch - gap);
    }
    if (!apart) draw_step(all / run.steps.size(), box.x + 1, std::max(1.0f, box.w - gap));
    if (box.w > 8) pen.frame(box, {kTextDim}, 1.5f, 4);
    const std::string name = std::to_string(number);
    const float w = pen.width(name, kMonoBold, kLeast) + 8;
    if (box.h < 40 || box.w < w + 8) return;
    pen.fill({box.x + 5, box.y + 5, w, 20}, {kPanel}, 4);
    pen.line({box.x + 9, box.y + 15}, name, {kMonoBold, kLeast, {kText}}, w);
}

/// "Coarsened by 4"; of a kernel that does not coarsen itself, whose runs these are.
std::string name_of(const CoarsenContext& c, const CoarsenRun& run) {
    const bool own = c.study.subject->kernel->sizes.coarsens;
    if (run.factor == 1) return own ? "Plain" : "pmpp-coarsened, plain";
    return fmt::format("{} by {}", own ? "Coarsened" : "pmpp-coarsened", run.factor);
}

/// A run's blocks: a row a place, from left to right in time.
void draw_schedule(const CoarsenContext& c, const CoarsenRun& run, std::uint64_t longest, Box box) {
    Pen& pen = c.pen;
    const std::uint64_t time = run.time(c.resident), waves = run.waves(c.resident), full = waves * run.full_steps();
    const std::string steps = name_of(c, run) + ": " + counted(time, "step"),
                      some = fmt::format("{}, {} full", steps, grouped(full)),
                      brief = fmt::format("{}: {}", run.factor == 1 ? "Plain" : fmt::format("By {}", run.factor),
                                          counted(time, "step"));
    const float said = pen.either({box.x, box.y + 12},
                                  {fmt::format("{}, {} part-used", some, grouped(time - full)), some, steps, brief},
                                  kSubHeading, box.w);
    const Box area{box.x, box.y + 28, box.w, box.h - 28};
    const std::uint32_t places = std::min(c.resident, run.grid);
    const float note = places > 1 ? 20.0f : 0.0f;
    const auto rows = std::clamp<std::uint32_t>((area.h - note) / 26, 1, places);
    const float pitch = std::min(places == 1 ? 420.0f : 140.0f, (area.h - (rows < places ? note : 0)) / rows);
    const float step = area.w / longest, width = step * run.steps.size();
    if (step < kLeastStep && width > 8)
        pen.either({box.right(), box.y + 12},
                   {"each block's steps as one area: the share that works", "a block's steps as one area"}, kFine,
                   box.w - said - 16, kRight);
    const std::uint64_t every = width < 2 ? 2 / width + 1 : 1;  // wave is to be seen
    for (std::uint64_t wave = 0; wave < std::min<std::uint64_t>(waves, area.w / 2); wave += every)
        for (std::uint32_t place = 0; place < rows && wave * c.resident + place < run.grid; ++place)
            draw_block(pen, run, wave * c.resident + place,
                       {area.x + wave * width, area.y + place * pitch, width - (width > 8 ? 2.0f : 0.0f), pitch - 4});
    if (rows < places)
        pen.line({area.x, area.y + rows * pitch + 10},
                 fmt::format("and {} more at the same time", counted(places - rows, "block")), kFine, area.w);
}

/// What both runs cost, beside each other.
void draw_table(const CoarsenContext& c, Box box) {
    const CoarsenRun &a = c.plain, &b = c.chosen;
    const std::uint64_t useful = c.study.subject->trace.launch.n - 1;  // one atomic add finds no sum there yet
    const auto shared = [](const CoarsenRun& run) { return counters::kSharedRequests(run.totals); };
    const std::tuple<Word, const char*, std::uint64_t, std::uint64_t> rows[] = {
        {Word::kSteps, "steps, one after the other", a.time(c.resident), b.time(c.resident)},
        {Word::kAllThreads, "of them with all threads", a.waves(c.resident) * a.full_steps(),
         b.waves(c.resident) * b.full_steps()},
        {Word::kBlocks, "blocks", a.grid, b.grid},
        {Word::kBarriers, "barriers", a.totals.barriers, b.totals.barriers},
        {Word::kSharedRequests, "shared-memory requests", shared(a), shared(b)},
        {Word::kOperations, "operations in the blocks", a.totals.operations, b.totals.operations},
        {Word::kAtomicRequests, "atomic ones, a block each", a.grid, b.grid},
        {Word::kOperations, "of both, useful", useful, useful}};
    const bool two = c.factor > 0;  // else the plain run alone
    const std::string by = fmt::format("by {}", b.factor);
    Table table(c.pen, box,
                {{"", 0, kLeft}, column_of(Word::kPlain, 84), {by, two ? 84.0f : -1.0f, kRight, 0, Word::kByFactor}},
                kTableRow);
    table.heads();
    const std::size_t shown = box.h < kTable ? 5 : std::size(rows);  // the operations in full, or not at all
    for (const auto& [word, name, plain, chosen] : std::span(rows).first(shown)) {
        if (!table.next(word)) return;
        const Style figure{kMono, 17, {kTextDim}};
        table.row(kEntry, chosen_style(figure, !two), {name, grouped(plain)});
        table.text(2, grouped(chosen), chosen_style(figure, true));
    }
}

std::string help(const CoarsenContext& c) {
    const CoarsenRun& best = c.study.runs[c.best];
    if (c.study.runs.size() == 1)
        return fmt::format("{} elements are one block of {}: there is nothing to coarsen.",
                           grouped(c.study.subject->trace.launch.n), counted(best.block, "thread"));
    return fmt::format(
        "With {} at once, {} takes the fewest steps: {}. Blocks stand in the order in which they run, one row a "
        "place; each has {}. Coarsening saves steps where blocks would queue for a free place anyway.",
        counted(c.resident, "block"),
        best.factor == 1 ? "the plain kernel" : fmt::format("a factor of {}", best.factor),
        grouped(best.time(c.resident)), counted(best.block, "thread"));
}

/// The sliders, below one another where what follows has room; the table; the curve.
/// resident  the place of the blocks at once among those that can be chosen
void draw_side(const CoarsenContext& c, Box box, std::size_t resident) {
    std::vector<std::uint32_t> factors;
    for (const CoarsenRun& run : c.study.runs) factors.push_back(run.factor);
    const bool beside = box.h < 2 * kSliderHeight + 160;
    const auto sliders = [&](Box row) {
        const Box first = beside ? cut_left(row, (row.w - 20) / 2, 20) : cut_top(row, kSliderHeight, 8);
        const auto slider = [&](Word word, std::string_view title, const auto& values, std::size_t at, Box line,
                                Field field, std::string_view what) {
            draw_slider(
                c.pen, word, title, values, at, line, [&](std::size_t i) { return set(field, values[i]); },
                [&](std::size_t i) { return fmt::format("{} {}", i < at ? "Less" : "More", what); });
        };
        slider(Word::kFactor, beside ? "factor" : "coarsening factor", factors, c.factor, first, Field::kFactor,
               "coarsening");
        slider(Word::kAtOnce, beside ? "at once" : "blocks that run at once", c.study.residents, resident, row,
               Field::kResident, "blocks at once");
    };
    stack(c.pen,
          {{beside ? kSliderHeight : 2 * kSliderHeight + 8, 0, sliders},
           {kTable, 2, [&](Box row) { draw_table(c, row); }, 16, kTable, kTable - 3 * kTableRow},
           c.study.runs.size() < 2
               ? Section{kOfferHeight, 1, [&](Box row) { draw_offer(c.pen, row, Offered::kElements); }, 14}
               : Section{kLeastCurve, 1, [&](Box row) { draw_curve(c, row); }, 14, kRest}},
          box, 0);
}

}  // namespace

Scene coarsening_view(const CoarsenStudy& study, const CoarsenChoice& choice, Box box, const Measure& measure) {
    return on_panel(box, measure, [&](Pen& pen) {
        const Box inside = panel_inside(box, 10);
        if (study.runs.empty()) {
            const trace::Launch& launch = study.subject->trace.launch;
            return instead_of_view(pen, box, study.problem,
                                   launch.has_many_results() ? Offered::kCoarsening : Offered::kElements);
        }
        const std::size_t factor = study.factor_of(choice);
        const std::size_t at = study.resident_of(choice);
        const CoarsenContext c{pen, study, factor, study.residents[at]};
        static constexpr LegendItem kLegend[] = {{Word::kThreadsWork, kActive},
                                                 {Word::kThreadsWait, kDivergent, kHatched}};
        const auto draw_picture = [&](Box picture) {
            const Box side = cut_right(picture, std::min(picture.w, std::max(kLeastSide, kSide * picture.w)), kGap);
            const std::uint64_t longest = std::max(c.plain.time(c.resident), c.chosen.time(c.resident));
            const bool room = picture.w >= kLeastSchedules && picture.h >= kLeastSchedules;  // beside the sliders
            if (room && factor > 0) draw_schedule(c, c.plain, longest, cut_top(picture, (picture.h - 16) / 2, 16));
            if (room) draw_schedule(c, c.chosen, longest, picture);
            draw_side(c, side, at);
        };
        stack_panel(pen, box, 0, {{kWanted, 0, draw_picture, kClose, kRest, kSliderHeight}}, inside, kLegend, help(c));
    });
}

}  // namespace warptree::scene
