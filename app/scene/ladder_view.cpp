// The ladder's head, its table and its foot.
#include "app/scene/ladder_view.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

/// ", warm cache", where it is known.
std::string_view cache_text(const Ladder& ladder, bool cold) {
    return ladder.of->driver.empty() ? "" : cold ? ", cold cache" : ", warm cache";
}

constexpr float kPillHeight = 32, kLeastWide = 1240, kTableShare = 0.53f, kBetween = 36;

Id control(Control control, std::size_t value) {
    return pack({Target::Kind::kControl, static_cast<std::uint16_t>(value), 0, static_cast<std::uint32_t>(control)});
}

/// What there is to choose, in groups from left to right; more rows where one is too short.
class Pills {
public:
    Pills(const LadderContext& c, Box box) : c_(c), box_(box), at_{box.x, box.y} {}
    void add(std::string_view text, Control which, std::size_t value, bool chosen) {
        const float w = std::min(box_.w, c_.pen.width(text, Face::kSansBold, kSmall) + 26);
        if (at_.x > box_.x && at_.x + w > box_.right()) at_ = {box_.x, at_.y + kPillHeight + 8};
        const Id id = control(which, value);
        draw_pill(c_.pen, {at_.x, at_.y, w, kPillHeight}, text, id, chosen, pack(c_.hover) == id);
        at_.x += w + 8;
    }
    void next_group() { at_.x += 18; }
    float bottom() const { return at_.y + kPillHeight; }

private:
    const LadderContext& c_;
    Box box_;
    Vec at_;
};

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

float draw_pills(const LadderContext& c, std::span<const Measurements> all, bool curves, Box box) {
    Pills pills(c, box);
    const LadderChoice& choice = c.ladder.choice;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (!all[i].runs.empty()) pills.add(all[i].name(), Control::kLadderDevice, i, i == choice.device);
    pills.next_group();
    if (c.ladder.types.size() > 1)
        for (const value::Type type : c.ladder.types)
            pills.add(value::name(type), Control::kLadderType, static_cast<std::size_t>(type), type == choice.type);
    pills.next_group();
    if (c.ladder.caches.size() > 1)
        for (const bool cold : c.ladder.caches)
            pills.add(cold ? "cold cache" : "warm cache", Control::kLadderCache, cold, cold == choice.cold);
    pills.next_group();
    const LadderPicture picture = shown_picture(c.ladder);
    for (const auto& [which, name] : study::kLadderPictures)
        if (curves && has_picture(*c.ladder.of, which))
            pills.add(name, Control::kLadderAxis, static_cast<std::size_t>(which), which == picture);
    pills.next_group();
    if (curves && picture <= LadderPicture::kTime && is_elsewhere(c))
        pills.add(fitting(c.pen, {fmt::format("{} elsewhere too", c.chosen.name), "elsewhere too"}, Face::kSansBold,
                          kSmall, 260),
                  Control::kLadderOthers, !choice.others, choice.others);
    return pills.bottom();
}

/// The table of one N.
class Table {
public:
    Table(const LadderContext& c, Box box) : c_(c), box_(box), least_(1e9) {
        most_ = 1;
        for (const Rung& rung : c.ladder.rungs)
            if (rung.right()) {
                most_ = std::max(most_, rung.share);
                least_ = std::min(least_, rung.timing->ms_median);
                widest_ = std::max(widest_, rung.timing->gb_per_s);
            }
        float right = box.right();
        const auto column = [&](float w) { return std::exchange(right, right - w); };
        cumulative_ = column(104), step_ = column(82), share_ = column(82);
        bar_.w = right;  // its right end, for now
        const float name = std::min(190.0f, 0.28f * box.w);
        ms_ = box.x + name + 84, gb_ = ms_ + (box.w > 800 ? 100.0f : 84.0f);
        bar_ = {gb_ + 18, 0, bar_.w - gb_ - 26, 0};
    }

    void draw() {
        const LadderChoice& choice = c_.ladder.choice;
        c_.pen.line({box_.x, box_.y + 12},
                    fmt::format("N = {}: {} {}{}", size_name(choice.n), grouped(choice.n), value::name(choice.type),
                                cache_text(c_.ladder, choice.cold)),
                    {Face::kSansBold, kBody, {Role::kText}}, box_.w);
        head(box_.y + 42);
        const float top = box_.y + 60, room = box_.bottom() - top;
        const auto [first, last] = shown(room);
        const auto rows = static_cast<float>(last - first);
        const float pitch = std::min(46.0f, room / rows);
        for (std::size_t i = first; i < last; ++i)
            row(c_.ladder.rungs[i], {box_.x, top + static_cast<float>(i - first) * pitch, box_.w, pitch});
        c_.pen.fill({limit_x(), top, 2, pitch * rows}, {Role::kText, 0.8f});
    }

private:
    /// The rows that find room: about the chosen one where not all do.
    std::pair<std::size_t, std::size_t> shown(float room) const {
        constexpr float kLeastPitch = 21;
        const std::size_t all = c_.ladder.rungs.size();
        const std::size_t fitting = std::clamp<std::size_t>(static_cast<std::size_t>(room / kLeastPitch), 1, all);
        const auto at = static_cast<std::size_t>(&c_.chosen - c_.ladder.rungs.data());
        const std::size_t first = std::min(at > fitting / 2 ? at - fitting / 2 : 0, all - fitting);
        return {first, first + fitting};
    }

