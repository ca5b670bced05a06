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

class AccuracyChart {
public:
    AccuracyChart(Pen& pen, const AccuracyShown& shown, Box box)
        : pen_(pen), shown_(shown), box_(box), chart_(pen, area(), across(), up()) {}

    void draw() {
        pen_.line({box_.x, box_.y + 10},
                  fmt::format("{} over N, in roundings of every element: error / (u · sum of |x|)",
                              shown_.picture == AccuracyPicture::kRms ? "Root mean square error" : "Worst error"),
                  kTopic, box_.w);
        for (const double v : chart_.up().ticks(chart_.area().h)) chart_.tick(v, tick_text(v));
        Ruler ruler(pen_, chart_.area().bottom() + 16, box_.x, 10);
        for (const std::uint64_t n : sizes()) ruler.put(chart_.x(static_cast<double>(n)), grouped(n));
        for (const AccuracyBound& bound : accuracy_bounds()) stroke(bound);
        for (const bool own : {false, true})  // which then lies over the others
            for (const std::string& kernel : shown_.table().wanted.kernels)
                if (own == is_own(kernel)) stroke(kernel);
        chart_.draw_names(box_.right());
    }

private:
    const std::vector<std::uint64_t>& sizes() const { return shown_.table().wanted.sizes; }
    Box area() const {
        float names = 0;
        for (const std::string& kernel : shown_.table().wanted.kernels)
            names = std::max(names, pen_.width(kernel, Face::kSansBold, kLeast));
        return {box_.x + 62, box_.y + 44, box_.w - 62 - Chart::kLeader - names - 8, box_.h - 44 - 30};
    }
    Scale across() const { return {static_cast<double>(sizes().front()), static_cast<double>(sizes().back()), true}; }
    Scale up() const {
        Scale scale{1, across().high, true};
        for (const AccuracyRow& row : shown_.table().rows)
            if (of(row) > 0) scale.take(of(row));
        return {std::max(scale.low * 0.7, scale.high * 1.4e-7), scale.high * 1.4, true};
    }

    double of(const AccuracyRow& row) const { return shown_.picture == AccuracyPicture::kRms ? row.rms : row.worst; }
    bool is_own(const std::string& kernel) const { return kernel == shown_.kernel(); }
    /// What is exact, which a log axis has no place for, stands on it.
    Vec at(double n, double v) const { return chart_.at(n, std::clamp(v, chart_.up().low, chart_.up().high)); }

    void stroke(const AccuracyBound& bound) {
        std::vector<Vec> points;
        for (const std::uint64_t n : sizes())
            points.push_back(at(static_cast<double>(n), bound.at(static_cast<double>(n))));
        chart_.line(points, {Role::kBook, 0.9f}, 1.6f, true);
        const auto at = static_cast<std::uint32_t>(&bound - accuracy_bounds().data());
        chart_.name({.text = std::string(bound.name),
                     .end = points.back(),
                     .style = {Face::kSans, kLeast, {Role::kBook}},
                     .id = pack({Target::Kind::kFigure, 0, kBoundFigure, at})});
    }

    void stroke(const std::string& kernel) {
        const bool own = is_own(kernel);
        const Ink ink = own ? Ink{Role::kActive} : Ink{Role::kText, 0.8f};
        std::vector<Vec> points;
        std::vector<bool> exact;
        for (const AccuracyRow& row : shown_.table().rows)
            if (row.kernel == kernel && row.seeds > 0) {
                points.push_back(at(static_cast<double>(row.n), of(row)));
                exact.push_back(of(row) == 0);
            }
        if (points.empty()) return;
        chart_.line(points, ink, own ? 3.5f : 1.8f);
        for (std::size_t i = 0; i < points.size(); ++i)
            pen_.ring(points[i], own ? 5.0f : 3.5f, exact[i] ? Ink{Role::kPanel} : ink, ink, exact[i] ? 1.5f : 0.0f);
        chart_.name({.text = kernel, .end = points.back(), .style = chosen_style(kFine, own), .kept = own});
    }

    Pen& pen_;
    const AccuracyShown& shown_;
    Box box_;
    Chart chart_;
};

constexpr float kHigh = 16, kDot = 5;

class TradeOffChart {
public:
    TradeOffChart(Pen& pen, const AccuracyShown& shown, Box box)
        : pen_(pen),
          shown_(shown),
          points_(shown.recorded.points),
          box_(box),
          brief_(box.h < 260),
          chart_(pen, {box.x + 62, box.y + (box.h < 260 ? 40 : 72), box.w - 72, box.h - (box.h < 260 ? 40 : 72) - 30},
                 {points_.front().time->gb_per_s * 0.6, points_.back().time->gb_per_s * 1.6, true}, up()),
          area_(chart_.area()) {}

