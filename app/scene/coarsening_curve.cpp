// The coarsening view's curve: steps over the factor, and where its numbers find room.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "app/scene/chart.hpp"
#include "app/scene/coarsening_view.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kAirAround = 3;

/// How far a point lies from a box.
float distance(Vec p, Box box) {
    return std::hypot(p.x - std::clamp(p.x, box.x, box.right()), p.y - std::clamp(p.y, box.y, box.bottom()));
}

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

}  // namespace

void draw_coarsening_curve(const CoarsenContext& c, Box box) {
    if (c.study.runs.size() < 2) return;  // nothing to show
    std::uint64_t most = 1;
    for (const CoarsenRun& run : c.study.runs) most = std::max(most, run.time(c.resident));
    CoarseningCurve(c, box, static_cast<double>(most)).draw();
}

}  // namespace warptree::scene
