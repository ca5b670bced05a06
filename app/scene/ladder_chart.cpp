// The ladder's curves: bandwidth or time over N, in powers of two.
#include <algorithm>
#include <limits>

#include "app/scene/chart.hpp"
#include "app/scene/ladder_view.hpp"

namespace warptree::scene {
namespace {

constexpr Ink kLimit{Role::kText, 0.8f};

/// A rung's right times in some results, in order of N; other results are of the rung that is looked at alone.
ChartLine line_of(const LadderContext& c, const Rung& rung, const Measurements& of) {
    const bool time = c.ladder.choice.picture == LadderPicture::kTime, other = &of != c.ladder.of;
    const bool chosen = &rung == &c.chosen, named = chosen || (rung.timing != nullptr && c.hot(*rung.timing));
    ChartLine line{.name = other ? "on " + of.name() : std::string(rung.name),
                   .ink = other    ? Ink{Role::kAccent}
                          : chosen ? Ink{Role::kActive}
                          : named  ? Ink{Role::kText}
                                   : Ink{Role::kTextDim, 0.7f},
                   .width = named && !other ? 3.5f : 1.6f,
                   .dot = named && !other ? 5.5f : 3.0f,
                   .dashed = rung.reference || other,
                   .kept = named,
                   .style = chosen_style(kFine, named)};
    if (named) line.leader = line.ink.role;
    bool apart = true;  // where one N was not measured, there is no line
    for (const std::uint64_t n : c.ladder.sizes) {
        const auto t = std::ranges::find_if(of.runs, [&](const kernels::Timing& run) {
            return run.kernel == rung.name && run.n == n && run.type == c.ladder.choice.type &&
                   run.cold == c.ladder.choice.cold && run.correct;
        });
        const bool there = t != of.runs.end();
        if (there && !other) line.id = c.id(*t);
        if (there)
            line.points.push_back(
                {static_cast<double>(n), time ? t->ms_median : t->gb_per_s, rung.reference, apart, line.id});
        apart = !there;
    }
    return line;
}

void draw_heading(const LadderContext& c, bool time, Box box) {
    const float y = box.y + 12;
    const float used = c.pen.line({box.x, y}, time ? "Time in ms over N" : "Bandwidth in GB/s over N", kTopic, box.w);
    const float room = box.w - used - 70;
    if (c.ladder.of->limit_gb_per_s == 0) {
        c.pen.either({box.right(), y}, {"dashed: references"}, kFine, room, Align::kRight);
        return;
    }
    const std::string gb = bandwidth_text(c.ladder.of->limit_gb_per_s), limit = "the memory's limit: " + gb + " GB/s";
    const float w = c.pen.either({box.right(), y}, {limit + ";  dashed: references", limit, "limit " + gb + " GB/s"},
                                 kFine, room, Align::kRight);
    if (w > 0) draw_segment(c.pen, {box.right() - w - 40, y}, {box.right() - w - 10, y}, kLimit, 2);
}

/// Each N and its column, which can be clicked; a band is what is seen of that.
void draw_sizes(const LadderContext& c, const Chart& chart, float left) {
    constexpr float kBand = 20;
    const Box area = chart.area();
    Ruler ruler(c.pen, area.bottom() + 15, left);
    const auto& sizes = c.ladder.sizes;
    const auto x = [&](std::size_t i) { return chart.x(sizes[i]); };
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const bool now = sizes[i] == c.ladder.choice.n;
        const Id id = control_id(Control::kLadderN, i);
        const float from = i == 0 ? x(i) - kBand : (x(i) + x(i - 1)) / 2;
        const float to = i + 1 == sizes.size() ? x(i) + kBand : (x(i) + x(i + 1)) / 2;
        c.pen.spot({from, area.y, to - from, area.h + 28}, id);
        if (now || c.hover == unpack(id))
            c.pen.fill({x(i) - kBand, area.y, 2 * kBand, area.h + 28}, {Role::kAccent, 0.14f}, 4);
        ruler.put(x(i), size_name(sizes[i]), chosen_style(kAxisText, now));
    }
}

/// The bandwidth that the memory has at most, or the time that it needs at least, as far as that is on show.
void draw_limit(const LadderContext& c, const Chart& chart, bool time) {
    const double gb = c.ladder.of->limit_gb_per_s, most = chart.across().high;
    double first = chart.across().low;
    if (gb == 0) return;
    if (!time) return chart.line({chart.at(first, gb), chart.at(most, gb)}, kLimit, 2);
    const double ms = static_cast<double>(value::size_bytes(c.ladder.choice.type)) / gb / 1e6;  // an element's
    first = std::max(chart.up().low / ms, first);
    if (first < most) chart.line({chart.at(first, first * ms), chart.at(most, most * ms)}, kLimit, 2);
}

}  // namespace

void draw_ladder_chart(const LadderContext& c, Box box) {
    if (box.h < 160 || c.ladder.sizes.size() < 2) return;
    const bool time = c.ladder.choice.picture == LadderPicture::kTime;
    std::vector<ChartLine> lines;
    const auto add = [&](const Rung& rung, const Measurements& of) {
        if (ChartLine line = line_of(c, rung, of); !line.points.empty()) lines.push_back(std::move(line));
    };
    for (const Rung& rung : c.ladder.rungs) add(rung, *c.ladder.of);
    for (const Measurements& other : c.all)  // at the same N
        if (c.ladder.choice.others && &other != c.ladder.of) add(c.chosen, other);
    Scale up{std::numeric_limits<double>::max(), 0, time};
    for (const ChartLine& line : lines)
        for (const ChartLine::Point& point : line.points) up.take(point.y);
    up.take(time ? up.low * 0.8 : c.ladder.of->limit_gb_per_s);
    if (!time) up.low = 0;
    up.high *= time ? 1.25 : 1.04;
    const double least = static_cast<double>(c.ladder.sizes.front()), most = static_cast<double>(c.ladder.sizes.back());
    const Chart chart(c.pen, box, 40, lines, {least, most, true}, up);
    draw_heading(c, time, box);
    chart.ticks();
    draw_sizes(c, chart, box.x);
    draw_limit(c, chart, time);
    for (const bool over : {false, true})
        for (const ChartLine& line : lines)
            if (line.kept == over) chart.draw(line);
    chart.draw_names(lines, box.right());
}

}  // namespace warptree::scene
