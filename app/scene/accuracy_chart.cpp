// Error over N, on log axes: a line a kernel, a dashed one a bound of theory, each named at its end; and error beside
// bandwidth, as a device's results have them: a point a kernel, and a line through those that none beats in both.
#include "app/scene/accuracy_view.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "app/scene/chart.hpp"
#include "app/scene/ladder_view.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

bool is_rms(const AccuracyShown& shown) {
    return shown.picture == AccuracyPicture::kRms;
}

/// The bounds of theory, then the kernels, that of the run last: it then lies over the others.
std::vector<ChartLine> lines_of(const AccuracyShown& shown) {
    std::vector<ChartLine> lines;
    const auto& bounds = accuracy_bounds();
    for (std::uint32_t i = 0; i < bounds.size(); ++i) {
        lines.push_back({.name = std::string(bounds[i].name),
                         .ink = {Role::kBook, 0.9f},
                         .width = 1.6f,
                         .dashed = true,
                         .style = {Face::kSans, kLeast, {Role::kBook}},
                         .id = pack({Target::Kind::kFigure, 0, kBoundFigure, i})});
        for (const double n : shown.table().wanted.sizes) lines.back().points.push_back({n, bounds[i].at(n)});
    }
    for (const bool own : {false, true})
        for (const std::string& kernel : shown.table().wanted.kernels) {
            if (own != (kernel == shown.kernel())) continue;
            ChartLine line{.name = kernel,
                           .ink = own ? Ink{Role::kActive} : Ink{Role::kText, 0.8f},
                           .width = own ? 3.5f : 1.8f,
                           .dot = own ? 5.0f : 3.5f,
                           .kept = own,
                           .style = chosen_style(kFine, own)};
            for (const AccuracyRow& row : shown.table().rows)
                if (const double off = is_rms(shown) ? row.rms : row.worst; row.kernel == kernel && row.seeds > 0)
                    line.points.push_back({static_cast<double>(row.n), off, off == 0});
            if (!line.points.empty()) lines.push_back(std::move(line));
        }
    return lines;
}

/// Whether no kernel is faster and no farther off, or as fast and nearer.
bool unbeaten(const TradeOff& point, const std::vector<TradeOff>& all) {
    return std::ranges::none_of(all, [&](const TradeOff& other) {
        const double gb = other.time->gb_per_s - point.time->gb_per_s, off = other.error->worst - point.error->worst;
        return gb >= 0 && off <= 0 && (gb > 0 || off < 0);
    });
}

/// The point of a target; nothing: it has none.
std::optional<TradeOff> point_at(const AccuracyShown& shown, const Target& target) {
    const std::vector<TradeOff>& points = shown.recorded.points;
    if (target.kind != Target::Kind::kTiming || target.index >= points.size()) return std::nullopt;
    return points[target.index];
}

std::vector<std::string> figure_story(const AccuracyShown& shown, const Target& target) {
    if (target.array == kBoundFigure) {
        if (target.index >= accuracy_bounds().size()) return {};
        const AccuracyBound& bound = accuracy_bounds()[target.index];
        return {fmt::format("{}: a bound of theory, in roundings of every element", bound.name),
                capitalised(std::string(bound.of)), std::string(bound.source)};
    }
    if (target.index >= shown.study.running.size()) return {};
    const RunningSum& sum = shown.study.running[target.index];
    std::vector<std::string> lines = {
        fmt::format("Step {}: the sum on the way to the result is {:.9g}", grouped(sum.step + 1), sum.sum),
        sum.lost == 0 ? "nothing was cut off" : fmt::format("rounding cut off {:.3g}", sum.lost)};
    if (sum.caught) lines.emplace_back("the kernel keeps that, and adds it back elsewhere");
    return lines;
}

}  // namespace