    float limit_x() const { return bar_.x + bar_.w / static_cast<float>(most_); }

    void head(float y) {
        const Style style{Face::kSans, kLeast, {Role::kTextDim}};
        c_.pen.line({box_.x, y}, "kernel", style, 120);
        c_.pen.line({ms_, y}, "ms", style, 80, Align::kRight);
        c_.pen.line({gb_, y}, "GB/s", style, 80, Align::kRight);
        c_.pen.line({share_, y},
                    fitting(c_.pen, {"of the memory's limit", "of the limit", "of limit"}, Face::kSans, kLeast,
                            share_ - gb_ - 24),
                    style, share_ - gb_ - 24, Align::kRight);
        c_.pen.line({step_, y}, "step ×", style, 76, Align::kRight);
        c_.pen.line({cumulative_, y}, "cumulative ×", style, 98, Align::kRight);
        separator(c_.pen, box_.x, y + 14, box_.w);
    }

    void bar(const Rung& rung, Box area, bool bright) {
        const float w = std::max(2.0f, bar_.w * static_cast<float>(rung.share / most_));
        const float h = std::min(22.0f, area.h - 8);
        const Box box{bar_.x, area.centre().y - h / 2, w, h};
        if (rung.reference)
            c_.pen.add(Rect{.box = box,
                            .fill = Fill::kNone,
                            .radius = 2,
                            .outline = {Role::kTextDim},
                            .outline_width = 1.5f,
                            .dashed = true});
        else
            c_.pen.fill(box, {Role::kActive, bright ? 1.0f : 0.6f}, 2);
    }

    void row(const Rung& rung, Box area) {
        const bool chosen = &rung == &c_.chosen, hot = rung.timing != nullptr && c_.hot(*rung.timing);
        if (rung.reference && (&rung == c_.ladder.rungs.data() || !(&rung - 1)->reference))
            separator(c_.pen, area.x, area.y, area.w);
        // Even where there is nothing to see: it can be clicked.
        c_.pen.add(
            Rect{.box = {area.x - 8, area.y + 1, area.w + 16, area.h - 2},
                 .ink = {hot ? Role::kRaisedHover : Role::kRaised},
                 .fill = chosen || hot ? Fill::kSolid : Fill::kNone,
                 .radius = 6,
                 .outline = {Role::kAccent},
                 .outline_width = chosen ? 1.5f : 0.0f,
                 .id = rung.timing != nullptr
                           ? c_.id(*rung.timing)
                           : control(Control::kLadderRung, static_cast<std::size_t>(&rung - c_.ladder.rungs.data()))});
        const float y = area.centre().y, size = area.h >= 40 ? 20.0f : area.h >= 24 ? 17.0f : 15.0f;
        const Ink ink{chosen || hot ? Role::kText : Role::kTextDim};
        c_.pen.line({area.x, y}, rung.name, {chosen ? Face::kSansBold : Face::kSans, size, {Role::kText}},
                    ms_ - 80 - area.x);
        if (!rung.right()) {
            const bool wrong = rung.timing != nullptr;
            c_.pen.line({gb_ + 18, y}, wrong ? "gave a wrong result" : "not measured at this N",
                        {Face::kSans, kLeast, {wrong ? Role::kWrong : Role::kTextDim}}, share_ - gb_ - 18);
            return;
        }
        const Style figure{chosen ? Face::kMonoBold : Face::kMono, size, ink};
        const auto number = [&](float right, const std::string& text, float w) {
            c_.pen.line({right, y}, text, figure, w, Align::kRight);
        };
        number(ms_, ms_text(rung.timing->ms_median, least_), 80);
        number(gb_, gb_text(rung.timing->gb_per_s), 80);
        bar(rung, area, chosen);
        number(share_, percent(rung.share), 78);
        if (rung.reference) return;
        number(step_, rung.step ? times(*rung.step) : "–", 76);
        number(cumulative_, rung.cumulative ? times(*rung.cumulative) : "–", 98);
    }

    std::string gb_text(double gb) const {
        return widest_ < 100 ? fmt::format("{:.3f}", gb) : grouped(static_cast<std::uint64_t>(gb + 0.5));
    }

    const LadderContext& c_;
    Box box_, bar_;
    double most_ = 1, least_, widest_ = 0;
    float ms_ = 0, gb_ = 0, share_ = 0, step_ = 0, cumulative_ = 0;
};

