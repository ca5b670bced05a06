// Scales, ticks, and names that are pushed apart.
#include "app/kit/chart.hpp"

namespace warptree::scene {

constexpr float kValues = 62, kLeader = 30;  // left of the area: the values; right of it: the way to the lines' names

float Scale::share(double value) const {
    if (high <= low) return 0;
    return log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

std::vector<double> Scale::ticks(float length) const {
    constexpr float kApart = 18;
    std::vector<double> all;
    if (log) {
        double factor = 10;
        while (factor < high / low && length * share(low * factor) < kApart) factor *= 10;
        for (double v = std::pow(10, std::ceil(std::log10(low))); v <= high; v *= factor) all.push_back(v);
        return all;
    }
    double step = std::pow(10, std::floor(std::log10((high - low) / 2)));
    if ((high - low) / step > 12) step *= 2.5;
    for (double v = low; v <= high; v += step) all.push_back(v);
    return all;
}

std::string tick_text(double value) {
    return value < 1000 ? fmt::format("{:g}", value) : grouped(value + 0.5);
}

Chart::Chart(Pen& pen, Box box, float heading, const std::vector<ChartLine>& lines, Scale across, Scale up)
    : pen_(pen), area_(box), across_(across), up_(up) {
    float names = 0;
    for (const ChartLine& line : lines) names = std::max(names, pen.width(line.name, kSansBold, kLeast));
    cut_top(area_, heading), cut_bottom(area_, 30), cut_left(area_, kValues);
    cut_right(area_, std::min(0.3f * box.w, names), kLeader + 8);
}

void Chart::ticks() const {
    for (const double value : up_.ticks(area_.h)) {
        pen_.fill({area_.x, y(value), area_.w, 1}, {kLine});
        pen_.line({area_.x - 10, y(value)}, tick_text(value), kAxisText, 54, kRight);
    }
}

void Chart::line(const std::vector<Vec>& points, Ink ink, float width, bool dashed) const {
    for (std::size_t i = 1; i < points.size(); ++i) draw_segment(pen_, points[i - 1], points[i], ink, width, dashed);
}

void Chart::draw(const ChartLine& line) const {
    const auto place = [&](const ChartLine::Point& point) { return at(point.x, point.y); };
    for (std::size_t i = 1; i < line.points.size(); ++i)
        if (!line.points[i].apart)
            draw_segment(pen_, place(line.points[i - 1]), place(line.points[i]), line.ink, line.width, line.dashed);
    if (line.dot == 0) return;
    for (const ChartLine::Point& point : line.points) {
        pen_.ring(place(point), line.dot, point.open ? Ink{kPanel} : line.ink, line.ink, point.open ? 1.5f : 0.0f);
        if (point.id == 0) continue;
        const Vec at = place(point);
        pen_.add(Disc{.centre = at, .radius = 9, .fill = kNone, .id = point.id});
        pen_.button({at.x - 9, at.y - 9, 18, 18}, line.command, "", 9, Reach::kPointer);  // none: of what lies below
    }
}

void Chart::draw_names(const std::vector<ChartLine>& lines, float right) const {
    constexpr float kPitch = 17, kOver = 12;  // of names; how far they may stand above the area: below it are the ticks
    std::vector<std::pair<Vec, const ChartLine*>> names;
    for (const ChartLine& line : lines) names.push_back({at(line.points.back().x, line.points.back().y), &line});
    std::ranges::stable_sort(names, {}, [](const auto& name) { return name.first.y; });
    const std::size_t room = std::max(1.0f, (area_.h + kOver) / kPitch);
    while (names.size() > room) {
        std::size_t least = 0;
        float closest = 1e9f;
        for (std::size_t i = 1; i < names.size(); ++i)
            for (const std::size_t one : {i, i - 1})
                if (const float apart = names[i].first.y - names[i - 1].first.y;
                    apart < closest && !names[one].second->kept)
                    closest = apart, least = one;
        names.erase(names.begin() + least);
    }
    std::vector<float> y;
    for (const auto& [end, line] : names) y.push_back(std::max(end.y, y.empty() ? area_.y - kOver : y.back() + kPitch));
    float most = area_.bottom();
    for (std::size_t i = y.size(); i-- > 0; most = y[i] - kPitch) y[i] = std::min(y[i], most);
    const float left = area_.right() + kLeader;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto& [end, line] = names[i];
        draw_segment(pen_, {end.x + 8, end.y}, {left - 5, y[i]}, {line->leader}, 1);
        const float w = pen_.line({left, y[i]}, line->name, line->style, right - left, kLeft, line->id);
        if (line->command.action != Action::kNone)
            pen_.button({left, y[i] - kPitch / 2, w, kPitch}, line->command, "", 3, Reach::kPointer);
    }
}

bool Labels::is_free(Box box) const {
    constexpr float kRadius = 9;
    return std::ranges::none_of(taken, [&](Box other) { return overlap(other, box); }) &&
           std::ranges::none_of(points, [&](Vec point) { return distance(point, box) < kRadius; });
}

std::optional<Box> Labels::place(std::size_t point, Vec middle, Vec size) {
    static const std::vector<Vec> kAround = [] {
        std::vector<Vec> all;
        for (float y = -60; y <= 60; y += 4)
            for (float x = -160; x <= 160; x += 4) all.push_back({x, y});
        std::ranges::stable_sort(all, {}, [](Vec v) { return std::abs(v.x) + std::abs(v.y); });
        return all;
    }();
    // Of what is taken, of other points, and of the line, which leads to the right.
    const auto is_clear = [&](Box box) {
        constexpr float kFarthest = 26;
        const float own = distance(points[point], box), others = std::max(1.4f * own, own + 3);
        if (own > kFarthest || box.y < room.y || box.bottom() > room.bottom() || !is_free(box)) return false;
        for (std::size_t i = 0; i < points.size(); ++i)
            if (i != point && distance(points[i], box) < others) return false;
        for (std::size_t i = 1; i < line.size(); ++i) {
            const Vec from = line[i - 1], to = line[i];
            const auto y = [&](float x) { return from.y + (to.y - from.y) * (x - from.x) / (to.x - from.x); };
            const float left = std::max(from.x, box.x), right = std::min(to.x, box.right());
            const auto [top, bottom] = std::minmax({y(left), y(right)});
            if (left <= right && top <= box.bottom() && bottom >= box.y) return false;
        }
        return true;
    };
    for (const Vec by : kAround) {
        const float x = middle.x + by.x - size.x / 2, right = std::max(room.x, room.right() - size.x);
        const Box box{std::clamp(x, room.x, right), middle.y + by.y - size.y / 2, size.x, size.y};
        if (is_clear(box)) return taken.emplace_back(box);
    }
    return std::nullopt;
}

}  // namespace warptree::scene
