// Outlines, stripes, dashes, curves.
#include "app/paint/geometry.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace warptree::paint {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;

/// Points on a quarter circle so that no chord is more than a tenth of a pixel off.
int quarter_points(float radius) {
    return std::clamp(static_cast<int>(std::ceil(std::sqrt(radius) * 2.0f)), 2, 32);
}

constexpr float kSame = 0.01f;  // pixels

bool same(Vec a, Vec b) {
    return std::abs(a.x - b.x) < kSame && std::abs(a.y - b.y) < kSame;
}

/// Two equal points in a row would give a side without a direction, which shows as a notch where it is stroked.
void add_point(Points& points, Vec point) {
    if (points.empty() || !same(points.back(), point)) points.push_back(point);
}

void close(Points& points) {
    while (points.size() > 1 && same(points.back(), points.front())) points.pop_back();
}

void add_arc(Points& points, Vec centre, float radius, float from, float to, int count) {
    for (int i = 0; i <= count; ++i) {
        const float angle = from + (to - from) * static_cast<float>(i) / static_cast<float>(count);
        add_point(points, {centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)});
    }
}

Vec between(Vec a, Vec b, float t) {
    return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

/// Keeps the side of a convex outline where sign * (distance along normal - limit) >= 0.
void cut_half(std::span<const Vec> outline, Vec normal, float limit, float sign, Points& result) {
    result.clear();
    for (std::size_t i = 0; i < outline.size(); ++i) {
        const Vec here = outline[i], next = outline[(i + 1) % outline.size()];
        const float d = sign * (along(here, normal) - limit), e = sign * (along(next, normal) - limit);
        if (d >= 0) result.push_back(here);
        if ((d > 0 && e < 0) || (d < 0 && e > 0)) result.push_back(between(here, next, d / (d - e)));
    }
}

}  // namespace

Points rounded_outline(const scene::Box& box, float radius) {
    const float r = std::min({radius, box.w / 2, box.h / 2});
    if (r < 0.5f) return {{box.x, box.y}, {box.right(), box.y}, {box.right(), box.bottom()}, {box.x, box.bottom()}};
    Points points;
    const int count = quarter_points(r);
    points.reserve(static_cast<std::size_t>(count + 1) * 4);
    add_arc(points, {box.x + r, box.y + r}, r, kPi, 1.5f * kPi, count);
    add_arc(points, {box.right() - r, box.y + r}, r, 1.5f * kPi, 2 * kPi, count);
    add_arc(points, {box.right() - r, box.bottom() - r}, r, 0, 0.5f * kPi, count);
    add_arc(points, {box.x + r, box.bottom() - r}, r, 0.5f * kPi, kPi, count);
    close(points);
    return points;
}

Points circle_outline(Vec centre, float radius) {
    Points points;
    const int count = quarter_points(radius) * 4;
    add_arc(points, centre, radius, 0, 2 * kPi, count);
    close(points);
    return points;
}

void cut_band(std::span<const Vec> outline, Vec normal, float low, float high, Points& result) {
    thread_local Points half;
    cut_half(outline, normal, low, 1, half);
    cut_half(half, normal, high, -1, result);
}

Dash dash_lengths(std::span<const Vec> outline, float dash, float gap) {
    float length = 0;
    const std::size_t n = outline.size();
    for (std::size_t i = 0; i < n; ++i) {
        const Vec a = outline[i], b = outline[(i + 1) % n];
        length += std::hypot(b.x - a.x, b.y - a.y);
    }
    if (length <= 0 || dash + gap <= 0) return {};
    const float count = std::max(3.0f, std::round(length / (dash + gap)));
    const float period = length / count;
    return {period * dash / (dash + gap), period};
}

std::vector<Points> dashes(std::span<const Vec> outline, Dash dash) {
    const auto [on, period] = dash;
    if (period <= 0) return {};
    const std::size_t n = outline.size();
    std::vector<Points> result;
    Points current{outline[0]};
    float walked = 0;  // within the present period
    bool drawing = true;
    for (std::size_t i = 0; i < n; ++i) {
        const Vec a = outline[i], b = outline[(i + 1) % n];
        const float side = std::hypot(b.x - a.x, b.y - a.y);
        float done = 0;
        while (side - done > 1e-4f) {
            const float until = (drawing ? on : period) - walked;
            const float move = std::min(until, side - done);
            done += move;
            walked += move;
            const Vec at = between(a, b, done / side);
            if (drawing) current.push_back(at);
            if (move < until) continue;
            if (drawing) {
                result.push_back(std::move(current));
            } else {
                walked = 0;
            }
            current = {at};
            drawing = !drawing;
        }
    }
    if (drawing && current.size() > 1) result.push_back(std::move(current));
    return result;
}

Cubic first_part(const Cubic& c, float drawn) {
    const float t = std::clamp(drawn, 0.0f, 1.0f);
    const Vec ab = between(c.from, c.control_a, t), bc = between(c.control_a, c.control_b, t);
    const Vec cd = between(c.control_b, c.to, t);
    const Vec abc = between(ab, bc, t), bcd = between(bc, cd, t);
    return {c.from, ab, abc, between(abc, bcd, t)};
}

float area(std::span<const Vec> outline) {
    float twice = 0;
    for (std::size_t i = 0; i < outline.size(); ++i) {
        const Vec a = outline[i], b = outline[(i + 1) % outline.size()];
        twice += a.x * b.y - b.x * a.y;
    }
    return twice / 2;
}

}  // namespace warptree::paint
