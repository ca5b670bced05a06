// The coarsening view: blocks on the places that they run at, with and without coarsening; sliders; steps over factor.
#include <algorithm>

#include <fmt/format.h>

#include "app/scene/coarsening_view.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kLeastStep = 4;  // narrower ones are drawn as one area a block
constexpr float kGap = 26, kSide = 0.36f, kLeastSide = 330, kLeastPicture = 60;

std::string run_name(const CoarsenRun& run) {
    return run.factor == 1 ? std::string("plain") : fmt::format("coarsened by {}", run.factor);
}

/// One step of one block: the share of its threads that work solid, the rest hatched.
void draw_step(Pen& pen, const CoarsenRun& run, const counters::Counters& step, Box box) {
    const float share = std::min(1.0f, static_cast<float>(step.active_threads) / static_cast<float>(run.block));
    const float h = std::max(2.0f, share * box.h);
    pen.fill({box.x, box.bottom() - h, box.w, h}, {Role::kActive});
    if (box.h - h < 2) return;
    pen.add(Rect{.box = {box.x, box.y, box.w, box.h - h},
                 .ink = {Role::kDivergent},
                 .fill = Fill::kHatched,
                 .outline = {Role::kDivergent},
                 .outline_width = box.w > 8 ? 1.0f : 0.0f});
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
    const float said = pen.line({box.x, box.y + 12}, capitalised(sum), {Face::kSansBold, 17, {Role::kText}}, box.w);
    const Box area{box.x, box.y + 28, box.w, box.h - 28};
    const std::uint32_t places = std::min(c.resident, run.grid);
    const float note = places > 1 ? 20.0f : 0.0f;
    const auto rows = std::clamp<std::uint32_t>(static_cast<std::uint32_t>((area.h - note) / 26), 1, places);
    const float pitch =
        std::min(places == 1 ? 420.0f : 140.0f, (area.h - (rows < places ? note : 0)) / static_cast<float>(rows));
    const float step = area.w / static_cast<float>(longest), width = step * static_cast<float>(run.steps.size());
    if (step < kLeastStep && width > 8)
        pen.line({box.right(), box.y + 12},
                 fitting(pen, {"each block's steps as one area: the share that works", "a block's steps as one area"},
                         Face::kSans, kLeast, box.w - said - 16),
                 kFine, box.w, Align::kRight);
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
    struct CostRow {
        const char* name;
        std::uint64_t plain, chosen;
    };
    const CoarsenRun &a = c.plain(), &b = c.chosen();
    const auto shared = [](const CoarsenRun& run) {
        return run.totals.shared_ld.requests + run.totals.shared_st.requests;
    };
    const CostRow rows[] = {
        {"steps, one after the other", a.time(c.resident), b.time(c.resident)},
        {"of them with all threads", a.waves(c.resident) * a.full_steps(), b.waves(c.resident) * b.full_steps()},
        {"blocks", a.grid, b.grid},
        {"barriers", a.totals.barriers, b.totals.barriers},
        {"shared-memory requests", shared(a), shared(b)},
        {"operations", a.totals.operations, b.totals.operations}};
    constexpr float kColumn = 84, kPitch = 23;
    float y = box.y + 10;
    const bool two = c.factor > 0;  // else the plain run alone
    const float plain = two ? box.right() - kColumn : box.right();
    c.pen.line({plain, y}, "plain", kFine, kColumn - 8, Align::kRight);
    if (two) c.pen.line({box.right(), y}, fmt::format("by {}", b.factor), kFine, kColumn - 8, Align::kRight);
    for (const CostRow& row : rows) {
        y += kPitch;
        if (y + kPitch / 2 > box.bottom()) return;
        c.pen.line({box.x, y}, row.name, {Face::kSans, kSmall, {Role::kText}}, box.w - 2 * kColumn);
        const Style style = two ? Style{Face::kMono, 17, {Role::kTextDim}} : Style{Face::kMonoBold, 17, {Role::kText}};
        c.pen.line({plain, y}, grouped(row.plain), style, kColumn - 8, Align::kRight);
        if (two)
            c.pen.line({box.right(), y}, grouped(row.chosen), {Face::kMonoBold, 17, {Role::kText}}, kColumn - 8,
                       Align::kRight);
    }
}

