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
    float line(float width) const { return exact ? width * least : std::min(width, width * least); }

    template <class Any>
    void add(Any s) const {
        if constexpr (requires { s.at; }) {
            constexpr float kLeastSize = 8, kMostSize = 48;
            constexpr float kLeastLarge =
                12.8f;  // numbers of lanes and cells have air enough for it; 32 pixels in a hall
            s.size = least * (exact ? std::max(s.size, kLeastLarge) : s.size);
            if (!exact && least != 1) s.size = std::floor(s.size);  // whole sizes: letters are drawn once for each
            if (!exact && (s.size < kLeastSize || s.size > kMostSize)) return;
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
