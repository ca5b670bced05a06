// Moves and scales shapes one by one.
#include "app/scene/moved.hpp"

#include <algorithm>
#include <cmath>

namespace warptree::scene {
namespace {

struct Mover {
    Scene& out;
    Box from, to;
    float opacity, across, down, least;

    Vec operator()(Vec v) const { return {to.x + (v.x - from.x) * across, to.y + (v.y - from.y) * down}; }
    Box operator()(Box b) const {
        const Vec at = (*this)(Vec{b.x, b.y});
        return {at.x, at.y, b.w * across, b.h * down};
    }
    void fade(Ink& ink) const { ink.opacity *= opacity; }

    void add(Rect r) const {
        r.box = (*this)(r.box);
        r.radius *= least;
        r.outline_width = std::min(r.outline_width, r.outline_width * least);
        fade(r.ink), fade(r.outline);
        r.id = 0;
        out.add(r);
    }
    void add(Disc d) const {
        d.centre = (*this)(d.centre);
        d.radius *= least;
        d.outline_width = std::min(d.outline_width, d.outline_width * least);
        fade(d.ink), fade(d.outline);
        d.id = 0;
        out.add(d);
    }
    void add(Curve c) const {
        for (Vec* point : {&c.from, &c.control_a, &c.control_b, &c.to}) *point = (*this)(*point);
        c.width = std::min(c.width, c.width * least);
        fade(c.ink);
        c.id = 0;
        out.add(c);
    }
    void add(Triangle t) const {
        for (Vec* point : {&t.a, &t.b, &t.c}) *point = (*this)(*point);
        fade(t.ink);
        t.id = 0;
        out.add(t);
    }
    void add(Text t) const {
        constexpr float kLeastSize = 8, kMostSize = 48;
        t.at = (*this)(t.at);
        t.size = least == 1 ? t.size : std::floor(t.size * least);  // whole sizes: letters are drawn once for each
        if (t.size < kLeastSize || t.size > kMostSize) return;
        fade(t.ink);
        t.id = 0;
        out.add(std::move(t));
    }
    void add(ClipBegin c) const { out.add(ClipBegin{(*this)(c.box)}); }
    void add(ClipEnd c) const { out.add(c); }
};

}  // namespace

void add_moved(Scene& out, const Scene& scene, Box from, Box to, float opacity) {
    const float across = to.w / std::max(1.0f, from.w), down = to.h / std::max(1.0f, from.h);
    const Mover mover{out, from, to, opacity, across, down, std::min(across, down)};
    for (const Shape& shape : scene.shapes) std::visit([&](const auto& one) { mover.add(one); }, shape);
}

Box between(Box from, Box to, float share) {
    const auto mix = [share](float a, float b) { return a + (b - a) * share; };
    return {mix(from.x, to.x), mix(from.y, to.y), mix(from.w, to.w), mix(from.h, to.h)};
}

}  // namespace warptree::scene
