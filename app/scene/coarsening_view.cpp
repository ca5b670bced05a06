// The coarsening view: blocks on the places that they run at, with and without coarsening; sliders; steps over factor.
#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "app/scene/coarsening_view.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kLeastStep = 4;  // narrower ones are drawn as one area a block
constexpr float kGap = 26, kSide = 0.36f, kLeastSide = 330, kLeastPicture = 60, kWanted = 110;

std::string run_name(const CoarsenRun& run) {
    return run.factor == 1 ? std::string("plain") : fmt::format("coarsened by {}", run.factor);
}

/// One step of one block: the share of its threads that work solid, the rest hatched.
void draw_step(Pen& pen, const CoarsenRun& run, const counters::Counters& step, Box box) {
    const double share = static_cast<double>(step.active_threads) / static_cast<double>(run.block);
    draw_use(pen, box,
             {.share = std::clamp(share, 2.0 / static_cast<double>(box.h), 1.0),
              .up = true,
              .outline = box.w > 8 ? 1.0f : 0.0f});
}

/// A block, step by step; too narrow for that, as one area.
void draw_block(Pen& pen, const CoarsenRun& run, std::uint64_t number, Box box) {
    const float pitch = box.w / static_cast<float>(run.steps.size());
    if (pitch >= kLeastStep) {
        const float gap = pitch > 10 ? 3.0f : 1.0f;
        for (std::size_t i = 0; i < run.steps.size(); ++i)
            draw_step(pen, run, run.steps[i],
                      {box.x + static_cast<float>(i) * pitch + gap / 2, box.y + 3, pitch - gap, box.h - 6});
    } else {
        counters::Counters mean;
        for (const counters::Counters& step : run.steps) mean.active_threads += step.active_threads;
        mean.active_threads /= run.steps.size();
        draw_step(pen, run, mean, {box.x + 1, box.y + 3, std::max(1.0f, box.w - 2), box.h - 6});
    }
    if (box.w > 8) pen.frame(box, {Role::kTextDim}, 1.5f, 4);
    const std::string name = fmt::format("{}", number);
    const float w = pen.width(name, Face::kMonoBold, kLeast) + 8;
    if (box.h < 40 || box.w < w + 8) return;
    pen.fill({box.x + 5, box.y + 5, w, 20}, {Role::kPanel}, 4);
    pen.line({box.x + 9, box.y + 15}, name, {Face::kMonoBold, kLeast, {Role::kText}}, w);
}

/// A run's blocks: a row a place, from left to right in time.
void draw_schedule(const CoarsenContext& c, const CoarsenRun& run, std::uint64_t longest, Box box) {
    Pen& pen = c.pen;
    const std::uint64_t time = run.time(c.resident), waves = run.waves(c.resident);
    const std::uint64_t full = waves * run.full_steps();
    const std::string sum = fmt::format("{}: {}, {} full, {} part-used", run_name(run), counted(time, "step"),
                                        grouped(full), grouped(time - full));
    const float said = pen.line({box.x, box.y + 12}, capitalised(sum), kSubHeading, box.w);
    const Box area{box.x, box.y + 28, box.w, box.h - 28};
    const std::uint32_t places = std::min(c.resident, run.grid);
    const float note = places > 1 ? 20.0f : 0.0f;
    const auto rows = std::clamp<std::uint32_t>(static_cast<std::uint32_t>((area.h - note) / 26), 1, places);
    const float pitch =
        std::min(places == 1 ? 420.0f : 140.0f, (area.h - (rows < places ? note : 0)) / static_cast<float>(rows));
    const float step = area.w / static_cast<float>(longest), width = step * static_cast<float>(run.steps.size());
    if (step < kLeastStep && width > 8)
        pen.either({box.right(), box.y + 12},
                   {"each block's steps as one area: the share that works", "a block's steps as one area"}, kFine,
                   box.w - said - 16, Align::kRight);
    const auto across = std::min<std::uint64_t>(waves, static_cast<std::uint64_t>(area.w / 2));
    for (std::uint64_t wave = 0; wave < across; ++wave) {
        for (std::uint32_t place = 0; place < rows; ++place) {
            const std::uint64_t block = wave * c.resident + place;
            if (block >= run.grid) break;
            if (width < 2 && wave % static_cast<std::uint64_t>(2 / width + 1) != 0) continue;
            draw_block(pen, run, block,
                       {area.x + static_cast<float>(wave) * width, area.y + static_cast<float>(place) * pitch,
                        width - (width > 8 ? 2.0f : 0.0f), pitch - 4});
        }
    }
    if (rows < places)
        pen.line({area.x, area.y + static_cast<float>(rows) * pitch + 10},
                 fmt::format("and {} more at the same time", counted(places - rows, "block")), kFine, area.w);
}

