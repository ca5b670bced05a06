// The coarsening view: blocks on the places that they run at, with and without coarsening; sliders; and steps over the
// factor as a curve, where its numbers find room.
#include "app/scene/coarsening_view.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "app/scene/chart.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

struct CoarsenContext {
    Pen& pen;
    const CoarsenStudy& study;
    std::size_t factor;      // place in runs
    std::uint32_t resident;  // blocks
    const CoarsenRun& plain() const { return study.runs.front(); }
    const CoarsenRun& chosen() const { return study.runs[factor]; }
};

constexpr float kLeastCurve = 120;
constexpr float kAirAround = 3;

/// Whether a line that leads to the right meets a box.
bool crosses(Vec from, Vec to, Box box) {
    const float left = std::max(from.x, box.x), right = std::min(to.x, box.right());
    if (left > right) return false;
    const auto y = [&](float x) { return from.y + (to.y - from.y) * (x - from.x) / (to.x - from.x); };
    return std::min(y(left), y(right)) <= box.bottom() && std::max(y(left), y(right)) >= box.y;
}

class CoarseningCurve {
public:
    CoarseningCurve(const CoarsenContext& c, Box box, double most)
        : c_(c),
          box_(box),
          chart_(c.pen, {box.x + 58, box.y + 54, box.w - 74, box.h - 54 - 26},
                 {.high = static_cast<double>(c.study.runs.size() - 1)}, {.high = most}),
          seen_{box.x, chart_.area().y - 20, box.w, chart_.area().h + 24} {
        for (std::size_t i = 0; i < count(); ++i) points_.push_back(point(i, c.resident));
    }

    void draw() {
        const float used =
            c_.pen.line({box_.x, box_.y + 10}, "Steps, by coarsening factor", chosen_style(kEntry, true), box_.w);
        c_.pen.either({box_.right(), box_.y + 10},
                      {"a line for each number of blocks at once", "a line: blocks at once"}, kFine, box_.w - used - 16,
                      Align::kRight);
        c_.pen.fill({box_.x, chart_.area().bottom(), box_.w, 1}, {Role::kLine});
        c_.pen.add(ClipBegin{seen_});
        for (const std::uint32_t resident : c_.study.residents)
            if (resident != c_.resident) chart_.line(line(resident), {Role::kTextFaint, 0.6f}, 1.4f);
        chart_.line(points_, {Role::kActive}, 3);
        c_.pen.add(ClipEnd{});
        for (std::size_t i = 0; i < count(); ++i)
            c_.pen.ring(points_[i], radius(i), {Role::kActive}, {best(i) ? Role::kText : Role::kPanel},
                        best(i) ? 3.0f : 1.0f);
        name_line(c_.resident);
        for (const std::uint32_t resident : c_.study.residents)
            if (resident != c_.resident) name_line(resident);
        std::vector<std::size_t> by_need;
        for (std::size_t i = 0; i < count(); ++i) by_need.push_back(i);
        std::ranges::stable_sort(by_need, {}, [&](std::size_t i) { return best(i) ? 0 : chosen(i) ? 1 : 2; });
        for (const std::size_t i : by_need) put_number(i);
        Ruler factors(c_.pen, chart_.area().bottom() + 14, box_.x, 8);
        for (std::size_t i = 0; i < count(); ++i)
            factors.put(points_[i].x, fmt::format("{}", c_.study.runs[i].factor), chosen_style(kAxisText, chosen(i)));
    }

private:
    std::size_t count() const { return c_.study.runs.size(); }
    bool chosen(std::size_t i) const { return i == c_.factor; }
    bool best(std::size_t i) const { return i == c_.study.best(c_.resident); }
    float radius(std::size_t i) const { return chosen(i) ? 8.0f : 5.0f; }
    Vec point(std::size_t i, std::uint32_t resident) const {
        return chart_.at(static_cast<double>(i), static_cast<double>(c_.study.runs[i].time(resident)));
    }
    std::vector<Vec> line(std::uint32_t resident) const {
        std::vector<Vec> points;
        for (std::size_t i = 0; i < count(); ++i) points.push_back(point(i, resident));
        return points;
    }

    /// A text on a ground of its own: the faint lines make way.
    void put(Vec middle, const std::string& text, Style style, Box ground) {
        c_.pen.fill(ground, {Role::kPanel});
        c_.pen.line(middle, text, style, ground.w, Align::kCentre);
        taken_.push_back(ground);
    }
    static Box around(Vec middle, float width, float size) {
        return {middle.x - width / 2, middle.y - kAbove * size - 1.5f, width, (kAbove + kBelow) * size + 3};
    }