std::string help(const CoarsenContext& c, bool brief) {
    const CoarsenRun& best = c.study.runs[c.study.best(c.resident)];
    if (c.study.runs.size() == 1)
        return fmt::format("{} elements are one block of {}; choose a larger N or a smaller block to see coarsening.",
                           grouped(c.study.subject->trace.launch.n), counted(best.block, "thread"));
    std::string text = fmt::format("With {} at once, {} takes the fewest steps: {}.", counted(c.resident, "block"),
                                   best.factor == 1 ? "no coarsening" : fmt::format("a factor of {}", best.factor),
                                   grouped(best.time(c.resident)));
    if (!brief)
        text += fmt::format(
            " Blocks{} stand in the order in which they run, one row a place; each has {}. Coarsening saves steps "
            "where "
            "blocks would wait for each other anyway.",
            c.study.subject->kernel->sizes.coarsens ? "" : " (of pmpp-coarsened)", counted(best.block, "thread"));
    return text;
}

void draw_pictures(const CoarsenContext& c, Box box) {
    if (box.w < kLeastPicture || box.h < kLeastPicture) return;  // beside the sliders no room is left
    const std::uint64_t longest = std::max(c.plain().time(c.resident), c.chosen().time(c.resident));
    if (c.factor == 0) return draw_schedule(c, c.plain(), longest, box);
    const float half = (box.h - 16) / 2;
    draw_schedule(c, c.plain(), longest, {box.x, box.y, box.w, half});
    draw_schedule(c, c.chosen(), longest, {box.x, box.y + half + 16, box.w, half});
}

}  // namespace

CoarsenScene coarsening_view(const CoarsenStudy& study, const CoarsenChoice& choice, Box box, const Measure& measure) {
    CoarsenScene out;
    if (box.w <= 0 || box.h <= 0) return out;
    Pen pen(out.scene, measure);
    panel_ground(pen, box);
    const Box inside{box.x + kPad, box.y + kTitleHeight, box.w - 2 * kPad, box.h - kTitleHeight - 10};
    if (study.runs.empty()) {
        pen.paragraph({inside.x, inside.y + 16}, study.problem, {Face::kSans, kBody, {Role::kText}}, inside.w, 4);
        return out;
    }
    const std::size_t factor = study.factor_of(choice);
    const std::size_t at = std::min<std::size_t>(choice.resident, study.residents.size() - 1);
    const CoarsenContext c{pen, study, factor, study.residents[at]};
    const bool low = inside.h < 330;
    static constexpr LegendItem kLegend[] = {
        {"threads that work", Role::kActive, Fill::kSolid, "work"},
        {"threads of the block that wait", Role::kDivergent, Fill::kHatched, "wait"}};
    const float foot = panel_foot(pen, box, inside, kLegend, help(c, low), low) + 4;
    const float h = inside.h - foot, side = std::min(inside.w, std::max(kLeastSide, kSide * inside.w));
    draw_pictures(c, {inside.x, inside.y, inside.w - side - kGap, h});
    const Box right{inside.right() - side, inside.y, side, h};
    const bool beside = low || h < 300;  // sliders side by side
    const float w = beside ? (side - 20) / 2 : side;
    std::vector<std::string> factors, residents;
    for (const CoarsenRun& run : study.runs) factors.push_back(fmt::format("{}", run.factor));
    for (const std::uint32_t blocks : study.residents) residents.push_back(fmt::format("{}", blocks));
    out.factor = draw_slider(pen, beside ? "factor" : "coarsening factor", factors, factor, Control::kCoarsenFactor,
                             {right.x, right.y, w, kSliderHeight});
    const Box second = beside ? Box{right.x + w + 20, right.y, w, kSliderHeight}
                              : Box{right.x, right.y + kSliderHeight + 8, side, kSliderHeight};
    out.resident =
        draw_slider(pen, beside ? "at once" : "blocks that run at once", residents, at, Control::kResident, second);
    const float top = second.bottom() + 16, left = right.bottom() - top;
    const float table = left >= 360 ? 170.0f : 0.0f;
    if (table > 0) draw_table(c, {right.x, top, side, table});
    draw_coarsening_curve(c, {right.x, top + (table > 0 ? table + 14 : 0), side, left - (table > 0 ? table + 14 : 0)});
    return out;
}

}  // namespace warptree::scene
