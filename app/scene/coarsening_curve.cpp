// The coarsening view's curve: steps over the factor, and where its numbers find room.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/scene/coarsening_view.hpp"
#include "app/study/words.hpp"

namespace warptree::scene {
namespace {

constexpr float kAirAround = 3;

struct Line {
    Vec from, to;
    Vec at(float share) const { return {from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share}; }
};

/// Which part of a straight line, 0..1 of it, lies in a box (Liang and Barsky); none where it keeps clear.
std::optional<std::pair<float, float>> part_in(const Line& line, Box box) {
    float begin = 0, end = 1;
    const auto cut = [&](float start, float delta, float low, float high) {
        if (delta == 0) return start >= low && start <= high;
        const float a = (low - start) / delta, b = (high - start) / delta;
        begin = std::max(begin, std::min(a, b));
        end = std::min(end, std::max(a, b));
        return begin <= end;
    };
    const auto [from, to] = line;
    if (!cut(from.x, to.x - from.x, box.x, box.right()) || !cut(from.y, to.y - from.y, box.y, box.bottom())) return {};
    return std::pair{begin, end};
}

bool overlap(Box a, Box b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

Box around(Vec middle, float width, float size) {
    return {middle.x - width / 2, middle.y - kAbove * size - 1.5f, width, (kAbove + kBelow) * size + 3};
}

class Chart {
public:
    Chart(const CoarsenContext& c, Box box)
        : c_(c), box_(box), area_{box.x + 58, box.y + 54, box.w - 74, box.h - 54 - 26} {
        for (const CoarsenRun& run : c.study.runs) most_ = std::max(most_, run.time(c.resident));
    }

    void draw() {
        draw_title();
        if (area_.h < 40) return;
        place();
        c_.pen.fill({box_.x, area_.bottom(), box_.w, 1}, {Role::kLine});
        c_.pen.add(ClipBegin{seen()});
        for (const Line& line : others_) draw_other(line);
        for (const Line& line : own_) draw_line(line, {Role::kActive}, 3);
        c_.pen.add(ClipEnd{});
        for (std::size_t i = 0; i < c_.study.runs.size(); ++i) draw_point(i);
        for (const Label& label : labels_) c_.pen.line(label.at, label.text, label.style, label.box.w, Align::kCentre);
        name_factors();
    }

private:
    struct Label {
        Vec at;
        std::string text;
        Style style;
        Box box;  // with air
    };

    Box seen() const { return {box_.x, area_.y - 20, box_.w, area_.h + 24}; }
    bool chosen(std::size_t i) const { return i == c_.factor; }
    bool best(std::size_t i) const { return i == c_.study.best(c_.resident); }

    Vec point(std::size_t i, std::uint32_t resident) const {
        const float x = static_cast<float>(i) / static_cast<float>(c_.study.runs.size() - 1);
        const float y = static_cast<float>(c_.study.runs[i].time(resident)) / static_cast<float>(most_);
        return {area_.x + x * area_.w, area_.bottom() - y * area_.h};
    }

    void draw_title() {
        const float used = c_.pen.line({box_.x, box_.y + 10}, "Steps, by coarsening factor",
                                       {Face::kSansBold, kSmall, {Role::kText}}, box_.w);
        const std::string note = fitting(c_.pen, {"a line for each number of blocks at once", "a line: blocks at once"},
                                         Face::kSans, kLeast, box_.w - used - 16);
        c_.pen.line({box_.right(), box_.y + 10}, note, kFine, box_.w, Align::kRight);
    }

    /// Where all of it stands, before any of it is drawn.
    void place() {
        const std::size_t count = c_.study.runs.size();
        for (const std::uint32_t resident : c_.study.residents)
            for (std::size_t i = 1; i < count; ++i)
                (resident == c_.resident ? own_ : others_).push_back({point(i - 1, resident), point(i, resident)});
        for (std::size_t i = 0; i < count; ++i) {
            const Vec at = point(i, c_.resident);
            points_.push_back({at.x - radius(i), at.y - radius(i), 2 * radius(i), 2 * radius(i)});
        }
        name_line(c_.resident);
        for (const std::uint32_t resident : c_.study.residents)
            if (resident != c_.resident) name_line(resident);
        for (const std::size_t i : by_need()) place_number(i);
    }

    void draw_line(const Line& line, Ink ink, float width) {
        c_.pen.add(Curve{.from = line.from,
                         .control_a = line.at(1 / 3.0f),
                         .control_b = line.at(2 / 3.0f),
                         .to = line.to,
                         .ink = ink,
                         .width = width});
    }

    /// One of the faint lines: it makes way for numbers.
    void draw_other(const Line& line) {
        std::vector<std::pair<float, float>> gaps;
        for (const Label& label : labels_)
            if (const auto gap = part_in(line, label.box)) gaps.push_back(*gap);
        std::ranges::sort(gaps);
        gaps.emplace_back(1.0f, 1.0f);
        float begin = 0;
        for (const auto& [from, to] : gaps) {
            if (from > begin) draw_line({line.at(begin), line.at(from)}, {Role::kTextFaint, 0.6f}, 1.4f);
            begin = std::max(begin, to);
        }
    }

    /// Left of the first points, how many blocks run at once: of the chosen line, and of those that keep clear of it.
    void name_line(std::uint32_t resident) {
        const bool bright = resident == c_.resident;
        const Vec at = point(0, resident);
        if (at.y < area_.y - 4) return;
        const std::string text = fmt::format("{}", resident);
        const Style style{bright ? Face::kMonoBold : Face::kMono, kLeast, {bright ? Role::kText : Role::kTextDim}};
        const float w = c_.pen.width(text, style.face, style.size);
        const Vec middle{at.x - 14 - w / 2, at.y};
        const Box box = around(middle, w + 2, style.size);
        if (is_free(box)) labels_.push_back({middle, text, style, box});
    }

    float radius(std::size_t i) const { return chosen(i) ? 8.0f : 5.0f; }
    void draw_point(std::size_t i) {
        c_.pen.add(Disc{.centre = point(i, c_.resident),
                        .radius = radius(i),
                        .ink = {Role::kActive},
                        .outline = {best(i) ? Role::kText : Role::kPanel},
                        .outline_width = best(i) ? 3.0f : 1.0f});
    }

    /// Below the axis, as far as there is room.
    void name_factors() {
        float free = box_.x;  // where the next may begin
        for (std::size_t i = 0; i < c_.study.runs.size(); ++i) {
            const std::string text = fmt::format("{}", c_.study.runs[i].factor);
            const Style style{
                chosen(i) ? Face::kMonoBold : Face::kMono, kLeast, {chosen(i) ? Role::kText : Role::kTextDim}};
            const float w = c_.pen.width(text, style.face, style.size);
            const float left = std::clamp(point(i, c_.resident).x - w / 2, box_.x, box_.right() - w);
            if (left < free) continue;
            free = left + w + 8;
            c_.pen.line({left + w / 2, area_.bottom() + 14}, text, style, w + 1, Align::kCentre);
        }
    }

    /// The points, those whose numbers are needed most first.
    std::vector<std::size_t> by_need() const {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < c_.study.runs.size(); ++i) order.push_back(i);
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return best(i) ? 0 : chosen(i) ? 1 : 2; });
        return order;
    }

