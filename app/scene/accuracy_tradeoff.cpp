// Error beside bandwidth, as a device's results have them: a point a kernel, and a line through those that none beats
// in both.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "app/scene/accuracy_view.hpp"
#include "app/scene/ladder_view.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kTick = 16, kDot = 5;

bool overlap(Box a, Box b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

/// A log axis from one number to another.
struct LogAxis {
    double least, most;
    float from, to;
    float at(double v) const {
        return from + (to - from) * static_cast<float>(std::log(std::max(v, least) / least) / std::log(most / least));
    }
};

class TradeOffChart {
public:
    TradeOffChart(Pen& pen, const AccuracyShown& shown, std::vector<TradeOff> points, Box box)
        : pen_(pen),
          shown_(shown),
          points_(std::move(points)),
          box_(box),
          brief_(box.h < 260),
          area_{box.x + 62, box.y + (brief_ ? 40 : 72), box.w - 72, box.h - (brief_ ? 40 : 72) - 30} {
        double low = 1e300, high = 0;
        for (const TradeOff& point : points_)
            if (point.error->worst > 0)
                low = std::min(low, point.error->worst), high = std::max(high, point.error->worst);
        if (high == 0) low = high = 1;
        x_ = {points_.front().time->gb_per_s * 0.6, points_.back().time->gb_per_s * 1.6, area_.x, area_.right()};
        y_ = {low * 0.6, high * 1.6, area_.bottom(), area_.y};
    }

    void draw() {
        const AccuracyRow& error = *points_.front().error;
        pen_.line({box_.x, box_.y + 10}, "Worst error beside bandwidth in GB/s: down and to the right is better",
                  kHeading, box_.w);
        if (!brief_)
            pen_.line(
                {box_.x, box_.y + 38},
                fmt::format("{}, N = {}, {}, input {}, {}; warm cache", study::with_accuracy(shown_.results)->device,
                            size_name(error.n), value::name(error.type), error.input, counted(error.seeds, "seed")),
                kDim, box_.w);
        axis(x_, [&](double v, const std::string& text, const Style& style) {
            pen_.fill({x_.at(v), area_.y, 1, area_.h}, {Role::kLine});
            pen_.line({x_.at(v), area_.bottom() + 16}, text, style, 60, Align::kCentre);
        });
        axis(y_, [&](double v, const std::string& text, const Style& style) {
            pen_.fill({area_.x, y_.at(v), area_.w, 1}, {Role::kLine});
            pen_.line({area_.x - 10, y_.at(v)}, text, style, 54, Align::kRight);
        });
        front();
        for (const TradeOff& point : points_) dot(point);
        for (const bool first : {true, false})
            for (std::size_t i = 0; i < points_.size(); ++i)
                if ((is_own(points_[i]) || unbeaten(i)) == first) name(points_[i]);
    }

private:
    template <class Draw>
    void axis(const LogAxis& axis, Draw draw) {
        constexpr float kApart = 18;
        double factor = 10;
        while (std::abs(axis.at(axis.least * factor) - axis.at(axis.least)) < kApart) factor *= 10;
        for (double v = std::pow(10, std::ceil(std::log10(axis.least))); v <= axis.most; v *= factor)
            draw(v, v < 1000 ? fmt::format("{:g}", v) : grouped(static_cast<std::uint64_t>(v)),
                 {Face::kMono, kLeast, {Role::kTextDim}});
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
    Vec at(const TradeOff& point) const { return {x_.at(point.time->gb_per_s), y_.at(point.error->worst)}; }

    void front() {
        const TradeOff* before = nullptr;
        for (std::size_t i = 0; i < points_.size(); ++i) {
            if (!unbeaten(i)) continue;
            if (before != nullptr) draw_segment(pen_, at(*before), at(points_[i]), {Role::kBook}, 1.6f, true);
            before = &points_[i];
        }
    }
    void dot(const TradeOff& point) {
        const bool own = is_own(point);
        const float radius = own ? kDot + 2 : kDot;
        pen_.add(Disc{.centre = at(point),
                      .radius = radius,
                      .ink = {own ? Role::kActive : Role::kText, own ? 1.0f : 0.8f},
                      .id = pack({Target::Kind::kTiming, 0, 0, static_cast<std::uint32_t>(&point - points_.data())})});
        taken_.push_back({at(point).x - radius, at(point).y - radius, 2 * radius, 2 * radius});
    }
    /// Beside its point, where there is room; else the pointer tells it.
    void name(const TradeOff& point) {
        const bool own = is_own(point);
        const Face face = own ? Face::kSansBold : Face::kSans;
        const float w = pen_.width(point.error->kernel, face, kLeast) + 2, gap = kDot + 5;
        const Vec p = at(point);
        const Vec corners[] = {{p.x + gap, p.y - kTick / 2},     {p.x - gap - w, p.y - kTick / 2},
                               {p.x - w / 2, p.y - gap - kTick}, {p.x - w / 2, p.y + gap},
                               {p.x + gap, p.y - gap - kTick},   {p.x + gap, p.y + gap},
                               {p.x - gap - w, p.y + gap},       {p.x - gap - w, p.y - gap - kTick}};
        for (const Vec corner : corners) {
            const Box box{corner.x, corner.y, w, kTick};
            if (box.x < area_.x || box.right() > box_.right() || box.y < area_.y || box.bottom() > area_.bottom())
                continue;
            if (std::ranges::any_of(taken_, [&](Box other) { return overlap(box, other); })) continue;
            pen_.line({box.x, box.centre().y}, point.error->kernel,
                      {face, kLeast, {own ? Role::kText : Role::kTextDim}}, w);
            taken_.push_back(box);
            return;
        }
    }

    Pen& pen_;
    const AccuracyShown& shown_;
    std::vector<TradeOff> points_;
    Box box_;
    bool brief_;  // no room for what was measured
    Box area_;
    LogAxis x_{}, y_{};
    std::vector<Box> taken_;
};

/// The point of a target; nothing: it has none.
std::optional<TradeOff> point_at(const AccuracyShown& shown, const Target& target) {
    const auto points = trade_offs(shown.results, shown.table().wanted.type);
    if (target.kind != Target::Kind::kTiming || target.index >= points.size()) return std::nullopt;
    return points[target.index];
}

}  // namespace

void draw_trade_offs(Pen& pen, const AccuracyShown& shown, Box box) {
    auto points = trade_offs(shown.results, shown.table().wanted.type);
    if (points.size() < 2) {
        pen.paragraph({box.x, box.y + 12},
                      "No results have both: `warptree bench KERNELS --out FILE` measures times, `warptree accuracy "
                      "KERNELS --n N --out FILE` errors at the same N; open both here.",
                      kDim, box.w, 4);
        return;
    }
    if (box.h >= 110 && box.w >= 320) TradeOffChart(pen, shown, std::move(points), box).draw();
}

std::vector<std::string> accuracy_story(const AccuracyShown& shown, const Target& target) {
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
