// Points and boxes, in units of the window.
#pragma once

#include <algorithm>

namespace warptree::scene {

struct Vec {
    float x = 0, y = 0;
    bool operator==(const Vec&) const = default;
};

struct Box {
    float x = 0, y = 0, w = 0, h = 0;
    float right() const { return x + w; }
    float bottom() const { return y + h; }
    Vec centre() const { return {x + w / 2, y + h / 2}; }
    bool contains(Vec p) const { return p.x >= x && p.x < x + w && p.y >= y && p.y < y + h; }
    Box inset(float d) const { return {x + d, y + d, w - 2 * d, h - 2 * d}; }
    bool operator==(const Box&) const = default;
};
/// What lies in both; where nothing does, without width or height.
inline Box overlapping(Box a, Box b) {
    const float x = std::max(a.x, b.x), y = std::max(a.y, b.y);
    return {x, y, std::max(0.0f, std::min(a.right(), b.right()) - x),
            std::max(0.0f, std::min(a.bottom(), b.bottom()) - y)};
}

}  // namespace warptree::scene
