// The ladder's head, its table and its foot.
#include "app/views/ladder/view.hpp"

#include <fmt/ranges.h>

namespace warptree::scene {
namespace {

/// ", warm cache", where it is known; of several devices how many.
std::string cache_text(const Ladder& ladder, bool cold) {
    if (ladder.devices > 1) return fmt::format(" on {} devices", ladder.devices);
    return ladder.of->driver.empty() ? "" : cold ? ", cold cache" : ", warm cache";
}

constexpr float kLeastWide = 1240, kTableShare = 0.53f, kBetween = 36, kLeastChart = 220, kWanted = 240,
                kLeastRungs = 90, kLeastRung = 21, kLeastBar = 40;

bool has_picture(const Ladder& ladder, LadderPicture picture) {
    if (picture == LadderPicture::kSchedule) return !ladder.of->schedules.empty();
    if (picture == LadderPicture::kNccl)
        return std::ranges::any_of(ladder.sizes,
                                   [&](std::uint64_t n) { return study::nccl_choice(ladder, n) != nullptr; });
    if (picture == LadderPicture::kDevices) return study::link_model(ladder).has_value();
    return picture != LadderPicture::kTuning || !ladder.of->tuned.empty();
}

/// Whether it can stand in the place of the table, where both have no room; the usual one is in the table's bars.
bool stands_alone(LadderPicture picture) {
    return picture == LadderPicture::kTime || picture >= LadderPicture::kDevices;
}

/// The one that is chosen, where the results have it.
LadderPicture shown_picture(const Ladder& ladder) {
    const LadderPicture chosen = ladder.choice.picture;
    return has_picture(ladder, chosen) ? chosen : LadderPicture::kBandwidth;
}

/// Whether other results have the rung that is looked at, at an N that is on show.
bool is_elsewhere(const LadderContext& c) {
    const auto has = [&](const kernels::Timing& t) {
        return t.kernel == c.chosen.name && study::fits(c.ladder, t) &&
               (c.chosen.timing == nullptr || t.coarsen == c.chosen.timing->coarsen) &&
               std::ranges::binary_search(c.ladder.sizes, t.n);
    };
    return std::ranges::any_of(
        c.all, [&](const Measurements& m) { return &m != c.ladder.of && std::ranges::any_of(m.runs, has); });
}

/// "N 2^17 to 2^30"
std::string sizes_text(const Ladder& ladder) {
    const std::string first = "N " + size_name(ladder.sizes.front());
    return ladder.sizes.size() == 1 ? first : first + " to " + size_name(ladder.sizes.back());
}

/// Cuts the choices off the head of the box.
void draw_head(const LadderContext& c, bool wide, Box& inside) {
    const bool curves = c.ladder.sizes.size() > 1;
    const LadderChoice& choice = c.ladder.choice;
    const LadderPicture picture = shown_picture(c.ladder);
    const std::size_t kernels = std::ranges::count_if(c.ladder.names, [](auto name) { return kernels::find(name); }),
                      shown = std::ranges::count(c.ladder.rungs, false, &Rung::reference);
    const std::string all = counted(kernels, "kernel");
    const auto open = [](std::string text, Menu menu, const char* purpose) {
        return Choice{.text = std::move(text),
                      .command = {.action = Action::kMenu, .menu = menu},
                      .tooltip = purpose,
                      .opens = true};
    };
    const std::vector<Choice> menus{
        open("measure", Menu::kMeasure, "Measures the kernels on show at the N on show, here"),
        open(sizes_text(c.ladder), Menu::kSizes, "Which N are on show"),
        open(shown == kernels ? all : fmt::format("{} of {}", shown, all), Menu::kRungs, "Which kernels are on show")};
    std::vector<Choice> devices, counts, types, caches, pictures, elsewhere;
    const auto choose = [](std::vector<Choice>& group, std::string text, std::string tooltip, bool chosen,
                           Command command, std::string brief = "") {
        group.push_back({std::move(text), std::move(command), std::move(tooltip), chosen, std::move(brief)});
    };
    for (const Measurements& m : c.all)
        if (has_rungs(m, c.ladder.problem))
            choose(devices, m.name(), m.name() + ": what was measured there, or published", &m == c.ladder.of,
                   set(Field::kResults, m.known_by()), m.brief_name());
    for (const std::uint32_t many : c.ladder.of_devices)
        choose(counts, fmt::format("{} devices", many), "What was measured on as many devices",
               many == c.ladder.devices, set(Field::kLadderDevices, many), std::to_string(many));
    for (const value::Type type : c.ladder.types)
        choose(types, std::string(value::name(type)), "Runs on elements of this type", type == choice.type,
               set(Field::kLadderType, value::name(type)));
    for (const bool cold : c.ladder.caches)
        choose(caches, cold ? "cold cache" : "warm cache",
               cold ? "Buffers larger than the cache: all comes from memory"
                    : "The same buffers again and again: what fits the cache stays there",
               cold == choice.cold, set(Field::kCold, cold), cold ? "cold" : "warm");
    static constexpr const char* kPictures[] = {"Bytes a second, against N",
                                                "The time that a run takes, against N",
                                                "When and where the chosen kernel's blocks ran",
                                                "How fast the chosen kernel is, by block and coarsening",
                                                "A model: the time that a run takes, against the number of devices",
                                                "Which way NCCL went at each N, and how its channels are laid"};
    for (const auto& [which, name] : kLadderPictures)
        if (curves && has_picture(c.ladder, which) &&
            (wide || which == LadderPicture::kBandwidth || stands_alone(which)))
            choose(pictures, !wide && which == LadderPicture::kBandwidth ? "table" : std::string(name),
                   kPictures[std::size_t(which)], which == picture, set(Field::kLadderPicture, name));
    if (curves && picture <= LadderPicture::kTime && is_elsewhere(c))
        choose(elsewhere, fmt::format("{} elsewhere too", c.chosen.name),
               "The chosen kernel as measured elsewhere, in the same picture", choice.others,
               set(Field::kOthers, !choice.others), "elsewhere too");
    for (auto* group : {&counts, &types, &caches})
        if (group->size() == 1) group->clear();  // nothing to choose
    draw_choices(c.pen, cut_top(inside, 32, 18), {menus, devices, counts, types, caches, pictures, elsewhere}, c.hover);
}

constexpr std::size_t kRungName = 0, kRungBar = 4, kRungShare = 5;  // columns

/// What the figures of a table are held against.
struct Extremes {
    double ms = 1e9, gb = 0;  // the least; the largest
    double limit;             // GB/s; 0: not known
    float bar(double of, float w) const { return w * of / std::max(gb, limit); }
    explicit Extremes(const Ladder& ladder) : limit(ladder.limit()) {
        for (const Rung& rung : ladder.rungs)
            if (rung.right()) gb = std::max(gb, rung.timing->gb_per_s), ms = std::min(ms, rung.timing->ms_median);
    }
};

void draw_rung(const LadderContext& c, const Extremes& extremes, Table& table, const Rung& rung) {
    const bool chosen = &rung == &c.chosen, hot = rung.timing != nullptr && c.hot(*rung.timing);
    const Box area = table.line(), bars = table.cell(kRungBar);
    const std::size_t at = &rung - c.ladder.rungs.data();
    if (rung.reference && (at == 0 || !c.ladder.rungs[at - 1].reference)) separator(c.pen, area.x, area.y, area.w);
    // Even where there is nothing to see: it can be clicked.
    const Box ground{area.x - 8, area.y + 1, area.w + 16, area.h - 2};
    if (!rung.reference) c.pen.button(ground, c.choose(rung), rung.timing != nullptr ? "" : "Not measured at this N");
    c.pen.add(Rect{.box = ground,
                   .ink = {hot ? kRaisedHover : kRaised},
                   .fill = chosen || hot ? kSolid : kNone,
                   .radius = 6,
                   .outline = {kAccent},
                   .outline_width = chosen ? 1.5f : 0.0f,
                   .id = rung.timing != nullptr ? timing_id(c.ladder, *rung.timing) : 0});
    const float room = table.cell(kRungName).w, high = area.h >= 40 ? 20.0f : area.h >= 24 ? 17.0f : 15.0f;
    const float size = c.pen.width(rung.name, kSansBold, high) <= room ? high : std::min(high, 15.0f);
    const Style name{chosen ? kSansBold : kSans, size, {kText}};
    const std::string brief =
        rung.called == rung.name ? rung.called : fmt::format("{} ×{}", rung.name, rung.timing->coarsen);
    const std::string called = fitting(c.pen, {rung.called, brief}, name.face, size, room);
    if (!rung.right()) {
        const bool wrong = rung.timing != nullptr;
        table.text(kRungName, called, name);
        c.pen.line({bars.x, table.y()}, wrong ? "gave a wrong result" : "not measured at this N",
                   {kSans, kLeast, {wrong ? kWrong : kTextDim}}, area.right() - bars.x);
        return;
    }
    const double gb = rung.timing->gb_per_s;
    const auto factor = [&](std::optional<double> f) { return rung.reference ? "" : f ? times(*f) : "–"; };
    table.row(name, chosen_style({kMono, size, {hot ? kText : kTextDim}}, chosen),
              {called, ms_text(rung.timing->ms_median, extremes.ms),
               extremes.gb < 100 ? fmt::format("{:.3f}", gb)
               : gb < 1          ? fmt::format("{:.2g}", gb)
                                 : whole(gb),
               "", "", extremes.limit > 0 ? percent(rung.share) : "", factor(rung.step), factor(rung.cumulative)});
    const float w = extremes.bar(gb, bars.w), h = std::min(22.0f, bars.h - 8);
    const Box bar{bars.x, bars.centre().y - h / 2, std::max(2.0f, w), h};
    rung.reference ? c.pen.frame(bar, {kTextDim}, 1.5f, 2, 0, true)
                   : c.pen.fill(bar, {kActive, chosen ? 1.0f : 0.6f}, 2);
    if (extremes.limit > 0)
        c.pen.fill({bars.x + extremes.bar(extremes.limit, bars.w), area.y, 2, area.h}, {kText, 0.8f});
}

/// The table of one N: name, ms, GB/s, a bar for the share of a copy's rate, and how many times as fast.
void draw_table(const LadderContext& c, Box box) {
    const LadderChoice& choice = c.ladder.choice;
    const std::string n = size_name(choice.n), all = grouped(choice.n);
    const std::string title = fmt::format("N = {} {}{}", n == all ? n : n + ": " + all, value::name(choice.type),
                                          cache_text(c.ladder, choice.cold));
    const float used = c.pen.line({box.x, box.y + 12}, title, kTopic, box.w) + 20;
    c.pen.either({box.right(), box.y + 12}, {ladder_cpu_text(c.ladder)}, kFine, box.w - used, kRight);
    cut_top(box, 32);
    const Extremes extremes(c.ladder);
    float names = 0;
    for (const Rung& rung : c.ladder.rungs) names = std::max(names, c.pen.width(rung.called, kSansBold, 20) + 12);
    const std::vector<Column> columns{{"kernel", std::clamp(names, 0.2f * box.w, 0.3f * box.w), kLeft},
                                      column_of(Word::kMs, 84, 1),
                                      column_of(Word::kGbPerS, box.w > 800 ? 100.0f : 84.0f),
                                      {"", 18},
                                      {""},
                                      {"", 90, kRight, 2},
                                      column_of(Word::kStepFactor, 82, 4),
                                      column_of(Word::kCumulative, 104, 3)};
    Table heads(c.pen, box, columns, 0, kLeastBar);
    heads.heads();
    const std::string rate = c.ladder.of->limit_name().first;
    if (extremes.limit > 0)
        heads.text(kRungShare,
                   fitting(c.pen, {"of " + rate, "of " + rate.substr(rate.find(' ') + 1), "share"}, kSans, kLeast,
                           heads.cell(kRungShare).w + heads.cell(kRungBar).w - 8),
                   kFine, 0, heads.cell(kRungBar).w);
    separator(c.pen, box.x, box.y + 24, box.w);
    cut_top(box, 28);
    const Shown shown = shown_about(&c.chosen - c.ladder.rungs.data(), c.ladder.rungs.size(), box.h, kLeastRung);
    const float pitch = std::min(46.0f, box.h / shown.count());
    Table table(c.pen, {box.x, box.y + pitch / 2 - 10, box.w, box.h}, columns, pitch, kLeastBar);
    for (std::size_t i = shown.first; i < shown.end; ++i, table.next())
        draw_rung(c, extremes, table, c.ladder.rungs[i]);
}

/// What it is that stands there.
std::string help(const LadderContext& c) {
    const Measurements& m = *c.ladder.of;
    const std::string_view said =
        m.is_published() ? "Figures as published:"
        : m.device == kernels::kExecutor
            ? "Times of the CPU executor, which runs CUDA threads one after another: not a GPU's, and"
            : "Times of the plain kernels, nothing recorded:";
    const auto [rate, more] = m.limit_name();
    const std::string limit =
        c.ladder.limit() > 0
            ? fmt::format("{}{}: {} GB/s{}{}. ", capitalised(rate), m.is_published() ? "" : ", timed apart",
                          bandwidth_text(m.limit_gb_per_s), more.empty() ? "" : ", ", more)
            : "";
    return fmt::format("{} not of the run on show. {}{}{}↓ and ↑: another rung.", said,
                       m.is_published() ? "" : "Each time is the median of many. ", limit,
                       c.ladder.sizes.size() > 1 ? "→ and ←: another N; " : "");
}

void draw_picture(const LadderContext& c, LadderPicture picture, Box box) {
    picture == LadderPicture::kSchedule  ? draw_ladder_schedule(c, box)
    : picture == LadderPicture::kTuning  ? draw_ladder_tuning(c, box)
    : picture == LadderPicture::kDevices ? draw_ladder_model(c, box)
    : picture == LadderPicture::kNccl    ? draw_ladder_nccl(c, box)
                                         : draw_ladder_chart(c, box);
}

/// The table, and where there is room beside it what is chosen: curves, or another picture, and what changed. Else the
/// picture takes the table's place, where it can.
void draw_rungs(const LadderContext& c, bool wide, bool curves, Box inside) {
    const LadderPicture picture = shown_picture(c.ladder);
    if (!wide && (!curves || !stands_alone(picture) || inside.h < kLeastCurves))
        return draw_table(c, {inside.x + 8, inside.y, inside.w - 16, inside.h});
    if (!wide) return draw_picture(c, picture, inside);
    const Box left = cut_left(inside, kTableShare * inside.w, kBetween);
    draw_table(c, {left.x + 8, left.y, left.w - 8, left.h});
    if (!curves) return draw_ladder_causes(c, inside);
    const bool tall = picture == LadderPicture::kSchedule;  // a row for each multiprocessor
    if (!tall && inside.h >= kCausesHeight + kLeastChart) draw_ladder_causes(c, cut_bottom(inside, kCausesHeight, 26));
    draw_picture(c, picture, inside);
}

}  // namespace

std::string bandwidth_text(double gb) {
    return gb < 1000 ? fmt::format("{:.5g}", gb) : whole(gb);
}

std::string ms_text(double ms, double least) {
    return fmt::format("{:.{}f}", ms, least < 0.1 ? 4 : 3);
}

std::vector<std::string> ladder_story(const Ladder& ladder, const Target& target) {
    if (target.kind != Target::Kind::kTiming || target.index >= ladder.of->runs.size()) return {};
    const kernels::Timing& t = ladder.of->runs[target.index];
    const auto ms = [&](double time) { return ms_text(time, t.ms_min); };
    const double share = ladder.limit() > 0 ? ladder.of->share(t) : 0;
    return said(
        {fmt::format("{}, N = {} {}{}", kernels::factored_name(t.kernel, t.coarsen), size_name(t.n),
                     value::name(t.type), cache_text(ladder, t.cold)),
         t.correct ? "" : "Its result was wrong: its time says nothing.",
         t.ms_min == t.ms_max
             ? ms(t.ms_median) + " ms"
             : fmt::format("{} ms in the median, {} at best, {} at worst", ms(t.ms_median), ms(t.ms_min), ms(t.ms_max)),
         fmt::format("{} GB/s{}{}", bandwidth_text(t.gb_per_s),
                     t.kernel == "copy" || ladder.problem == value::Problem::kInclusiveScan ? ", read and written" : "",
                     share > 0 ? ": " + percent(share) + " of " + ladder.of->limit_name().first : ""),
         t.block == 0 ? "" : "blocks of " + counted(t.block, "thread")});
}

std::string ladder_caption(std::span<const Measurements> all, const LadderChoice& choice, std::string_view kernel) {
    const Ladder ladder = ladder_of(all, choice, kernel);
    const Rung& rung = *chosen_rung(ladder, kernel);
    if (rung.timing == nullptr)
        return fmt::format("{}: not measured at N = {}", rung.called, size_name(ladder.choice.n));
    const Target target = unpack(timing_id(ladder, *rung.timing));
    return fmt::format("{}", fmt::join(ladder_story(ladder, target), "; "));
}

Scene ladder_view(std::span<const Measurements> all, const LadderChoice& choice, const LadderStudy* counted,
                  std::string_view kernel, Box box, const Measure& measure, const Target& hover) {
    return on_panel(box, measure, [&](Pen& pen) {
        const Ladder ladder = ladder_of(all, choice, kernel);
        const LadderContext c{pen, all, ladder, *chosen_rung(ladder, kernel), counted, hover};
        const Measurements& m = *ladder.of;
        std::string remark = m.file.empty() ? m.device : m.name();
        for (const std::string& part : {m.driver, m.date})
            if (!part.empty()) remark += " · " + part;
        {
            const About about(pen, Word::kDevice);
            panel_title(pen, box, "", remark);
        }
        Box inside = panel_inside(box, 10);
        const bool wide = inside.w >= kLeastWide, curves = ladder.sizes.size() > 1;
        draw_head(c, wide, inside);
        std::vector<Section> sections{
            {kWanted, 0, [&](Box rungs) { draw_rungs(c, wide, curves, rungs); }, kClose, kRest, kLeastRungs}};
        constexpr Style kCommand{kMono, kLeast, {kTextFaint}};
        if (pen.width(m.command, kCommand.face, kCommand.size) <= inside.w)  // else it stands in the file
            sections.push_back(words(pen, m.command, kCommand, inside.w, kLate, 10));
        stack_panel(pen, box, 0, std::move(sections), inside, {}, help(c));
    });
}

}  // namespace warptree::scene
