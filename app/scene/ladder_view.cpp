// The ladder's head, its table and its foot.
#include "app/scene/ladder_view.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

/// ", warm cache", where it is known.
std::string_view cache_text(const Ladder& ladder, bool cold) {
    return ladder.of->driver.empty() ? "" : cold ? ", cold cache" : ", warm cache";
}

constexpr float kLeastWide = 1240, kTableShare = 0.53f, kBetween = 36, kLeastChart = 220, kWanted = 240,
                kLeastRungs = 90, kLeastBar = 40;

bool has_picture(const Measurements& of, LadderPicture picture) {
    if (picture == LadderPicture::kSchedule) return !of.schedules.empty();
    return picture != LadderPicture::kTuning || !of.tuned.empty();
}

/// The one that is chosen, where the results have it.
LadderPicture shown_picture(const Ladder& ladder) {
    const LadderPicture chosen = ladder.choice.picture;
    return has_picture(*ladder.of, chosen) ? chosen : LadderPicture::kBandwidth;
}

/// Whether other results have the rung that is looked at.
bool is_elsewhere(const LadderContext& c) {
    const auto has = [&](const kernels::Timing& t) {
        return t.kernel == c.chosen.name && t.type == c.ladder.choice.type && t.cold == c.ladder.choice.cold;
    };
    return std::ranges::any_of(
        c.all, [&](const Measurements& m) { return &m != c.ladder.of && std::ranges::any_of(m.runs, has); });
}

/// Cuts the choices off the head of the box.
void draw_pills(const LadderContext& c, bool curves, Box& inside) {
    Pills pills(c.pen, {inside.x, inside.y, inside.w, 32}, c.hover);
    const LadderChoice& choice = c.ladder.choice;
    const auto add = [&](std::string_view text, Control which, auto value, bool chosen) {
        pills.add(text, control_id(which, static_cast<std::size_t>(value)), chosen);
    };
    for (std::size_t i = 0; i < c.all.size(); ++i)
        if (has_rungs(c.all[i], c.ladder.scans)) add(c.all[i].name(), Control::kLadderDevice, i, i == choice.device);
    pills.next_group();
    if (c.ladder.types.size() > 1)
        for (const value::Type type : c.ladder.types)
            add(value::name(type), Control::kLadderType, type, type == choice.type);
    pills.next_group();
    if (c.ladder.caches.size() > 1)
        for (const bool cold : c.ladder.caches)
            add(cold ? "cold cache" : "warm cache", Control::kLadderCache, cold, cold == choice.cold);
    pills.next_group();
    const LadderPicture picture = shown_picture(c.ladder);
    for (const auto& [which, name] : study::kLadderPictures)
        if (curves && has_picture(*c.ladder.of, which)) add(name, Control::kLadderAxis, which, which == picture);
    pills.next_group();
    if (curves && picture <= LadderPicture::kTime && is_elsewhere(c))
        add(fitting(c.pen, {fmt::format("{} elsewhere too", c.chosen.name), "elsewhere too"}, Face::kSansBold, kSmall,
                    260),
            Control::kLadderOthers, !choice.others, choice.others);
    cut_top(inside, pills.bottom() - inside.y, 18);
}

/// The table of one N: name, ms, GB/s, a bar for the share of the memory's limit, and how many times as fast.
class RungTable {
public:
    RungTable(const LadderContext& c, Box box) : c_(c), box_(box) {
        for (const Rung& rung : c.ladder.rungs)
            if (rung.right()) {
                least_ = std::min(least_, rung.timing->ms_median);
                most_ = std::max(most_, rung.timing->gb_per_s);
            }
    }

