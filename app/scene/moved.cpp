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
    bool exact = false;  // else shapes on their way somewhere: no ids, no lines that grow, letters of few sizes

    Vec operator()(Vec v) const { return {to.x + (v.x - from.x) * across, to.y + (v.y - from.y) * down}; }
    Box operator()(Box b) const {
        const Vec at = (*this)(Vec{b.x, b.y});
        return {at.x, at.y, b.w * across, b.h * down};
    }
    void fade(Ink& ink) const { ink.opacity *= opacity; }
    void forget(Id& id) const { id = exact ? id : 0; }
    float line(float width) const { return exact ? width * least : std::min(width, width * least); }

    void add(Rect r) const {
        r.box = (*this)(r.box);
        r.radius *= least;
        r.outline_width = line(r.outline_width);
        fade(r.ink), fade(r.outline);
        forget(r.id);
        out.add(r);
    }
    void add(Disc d) const {
        d.centre = (*this)(d.centre);
        d.radius *= least;
        d.outline_width = line(d.outline_width);
        fade(d.ink), fade(d.outline);
        forget(d.id);
        out.add(d);
    }
    void add(Curve c) const {
        for (Vec* point : {&c.from, &c.control_a, &c.control_b, &c.to}) *point = (*this)(*point);
        c.width = line(c.width);
        fade(c.ink);
        forget(c.id);
        out.add(c);
    }
    void add(Triangle t) const {
        for (Vec* point : {&t.a, &t.b, &t.c}) *point = (*this)(*point);
        fade(t.ink);
        forget(t.id);
        out.add(t);
    }
    void add(Text t) const {
        constexpr float kLeastSize = 8, kMostSize = 48;
        t.at = (*this)(t.at);
        constexpr float kLeastLarge = 12.8f;  // numbers of lanes and cells have air enough for it; 32 pixels in a hall
        t.size = least * (exact ? std::max(t.size, kLeastLarge) : t.size);
        if (!exact && least != 1) t.size = std::floor(t.size);  // whole sizes: letters are drawn once for each
        if (!exact && (t.size < kLeastSize || t.size > kMostSize)) return;
        fade(t.ink);
        forget(t.id);
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

void add_magnified(Scene& out, const Scene& scene, float by) {
    out.shapes.reserve(out.shapes.size() + scene.shapes.size());
    const Mover mover{out, {0, 0, 1, 1}, {0, 0, by, by}, 1, by, by, by, true};
    for (const Shape& shape : scene.shapes) std::visit([&](const auto& one) { mover.add(one); }, shape);
}

Box between(Box from, Box to, float share) {
    const auto mix = [share](float a, float b) { return a + (b - a) * share; };
    return {mix(from.x, to.x), mix(from.y, to.y), mix(from.w, to.w), mix(from.h, to.h)};
}

}  // namespace warptree::scene