void draw_accuracy_chart(Pen& pen, const AccuracyShown& shown, Box box) {
    if (box.h < kLeastPicture || box.w < 320 || shown.table().rows.empty()) return;
    const auto& sizes = shown.table().wanted.sizes;
    const Scale across{static_cast<double>(sizes.front()), static_cast<double>(sizes.back()), true};
    std::vector<ChartLine> lines = lines_of(shown);
    Scale up{1, across.high, true};
    for (const ChartLine& line : lines)
        for (const ChartLine::Point& point : line.points)
            if (line.dot > 0 && point.y > 0) up.take(point.y);
    up = {std::max(up.low * 0.7, up.high * 1.4e-7), up.high * 1.4, true};
    for (ChartLine& line : lines)  // what is exact, which a log axis has no place for, stands on it
        for (ChartLine::Point& point : line.points) point.y = std::clamp(point.y, up.low, up.high);
    const Chart chart(pen, box, 44, lines, across, up);
    pen.line({box.x, box.y + 10},
             fmt::format("{} over N, in roundings of every element: error / (u · sum of |x|)",
                         is_rms(shown) ? "Root mean square error" : "Worst error"),
             kTopic, box.w);
    chart.ticks();
    Ruler ruler(pen, chart.area().bottom() + 16, box.x, 10);
    for (const std::uint64_t n : sizes) ruler.put(chart.x(n), grouped(n));
    for (const ChartLine& line : lines) chart.draw(line);
    chart.draw_names(lines, box.right());
}

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
        pen.fill({chart.x(gb), area.y, 1, area.h}, {Role::kLine});
        pen.line({chart.x(gb), area.bottom() + 16}, tick_text(gb), kAxisText, 60, Align::kCentre);
    }
    std::vector<Vec> points, front;  // what is exact stands on the axis
    for (const TradeOff& point : all) {
        points.push_back(chart.at(point.time->gb_per_s, std::max(point.error->worst, up.low)));
        if (unbeaten(point, all)) front.push_back(points.back());
    }
    chart.line(front, {Role::kBook}, 1.6f, true);
    const auto own = [&](std::size_t i) { return all[i].error->kernel == shown.kernel(); };
    for (std::uint32_t i = 0; i < all.size(); ++i)
        pen.disc(points[i], own(i) ? 7.0f : 5.0f, {own(i) ? Role::kActive : Role::kText, own(i) ? 1.0f : 0.8f},
                 pack({Target::Kind::kTiming, 0, 0, i}));
    Labels labels({area.x, area.y, box.right() - area.x, area.h}, points, front);
    for (const bool first : {true, false})  // beside its point, where there is room; else the pointer tells it
        for (std::size_t i = 0; i < all.size(); ++i) {
            if ((own(i) || unbeaten(all[i], all)) != first) continue;
            const Style style = chosen_style(kFine, own(i));
            const std::string& name = all[i].error->kernel;
            const float w = pen.width(name, style.face, kLeast) + 2;
            if (const auto place = labels.place(i, {points[i].x + 10 + w / 2, points[i].y}, {w, 16}))
                pen.line({place->x, place->centre().y}, name, style, w);
        }
}

std::vector<std::string> accuracy_story(const AccuracyShown& shown, const Target& target) {
    if (target.kind == Target::Kind::kFigure) return figure_story(shown, target);
    const auto point = point_at(shown, target);
    if (!point) return {};
    return {
        fmt::format("{}, N = {} {}", point->error->kernel, size_name(point->error->n), value::name(point->error->type)),
        fmt::format("off by {:.3g} roundings of every element at worst, {:.3g} in the root mean square of {}",
                    point->error->worst, point->error->rms, counted(point->error->seeds, "seed")),
        fmt::format("{} GB/s", bandwidth_text(point->time->gb_per_s))};
}

std::string accuracy_kernel(const AccuracyShown& shown, const Target& target) {
    const auto point = point_at(shown, target);
    return point ? point->error->kernel : "";
}

}  // namespace warptree::scene