/// What it is that stands there, at the foot.
/// returns  its height
float draw_foot(const LadderContext& c, Box inside, bool low) {
    const Measurements& m = *c.ladder.of;
    const std::string_view said =
        m.is_published() ? "Figures as published" : "Times of the plain kernels, nothing recorded";
    const std::string text =
        fmt::format("{}: not of the run on show. {}The memory's limit: {} GB/s, {}. {}↓ and ↑: another rung.", said,
                    m.is_published() ? "" : "Each time is the median of many. ", bandwidth_text(m.limit_gb_per_s),
                    m.limit_of, c.ladder.sizes.size() > 1 ? "→ and ←: another N; " : "");
    const auto lines =
        std::min<std::size_t>(low ? 1 : 3, wrap(c.pen.measure(), text, Face::kSans, kSmall, inside.w).size());
    const bool source = !low && c.pen.width(m.command, Face::kMono, kLeast) <= inside.w;  // else it stands in the file
    const float command = source ? 24.0f : 0.0f, height = static_cast<float>(lines) * line_height(kSmall) + command + 8;
    const float y = inside.bottom() - height + 16;
    const auto most = static_cast<int>(lines);
    c.pen.paragraph({inside.x, y}, first_sentences(c.pen.measure(), text, inside.w, most), kDim, inside.w, most);
    if (source)
        c.pen.line({inside.x, inside.bottom() - 12}, m.command, {Face::kMono, kLeast, {Role::kTextFaint}}, inside.w);
    return height;
}

}  // namespace

bool LadderContext::hot(const kernels::Timing& timing) const {
    return hover.kind == Target::Kind::kTiming && hover.index < ladder.of->runs.size() &&
           ladder.of->runs[hover.index].kernel == timing.kernel;
}

Id LadderContext::id(const kernels::Timing& timing) const {
    return pack({Target::Kind::kTiming, 0, 0, static_cast<std::uint32_t>(&timing - ladder.of->runs.data())});
}

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
    lines.push_back(fmt::format("{} GB/s{}: {} of the memory's limit", bandwidth_text(t.gb_per_s),
                                t.kernel == "copy" ? ", read and written" : "",
                                percent(t.gb_per_s / ladder.of->limit_gb_per_s)));
    if (t.block != 0) lines.push_back(fmt::format("blocks of {}", counted(t.block, "thread")));
    return lines;
}

std::string ladder_caption(std::span<const Measurements> all, const LadderChoice& choice, std::string_view kernel) {
    const Ladder ladder = ladder_of(all, choice);
    const Rung& rung = *chosen_rung(ladder, kernel);
    if (rung.timing == nullptr) return fmt::format("{}: not measured at N = {}", rung.name, size_name(ladder.choice.n));
    const auto at = static_cast<std::uint32_t>(rung.timing - ladder.of->runs.data());
    return fmt::format("{}", fmt::join(ladder_story(ladder, {.kind = Target::Kind::kTiming, .index = at}), "; "));
}

Scene ladder_view(std::span<const Measurements> all, const LadderChoice& choice, const LadderStudy* counted,
                  std::string_view kernel, Box box, const Measure& measure, const Target& hover) {
    Scene scene;
    if (box.w <= 0 || box.h <= 0) return scene;
    Pen pen(scene, measure);
    panel_ground(pen, box);
    const Ladder ladder = ladder_of(all, choice);
    const LadderContext c{pen, all, ladder, *chosen_rung(ladder, kernel), counted, hover};
    const Measurements& m = *ladder.of;
    std::string remark = m.name();
    for (const std::string& part : {m.driver, m.date})
        if (!part.empty()) remark += " · " + part;
    panel_title(pen, box, "", remark);
    const Box inside{box.x + kPad, box.y + kTitleHeight, box.w - 2 * kPad, box.h - kTitleHeight - 10};
    const bool wide = inside.w >= kLeastWide, low = inside.h < 460, curves = wide && ladder.sizes.size() > 1;
    const float foot = draw_foot(c, inside, low);
    const float top = draw_pills(c, all, curves, inside) + 18;
    const float h = inside.bottom() - foot - 10 - top;
    if (h < 90) return scene;
    if (!wide) {
        Table(c, {inside.x + 8, top, inside.w - 16, h}).draw();
        return scene;
    }
    const float left = kTableShare * inside.w, x = inside.x + left + kBetween, w = inside.right() - x;
    Table(c, {inside.x + 8, top, left - 8, h}).draw();
    if (!curves) {
        draw_ladder_causes(c, {x, top, w, h});
        return scene;
    }
    const LadderPicture picture = shown_picture(ladder);
    const bool tall = picture == LadderPicture::kSchedule;  // a row for each multiprocessor
    const float causes = h >= kCausesHeight + 220 && !tall ? kCausesHeight : 0;
    const Box upper{x, top, w, h - (causes > 0 ? causes + 26 : 0)};
    picture == LadderPicture::kSchedule ? draw_ladder_schedule(c, upper)
    : picture == LadderPicture::kTuning ? draw_ladder_tuning(c, upper)
                                        : draw_ladder_chart(c, upper);
    if (causes > 0) draw_ladder_causes(c, {x, top + h - causes, w, causes});
    return scene;
}

}  // namespace warptree::scene