    void draw() {
        const AccuracyRow& error = *points_.front().error;
        pen_.line({box_.x, box_.y + 10}, "Worst error beside bandwidth in GB/s: down and to the right is better",
                  kTopic, box_.w);
        if (!brief_)
            pen_.line(
                {box_.x, box_.y + 38},
                fmt::format("{}, N = {}, {}, input {}, {}; warm cache", shown_.recorded.errors->device,
                            size_name(error.n), value::name(error.type), error.input, counted(error.seeds, "seed")),
                kDim, box_.w);
        for (const double v : chart_.up().ticks(area_.h)) chart_.tick(v, tick_text(v));
        for (const double v : chart_.across().ticks(area_.w)) {
            pen_.fill({chart_.x(v), area_.y, 1, area_.h}, {Role::kLine});
            pen_.line({chart_.x(v), area_.bottom() + 16}, tick_text(v), kAxisText, 60, Align::kCentre);
        }
        front();
        for (const TradeOff& point : points_) dot(point);
        for (const bool first : {true, false})
            for (std::size_t i = 0; i < points_.size(); ++i)
                if ((is_own(points_[i]) || unbeaten(i)) == first) name(points_[i]);
    }

private:
    Scale up() const {
        Scale scale{1e300, 0, true};
        for (const TradeOff& point : points_)
            if (point.error->worst > 0) scale.take(point.error->worst);
        if (scale.high == 0) scale.low = scale.high = 1;
        return {scale.low * 0.6, scale.high * 1.6, true};
    }
    bool is_own(const TradeOff& point) const { return point.error->kernel == shown_.kernel(); }
    /// Whether no kernel is faster and no farther off, or as fast and nearer.
    bool unbeaten(std::size_t i) const {
        const TradeOff& point = points_[i];
        return std::ranges::none_of(points_, [&](const TradeOff& other) {
            const double gb = other.time->gb_per_s - point.time->gb_per_s,
                         off = other.error->worst - point.error->worst;
            return gb >= 0 && off <= 0 && (gb > 0 || off < 0);
        });
    }
    /// What is exact stands on the axis.
    Vec at(const TradeOff& point) const {
        return chart_.at(point.time->gb_per_s, std::max(point.error->worst, chart_.up().low));
    }

    void front() {
        std::vector<Vec> points;
        for (std::size_t i = 0; i < points_.size(); ++i)
            if (unbeaten(i)) points.push_back(at(points_[i]));
        chart_.line(points, {Role::kBook}, 1.6f, true);
        constexpr int kParts = 16;  // of a line, each kept free of names
        for (std::size_t i = 1; i < points.size(); ++i)
            for (int part = 0; part < kParts; ++part) {
                const Vec a = points[i - 1], b = points[i];
                const float t = (static_cast<float>(part) + 0.5f) / kParts;
                taken_.push_back({a.x + t * (b.x - a.x) - 1, a.y + t * (b.y - a.y) - 1, 2, 2});
            }
    }
    void dot(const TradeOff& point) {
        const bool own = is_own(point);
        const float radius = own ? kDot + 2 : kDot;
        pen_.disc(at(point), radius, {own ? Role::kActive : Role::kText, own ? 1.0f : 0.8f},
                  pack({Target::Kind::kTiming, 0, 0, static_cast<std::uint32_t>(&point - points_.data())}));
        taken_.push_back({at(point).x - radius, at(point).y - radius, 2 * radius, 2 * radius});
    }
    /// Beside its point, where there is room; else the pointer tells it.
    void name(const TradeOff& point) {
        const bool own = is_own(point);
        const Face face = own ? Face::kSansBold : Face::kSans;
        const float w = pen_.width(point.error->kernel, face, kLeast) + 2, gap = kDot + 5;
        const Vec p = at(point);
        const Vec corners[] = {{p.x + gap, p.y - kHigh / 2},     {p.x - gap - w, p.y - kHigh / 2},
                               {p.x - w / 2, p.y - gap - kHigh}, {p.x - w / 2, p.y + gap},
                               {p.x + gap, p.y - gap - kHigh},   {p.x + gap, p.y + gap},
                               {p.x - gap - w, p.y + gap},       {p.x - gap - w, p.y - gap - kHigh}};
        for (const Vec corner : corners) {
            const Box box{corner.x, corner.y, w, kHigh};
            if (box.x < area_.x || box.right() > box_.right() || box.y < area_.y || box.bottom() > area_.bottom())
                continue;
            if (std::ranges::any_of(taken_, [&](Box other) { return overlap(box, other); })) continue;
            if (std::ranges::any_of(points_, [&](const TradeOff& other) {
                    return &other != &point && distance(at(other), box) < distance(p, box) + 3;
                }))
                continue;  // it would seem to be the other's
            pen_.line({box.x, box.centre().y}, point.error->kernel,
                      {face, kLeast, {own ? Role::kText : Role::kTextDim}}, w);
            taken_.push_back(box);
            return;
        }
    }

    Pen& pen_;
    const AccuracyShown& shown_;
    const std::vector<TradeOff>& points_;
    Box box_;
    bool brief_;  // no room for a second line of the title
    Chart chart_;
    Box area_;
    std::vector<Box> taken_;
};

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
    if (box.h >= kLeastPicture && box.w >= 320 && !shown.table().rows.empty()) AccuracyChart(pen, shown, box).draw();
}

void draw_trade_offs(Pen& pen, const AccuracyShown& shown, Box box) {
    if (shown.recorded.points.size() < 2)
        return say(
            pen, box,
            "No results have both: `warptree bench KERNELS --out FILE` measures times, `warptree accuracy KERNELS "
            "--n N --out FILE` errors at the same N; open both here.",
            kDim, 4);
    if (box.h >= kLeastPicture && box.w >= 320) TradeOffChart(pen, shown, box).draw();
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