    bool is_free(Box box) const {
        return std::ranges::none_of(points_, [&](Box point) { return overlap(point, box); }) &&
               std::ranges::none_of(labels_, [&](const Label& label) { return overlap(label.box, box); });
    }
    bool crossed(Box box, const std::vector<Line>& lines) const {
        const float top = std::max(box.y - 2, seen().y);
        const Box drawn{box.x, top, box.w, box.bottom() + 2 - top};  // lines are wide, and cut off above
        return drawn.h > 0 &&
               std::ranges::any_of(lines, [&](const Line& line) { return part_in(line, drawn).has_value(); });
    }
    /// Whether a number may stand there: on a faint line if need be, which makes way.
    bool clear(Box box) const {
        return box.x >= box_.x && box.right() <= box_.right() && box.y >= box_.y + 24 &&
               box.bottom() <= area_.bottom() - 2 && is_free(box) && !crossed(box, own_);
    }

    /// Whether a text would be read as that of point i: it lies close to it, and no other lies closer.
    bool belongs(Box box, std::size_t i) const {
        constexpr float kFarthest = 26;
        const auto distance = [&](std::size_t j) {
            const Vec at = point(j, c_.resident);
            return std::hypot(at.x - std::clamp(at.x, box.x, box.right()),
                              at.y - std::clamp(at.y, box.y, box.bottom()));
        };
        const float own = distance(i);
        if (own > kFarthest) return false;
        for (std::size_t j = 0; j < c_.study.runs.size(); ++j)
            if (j != i && distance(j) < 1.4f * own) return false;
        return true;
    }

    /// The middle of a place for a text beside a point: above it where that is free, else the nearest to there, best
    /// where no faint line must make way.
    std::optional<Vec> room(std::size_t i, float width, float size) const {
        constexpr float kAbovePoint = 20, kFar = 44, kPace = 2, kCut = 14;
        const Vec at = point(i, c_.resident);
        std::optional<Vec> found;
        float least = std::numeric_limits<float>::max();
        for (float dy = -kFar; dy <= kFar; dy += kPace) {
            for (float dx = -width; dx <= width; dx += kPace) {
                float cost = std::abs(dx) + std::abs(dy + kAbovePoint);
                if (cost >= least) continue;
                const Vec middle{std::clamp(at.x + dx, box_.x + width / 2, box_.right() - width / 2), at.y + dy};
                const Box box = around(middle, width, size);
                if (!clear(box) || !belongs(box, i)) continue;
                if (crossed(box, others_)) cost += kCut;
                if (cost >= least) continue;
                least = cost;
                found = middle;
            }
        }
        return found;
    }

    void place_number(std::size_t i) {
        const std::string text = grouped(c_.study.runs[i].time(c_.resident));
        const Style style{best(i) ? Face::kMonoBold : Face::kMono, kSmall, {best(i) ? Role::kText : Role::kTextDim}};
        const float w = c_.pen.width(text, style.face, style.size) + 2 * kAirAround;
        const auto middle = room(i, w, style.size);
        if (middle) labels_.push_back({*middle, text, style, around(*middle, w, style.size)});
    }

    const CoarsenContext& c_;
    Box box_, area_;
    std::uint64_t most_ = 1;
    std::vector<Line> own_, others_;
    std::vector<Box> points_;
    std::vector<Label> labels_;
};

}  // namespace

void draw_coarsening_curve(const CoarsenContext& c, Box box) {
    if (box.h < 112 || c.study.runs.size() < 2) return;  // no room for a curve and its title, or nothing to show
    Chart(c, box).draw();
}

}  // namespace warptree::scene