/// What both runs cost, beside each other.
void draw_table(const CoarsenContext& c, Box box) {
    const CoarsenRun &a = c.plain(), &b = c.chosen();
    const auto shared = [](const CoarsenRun& run) {
        return run.totals.shared_ld.requests + run.totals.shared_st.requests;
    };
    const std::tuple<const char*, std::uint64_t, std::uint64_t> rows[] = {
        {"steps, one after the other", a.time(c.resident), b.time(c.resident)},
        {"of them with all threads", a.waves(c.resident) * a.full_steps(), b.waves(c.resident) * b.full_steps()},
        {"blocks", a.grid, b.grid},
        {"barriers", a.totals.barriers, b.totals.barriers},
        {"shared-memory requests", shared(a), shared(b)},
        {"operations", a.totals.operations, b.totals.operations}};
    const bool two = c.factor > 0;  // else the plain run alone
    const std::string by = fmt::format("by {}", b.factor);
    Table table(c.pen, box, {{"", 0, Align::kLeft}, {"plain", 84}, {by, two ? 84.0f : -1.0f}}, 23);
    table.heads();
    for (const auto& [name, plain, chosen] : rows) {
        if (!table.next()) return;
        table.text(0, name, kEntry);
        const Style figure{Face::kMono, 17, {Role::kTextDim}};
        table.text(1, grouped(plain), chosen_style(figure, !two));
        table.text(2, grouped(chosen), chosen_style(figure, true));
    }
}

std::string help(const CoarsenContext& c) {
    const CoarsenRun& best = c.study.runs[c.study.best(c.resident)];
    if (c.study.runs.size() == 1)
        return fmt::format("{} elements are one block of {}; choose a larger N or a smaller block to see coarsening.",
                           grouped(c.study.subject->trace.launch.n), counted(best.block, "thread"));
    return fmt::format(
        "With {} at once, {} takes the fewest steps: {}. Blocks{} stand in the order in which they run, one row a "
        "place; "
        "each has {}. Coarsening saves steps where blocks would wait for each other anyway.",
        counted(c.resident, "block"), best.factor == 1 ? "no coarsening" : fmt::format("a factor of {}", best.factor),
        grouped(best.time(c.resident)), c.study.subject->kernel->sizes.coarsens ? "" : " (of pmpp-coarsened)",
        counted(best.block, "thread"));
}

void draw_pictures(const CoarsenContext& c, Box box) {
    if (box.w < kLeastPicture || box.h < kLeastPicture) return;  // beside the sliders no room is left
    const std::uint64_t longest = std::max(c.plain().time(c.resident), c.chosen().time(c.resident));
    if (c.factor == 0) return draw_schedule(c, c.plain(), longest, box);
    const float half = (box.h - 16) / 2;
    draw_schedule(c, c.plain(), longest, {box.x, box.y, box.w, half});
    draw_schedule(c, c.chosen(), longest, {box.x, box.y + half + 16, box.w, half});
}

/// The sliders, below one another where what follows has room; the table; the curve.
/// resident  the place of the blocks at once among those that can be chosen
void draw_side(const CoarsenContext& c, Box box, std::size_t resident, CoarsenScene& out) {
    std::vector<std::string> factors, residents;
    for (const CoarsenRun& run : c.study.runs) factors.push_back(fmt::format("{}", run.factor));
    for (const std::uint32_t blocks : c.study.residents) residents.push_back(fmt::format("{}", blocks));
    const auto slide = [&](Box first, Box second, bool brief) {
        out.factor = draw_slider(c.pen, brief ? "factor" : "coarsening factor", factors, c.factor,
                                 Control::kCoarsenFactor, first);
        out.resident = draw_slider(c.pen, brief ? "at once" : "blocks that run at once", residents, resident,
                                   Control::kResident, second);
    };
    const bool beside = box.h < 2 * kSliderHeight + 160;
    const auto sliders = [&](Box row) {
        const Box first = beside ? cut_left(row, (row.w - 20) / 2, 20) : cut_top(row, kSliderHeight, 8);
        slide(first, row, beside);
    };
    stack(c.pen,
          {{beside ? kSliderHeight : 2 * kSliderHeight + 8, 0, sliders},
           {170, 2, [&](Box row) { draw_table(c, row); }, 16},
           {kLeastCurve, 1, [&](Box row) { draw_coarsening_curve(c, row); }, 14, kRest}},
          box, 0);
}

}  // namespace

CoarsenScene coarsening_view(const CoarsenStudy& study, const CoarsenChoice& choice, Box box, const Measure& measure) {
    CoarsenScene out;
    if (box.w <= 0 || box.h <= 0) return out;
    Pen pen(out.scene, measure);
    panel_ground(pen, box);
    const Box inside = panel_inside(box, 10);
    if (study.runs.empty()) {
        pen.paragraph({inside.x, inside.y + 16}, study.problem, kSaid, inside.w, 4);
        return out;
    }
    const std::size_t factor = study.factor_of(choice);
    const std::size_t at = std::min<std::size_t>(choice.resident, study.residents.size() - 1);
    const CoarsenContext c{pen, study, factor, study.residents[at]};
    static constexpr LegendItem kLegend[] = {
        {"threads that work", Role::kActive, Fill::kSolid, "work"},
        {"threads of the block that wait", Role::kDivergent, Fill::kHatched, "wait"}};
    const auto draw_picture = [&](Box picture) {
        const Box side = cut_right(picture, std::min(picture.w, std::max(kLeastSide, kSide * picture.w)), kGap);
        draw_pictures(c, picture);
        draw_side(c, side, at, out);
    };
    stack_panel(pen, box, 0, {{kWanted, 0, draw_picture, kClose, kRest, kSliderHeight}}, inside, kLegend, help(c));
    return out;
}

}  // namespace warptree::scene
