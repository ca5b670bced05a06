// Scenes as data: picking, packing of targets, and shapes moved and scaled.
#include <cmath>

#include "app/kit/target.hpp"

namespace warptree::scene {
namespace {

/// Whether a shape covers a point. Curves count within 5 units of any of 16 chords.
bool covers(const Rect& r, Vec p) {
    return r.box.contains(p);
}
bool covers(const Disc& d, Vec p) {
    return std::hypot(p.x - d.centre.x, p.y - d.centre.y) <= d.radius;
}
bool covers(const Triangle& t, Vec p) {
    const auto cross = [p](Vec a, Vec b) { return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x); };
    const float u = cross(t.a, t.b), v = cross(t.b, t.c), w = cross(t.c, t.a);
    return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}
bool covers(const Curve& c, Vec p) {
    constexpr int kChords = 16;
    Vec a = c.from;
    for (int i = 1; i <= kChords; ++i) {
        const float t = i * c.drawn / kChords, s = 1 - t, w0 = s * s * s, w1 = 3 * s * s * t, w2 = 3 * s * t * t;
        const auto mix = [&](float Vec::*v) {
            return w0 * c.from.*v + w1 * c.control_a.*v + w2 * c.control_b.*v + t * t * t * c.to.*v;
        };
        const Vec b{mix(&Vec::x), mix(&Vec::y)};
        const float dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
        const float along = length > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length : 0;
        const float on = std::fmin(1.0f, std::fmax(0.0f, along));
        if (std::hypot(p.x - a.x - on * dx, p.y - a.y - on * dy) <= std::max(5.0f, c.width)) return true;
        a = b;
    }
    return false;
}
bool covers(const Text& t, Vec p) {  // its line, about 0.55 em a byte
    const float w = 0.55f * t.size * t.text.size();
    const float left = t.align == kLeft ? 0 : t.align == kCentre ? w / 2 : w;
    return Box{t.at.x - left, t.at.y - t.size / 2, w, t.size}.contains(p);
}

struct Mover {
    Scene& out;
    Box from, to;
    float opacity, across, down, least;
    bool exact = false;  // else shapes on their way somewhere: no ids, no lines that grow, letters of few sizes

    Vec operator()(Vec v) const { return {to.x + (v.x - from.x) * across, to.y + (v.y - from.y) * down}; }
    Box operator()(Box b) const {
        const Vec at = (*this)(Vec{b.x, b.y});
        return {at.x, at.y, b.w * across, b.h * down};
    }
    float line(float width) const { return exact ? width * least : std::min(width, width * least); }

    template <class Any>
    void add(Any s) const {
        if constexpr (requires { s.at; }) {
            constexpr float kLeastSize = 8, kMostSize = 48;
            constexpr float kLeastLarge = 12.8f;  // there is air enough for numbers of cells; 32 pixels in a hall
            s.size = least * (exact ? std::max(s.size, kLeastLarge) : s.size);
            if (!exact && least != 1) {
                s.size = std::floor(s.size);  // whole sizes: letters are drawn once for each
                if (s.size < kLeastSize || s.size > kMostSize) return;
            }
            s.at = (*this)(s.at);
        }
        if constexpr (requires { s.box; }) s.box = (*this)(s.box);
        if constexpr (requires { s.centre; }) s.centre = (*this)(s.centre);
        if constexpr (requires { s.radius; }) s.radius *= least;
        if constexpr (requires { s.outline; }) s.outline_width = line(s.outline_width), s.outline.opacity *= opacity;
        if constexpr (requires { s.width; }) s.width = line(s.width);
        if constexpr (requires { s.control_a; })
            for (Vec* point : {&s.from, &s.control_a, &s.control_b, &s.to}) *point = (*this)(*point);
        if constexpr (requires { s.c; })
            for (Vec* point : {&s.a, &s.b, &s.c}) *point = (*this)(*point);
        if constexpr (requires { s.ink; }) s.ink.opacity *= opacity;
        if constexpr (requires { s.id; }) s.id = exact ? s.id : 0;
        out.add(std::move(s));
    }
};

}  // namespace

Id Scene::pick(Vec point) const {
    Id found = 0;
    each_at(point, [&](const Shape& shape) {
        std::visit(
            [&](const auto& one) {
                if constexpr (requires { one.id; })
                    if (one.id != 0 && covers(one, point)) found = one.id;
            },
            shape);
    });
    return found;
}

const Spot* Scene::spot(Vec point) const {
    const auto found = std::find_if(spots.rbegin(), spots.rend(), [&](const Spot& s) { return s.box.contains(point); });
    return found == spots.rend() ? nullptr : &*found;
}

Command Track::nearest(float x) const {
    const auto far = [x](const auto& stop) { return std::abs(stop.first - x); };
    Command chosen = command;
    chosen.value = std::ranges::min_element(stops, {}, far)->second;
    return chosen;
}

double Track::between(float x) const {
    const auto next = std::ranges::upper_bound(stops, x, {}, &std::pair<float, double>::first);
    if (next == stops.begin() || next == stops.end()) return next == stops.end() ? stops.back().second : next->second;
    const auto& [from, before] = next[-1];
    return before + (next->second - before) * (x - from) / (next->first - from);
}

// An Id, from the high bits down: kind (8), array (8), state (16), index (32).
Id pack(const Target& t) {
    if (t.kind == Target::Kind::kNone) return 0;
    return Id(t.kind) << 56 | Id{t.array} << 48 | Id{t.state} << 32 | Id{t.index};
}

Target unpack(Id id) {
    const Target t{Target::Kind(id >> 56), std::uint16_t(id >> 32), std::uint8_t(id >> 48), std::uint32_t(id)};
    return t.kind < Target::Kind::kCount && t.kind != Target::Kind::kNone ? t : Target{};
}

void add_moved(Scene& out, const Scene& scene, Box from, Box to, float opacity) {
    const float across = to.w / std::max(1.0f, from.w), down = to.h / std::max(1.0f, from.h);
    const Mover mover{out, from, to, opacity, across, down, std::min(across, down)};
    for (const Shape& shape : scene.shapes) std::visit([&](const auto& one) { mover.add(one); }, shape);
}

void add_magnified(Scene& out, const Scene& scene, float by) {
    out.shapes.reserve(out.shapes.size() + scene.shapes.size());
    const Mover mover{out, {0, 0, 1, 1}, {0, 0, by, by}, 1, by, by, by, true};
    for (const Shape& shape : scene.shapes) std::visit([&](const auto& one) { mover.add(one); }, shape);
    for (Spot spot : scene.spots) {
        spot.box = mover(spot.box), spot.radius *= by;
        out.spots.push_back(std::move(spot));
    }
}

Box between(Box from, Box to, float share) {
    const auto mix = [share](float a, float b) { return a + (b - a) * share; };
    return {mix(from.x, to.x), mix(from.y, to.y), mix(from.w, to.w), mix(from.h, to.h)};
}

}  // namespace warptree::scene