    void draw() {
        const LadderChoice& choice = c_.ladder.choice;
        const float used = c_.pen.line({box_.x, box_.y + 12},
                                       fmt::format("N = {}: {} {}{}", size_name(choice.n), grouped(choice.n),
                                                   value::name(choice.type), cache_text(c_.ladder, choice.cold)),
                                       kTopic, box_.w);
        c_.pen.either({box_.right(), box_.y + 12}, {study::ladder_cpu_text(c_.ladder)}, kFine, box_.w - used - 20,
                      Align::kRight);
        Box box = box_;
        cut_top(box, 32);
        const float wide = box.w > 800 ? 100.0f : 84.0f, room = box.h - 28;
        const Shown shown = shown_about(static_cast<std::size_t>(&c_.chosen - c_.ladder.rungs.data()),
                                        c_.ladder.rungs.size(), room, 21);
        const float pitch = std::min(46.0f, room / static_cast<float>(shown.count()));
        const std::vector<Column> columns{{"kernel", std::min(190.0f, 0.28f * box.w), Align::kLeft},
                                          {"ms", 84, Align::kRight, 1},
                                          {"GB/s", wide},
                                          {"", 18},
                                          {""},
                                          {"", 90, Align::kRight, 2},
                                          {"step ×", 82, Align::kRight, 4},
                                          {"cumulative ×", 104, Align::kRight, 3}};
        Table heads(c_.pen, box, columns, 0, kLeastBar);
        heads.heads();
        if (limit() > 0)
            heads.either(kShare, {"of the memory's limit", "of the limit", "of limit"}, kFine, heads.cell(kBar).w);
        separator(c_.pen, box.x, box.y + 24, box.w);
        cut_top(box, 28);
        Table table(c_.pen, {box.x, box.y + pitch / 2 - 10, box.w, box.h}, columns, pitch, kLeastBar);
        for (std::size_t i = shown.first; i < shown.end; ++i, table.next()) row(table, c_.ladder.rungs[i]);
        if (limit() > 0)
            c_.pen.fill({table.cell(kBar).x + width(table.cell(kBar), limit()), box.y, 2,
                         pitch * static_cast<float>(shown.count())},
                        {Role::kText, 0.8f});
    }

private:
    enum Place : std::uint8_t { kName, kMs, kGb, kAir, kBar, kShare, kStep, kCumulative };

    double limit() const { return c_.ladder.of->limit_gb_per_s; }
    /// Of a bar, of the widest that there is or of the limit.
    float width(Box area, double gb) const { return area.w * static_cast<float>(gb / std::max(most_, limit())); }

    void bar(const Rung& rung, Box area, bool bright) {
        const float w = std::max(2.0f, width(area, rung.timing->gb_per_s));
        const float h = std::min(22.0f, area.h - 8);
        const Box box{area.x, area.centre().y - h / 2, w, h};
        rung.reference ? c_.pen.frame(box, {Role::kTextDim}, 1.5f, 2, 0, true)
                       : c_.pen.fill(box, {Role::kActive, bright ? 1.0f : 0.6f}, 2);
    }

    void row(Table& table, const Rung& rung) {
        const bool chosen = &rung == &c_.chosen, hot = rung.timing != nullptr && c_.hot(*rung.timing);
        const Box area = table.line();
        const std::size_t at = static_cast<std::size_t>(&rung - c_.ladder.rungs.data());
        if (rung.reference && (at == 0 || !c_.ladder.rungs[at - 1].reference))
            separator(c_.pen, area.x, area.y, area.w);
        // Even where there is nothing to see: it can be clicked.
        c_.pen.add(Rect{.box = {area.x - 8, area.y + 1, area.w + 16, area.h - 2},
                        .ink = {hot ? Role::kRaisedHover : Role::kRaised},
                        .fill = chosen || hot ? Fill::kSolid : Fill::kNone,
                        .radius = 6,
                        .outline = {Role::kAccent},
                        .outline_width = chosen ? 1.5f : 0.0f,
                        .id = rung.timing != nullptr ? c_.id(*rung.timing) : control_id(Control::kLadderRung, at)});
        const float size = area.h >= 40 ? 20.0f : area.h >= 24 ? 17.0f : 15.0f;
        table.text(kName, rung.name, {chosen ? Face::kSansBold : Face::kSans, size, {Role::kText}});
        if (!rung.right()) {
            const bool wrong = rung.timing != nullptr;
            const Box bars = table.cell(kBar);
            c_.pen.line({bars.x, table.y()}, wrong ? "gave a wrong result" : "not measured at this N",
                        {Face::kSans, kLeast, {wrong ? Role::kWrong : Role::kTextDim}}, bars.w + 90);
            return;
        }
        const Style figure = chosen_style({Face::kMono, size, {hot ? Role::kText : Role::kTextDim}}, chosen);
        table.text(kMs, ms_text(rung.timing->ms_median, least_), figure);
        table.text(kGb, gb_text(rung.timing->gb_per_s), figure);
        bar(rung, table.cell(kBar), chosen);
        if (limit() > 0) table.text(kShare, percent(rung.share), figure);
        if (rung.reference) return;
        table.text(kStep, rung.step ? times(*rung.step) : "–", figure);
        table.text(kCumulative, rung.cumulative ? times(*rung.cumulative) : "–", figure);
    }

    std::string gb_text(double gb) const {
        return most_ < 100 ? fmt::format("{:.3f}", gb) : grouped(static_cast<std::uint64_t>(gb + 0.5));
    }

    const LadderContext& c_;
    Box box_;
    double most_ = 0, least_ = 1e9;  // GB/s, ms
};