    /// Left of the first points, how many blocks run at once: of the chosen line, and of those that keep clear of it.
    void name_line(std::uint32_t resident) {
        const std::string text = fmt::format("{}", resident);
        const Style style = chosen_style(kAxisText, resident == c_.resident);
        const float w = c_.pen.width(text, style.face, style.size);
        const Vec at = point(0, resident), middle{at.x - 14 - w / 2, at.y};
        const Box box = around(middle, w + 2, style.size);
        if (at.y >= chart_.area().y - 4 && is_free(box)) put(middle, text, style, box);
    }

    bool is_free(Box box) const {
        for (std::size_t i = 0; i < count(); ++i)
            if (distance(points_[i], box) < radius(i) + 1) return false;
        return std::ranges::none_of(taken_, [&](Box other) { return overlap(other, box); });
    }
    /// Whether a number may stand there: clear of the chosen line, of points and of other texts.
    bool clear(Box box) const {
        if (box.x < box_.x || box.right() > box_.right() || box.y < box_.y + 24 ||
            box.bottom() > chart_.area().bottom() - 2 || !is_free(box))
            return false;
        const Box wide{box.x, box.y - 2, box.w, box.h + 4};
        for (std::size_t i = 1; i < count(); ++i)
            if (crosses(points_[i - 1], points_[i], wide)) return false;
        return true;
    }
    /// Whether a text would be read as that of point i: it lies close to it, and no other lies closer.
    bool belongs(Box box, std::size_t i) const {
        constexpr float kFarthest = 26;
        const float own = distance(points_[i], box);
        if (own > kFarthest) return false;
        for (std::size_t j = 0; j < count(); ++j)
            if (j != i && distance(points_[j], box) < 1.4f * own) return false;
        return true;
    }

    /// Above its point where that is free, else the nearest to there.
    void put_number(std::size_t i) {
        constexpr float kAbovePoint = 20, kFar = 44, kPace = 2;
        const std::string text = grouped(c_.study.runs[i].time(c_.resident));
        const Style style = chosen_style({Face::kMono, kSmall, {Role::kTextDim}}, best(i));
        const float w = c_.pen.width(text, style.face, style.size) + 2 * kAirAround;
        std::optional<Vec> found;
        float least = 1e9f;
        for (float dy = -kFar; dy <= kFar; dy += kPace)
            for (float dx = -w; dx <= w; dx += kPace) {
                const float cost = std::abs(dx) + std::abs(dy + kAbovePoint);
                const Vec middle{std::clamp(points_[i].x + dx, box_.x + w / 2, box_.right() - w / 2),
                                 points_[i].y + dy};
                const Box box = around(middle, w, style.size);
                if (cost < least && belongs(box, i) && clear(box)) least = cost, found = middle;
            }
        if (found) put(*found, text, style, around(*found, w, style.size));
    }

    const CoarsenContext& c_;
    Box box_;
    Chart chart_;
    Box seen_;
    std::vector<Vec> points_;  // of the chosen line
    std::vector<Box> taken_;
};

/// Steps over factor, a line for each number of resident blocks; the chosen one bright, its fewest marked. Its numbers
/// stand clear of lines, points and one another; one that finds no such place beside its point is left out.
void draw_coarsening_curve(const CoarsenContext& c, Box box) {
    if (c.study.runs.size() < 2) return;  // nothing to show
    std::uint64_t most = 1;
    for (const CoarsenRun& run : c.study.runs) most = std::max(most, run.time(c.resident));
    CoarseningCurve(c, box, static_cast<double>(most)).draw();
}

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
    const bool beside = box.h < 2 * kSliderHeight + 160;
    const auto sliders = [&](Box row) {
        const Box first = beside ? cut_left(row, (row.w - 20) / 2, 20) : cut_top(row, kSliderHeight, 8);
        out.factor = draw_slider(c.pen, beside ? "factor" : "coarsening factor", factors, c.factor,
                                 Control::kCoarsenFactor, first);
        out.resident = draw_slider(c.pen, beside ? "at once" : "blocks that run at once", residents, resident,
                                   Control::kResident, row);
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
    out.scene = on_panel(box, measure, [&](Pen& pen) {
        const Box inside = panel_inside(box, 10);
        if (study.runs.empty()) return say(pen, {inside.x, inside.y + 4, inside.w, inside.h}, study.problem, kSaid, 4);
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
    });
    return out;
}

}  // namespace warptree::scene
