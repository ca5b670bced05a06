// Points and boxes, in units of the window.
#pragma once

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

}  // namespace warptree::scene