/// What it is that stands there.
std::string help(const LadderContext& c) {
    const Measurements& m = *c.ladder.of;
    const std::string_view said =
        m.is_published() ? "Figures as published" : "Times of the plain kernels, nothing recorded";
    const std::string limit = m.limit_gb_per_s > 0 ? fmt::format("The memory's limit: {} GB/s, {}. ",
                                                                 bandwidth_text(m.limit_gb_per_s), m.limit_of)
                                                   : "";
    return fmt::format("{}: not of the run on show. {}{}{}↓ and ↑: another rung.", said,
                       m.is_published() ? "" : "Each time is the median of many. ", limit,
                       c.ladder.sizes.size() > 1 ? "→ and ←: another N; " : "");
}

/// The table, and where there is room beside it what is chosen: curves, or another picture, and what changed.
void draw_rungs(const LadderContext& c, bool wide, bool curves, Box inside) {
    if (!wide) return RungTable(c, {inside.x + 8, inside.y, inside.w - 16, inside.h}).draw();
    const Box left = cut_left(inside, kTableShare * inside.w, kBetween);
    RungTable(c, {left.x + 8, left.y, left.w - 8, left.h}).draw();
    if (!curves) return draw_ladder_causes(c, inside);
    const LadderPicture picture = shown_picture(c.ladder);
    if (picture == LadderPicture::kSchedule) return draw_ladder_schedule(c, inside);  // a row for each multiprocessor
    if (inside.h >= kCausesHeight + kLeastChart) draw_ladder_causes(c, cut_bottom(inside, kCausesHeight, 26));
    picture == LadderPicture::kTuning ? draw_ladder_tuning(c, inside) : draw_ladder_chart(c, inside);
}

}  // namespace

std::string size_name(std::uint64_t n) {
    return std::has_single_bit(n) && n >= 1024 ? fmt::format("2^{}", std::countr_zero(n)) : grouped(n);
}

std::string bandwidth_text(double gb) {
    return gb < 1000 ? fmt::format("{:.5g}", gb) : grouped(static_cast<std::uint64_t>(gb + 0.5));
}

std::string ms_text(double ms, double least) {
    return fmt::format("{:.{}f}", ms, least < 0.1 ? 4 : 3);
}

std::vector<std::string> ladder_story(const Ladder& ladder, const Target& target) {
    if (target.kind != Target::Kind::kTiming || target.index >= ladder.of->runs.size()) return {};
    const kernels::Timing& t = ladder.of->runs[target.index];
    std::vector<std::string> lines{
        fmt::format("{}, N = {} {}{}", t.kernel, size_name(t.n), value::name(t.type), cache_text(ladder, t.cold))};
    if (!t.correct) lines.push_back("Its result was wrong: its time says nothing.");
    if (t.ms_min == t.ms_max)
        lines.push_back(fmt::format("{} ms", ms_text(t.ms_median, t.ms_min)));
    else
        lines.push_back(fmt::format("{} ms in the median, {} at best, {} at worst", ms_text(t.ms_median, t.ms_min),
                                    ms_text(t.ms_min, t.ms_min), ms_text(t.ms_max, t.ms_min)));
    const double share = ladder.of->share(t);
    lines.push_back(fmt::format("{} GB/s{}{}", bandwidth_text(t.gb_per_s),
                                t.kernel == "copy" || ladder.scans ? ", read and written" : "",
                                share > 0 ? ": " + percent(share) + " of the memory's limit" : ""));
    if (t.block != 0) lines.push_back(fmt::format("blocks of {}", counted(t.block, "thread")));
    return lines;
}

std::string ladder_caption(std::span<const Measurements> all, const LadderChoice& choice, std::string_view kernel) {
    const Ladder ladder = ladder_of(all, choice, kernel);
    const Rung& rung = *chosen_rung(ladder, kernel);
    if (rung.timing == nullptr) return fmt::format("{}: not measured at N = {}", rung.name, size_name(ladder.choice.n));
    const auto at = static_cast<std::uint32_t>(rung.timing - ladder.of->runs.data());
    return fmt::format("{}", fmt::join(ladder_story(ladder, {.kind = Target::Kind::kTiming, .index = at}), "; "));
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
        panel_title(pen, box, "", remark);
        Box inside = panel_inside(box, 10);
        const bool wide = inside.w >= kLeastWide, curves = wide && ladder.sizes.size() > 1;
        draw_pills(c, curves, inside);
        std::vector<Section> sections{
            {kWanted, 0, [&](Box rungs) { draw_rungs(c, wide, curves, rungs); }, kClose, kRest, kLeastRungs}};
        constexpr Style kCommand{Face::kMono, kLeast, {Role::kTextFaint}};
        if (pen.width(m.command, kCommand.face, kCommand.size) <= inside.w)  // else it stands in the file
            sections.push_back(words(pen, m.command, kCommand, inside.w, kLate, 10));
        stack_panel(pen, box, 0, std::move(sections), inside, {}, help(c));
    });
}

}  // namespace warptree::scene
