// One function a shape. Edges of resting shapes are set to whole pixels, so that cells and rules are sharp; curves,
// discs and stripes have soft edges wherever they fall.
#include "app/paint/shape_painter.hpp"

#include <algorithm>
#include <cmath>

namespace warptree::paint {

using scene::Align;
using scene::Box;
using scene::Fill;

namespace {

constexpr float kHatchPeriod = 7.5f;  // units, across
constexpr float kHatchWidth = 0.42f;  // of the period
constexpr float kLeastPeriod = 4;     // pixels: finer stripes turn to grey
constexpr float kDash = 5, kDashGap = 4;

}  // namespace

Box rule_box(Vec from, Vec to, float width) {
    const float w = std::max(1.0f, std::round(width));
    const auto [x0, x1] = std::minmax(from.x, to.x);
    const auto [y0, y1] = std::minmax(from.y, to.y);
    if (from.x == to.x) return {std::round(x0 - w / 2), std::round(y0), w, std::round(y1) - std::round(y0)};
    return {std::round(x0), std::round(y0 - w / 2), std::round(x1) - std::round(x0), w};
}

void ShapePainter::paint(const scene::Scene& scene) {
    for (const scene::Shape& shape : scene.shapes) {
        std::visit([this](const auto& one) { add(one); }, shape);
    }
    while (clips_.size() > 1) add(scene::ClipEnd{});
}

float ShapePainter::thickness(float width) const {
    return std::max(1.0f, width * scale_ >= 2 ? std::round(width * scale_) : width * scale_);
}

void ShapePainter::fill_shape(std::span<const Vec> points, Fill fill, const scene::Ink& i, Vec anchor) {
    if (fill == Fill::kNone || i.opacity <= 0) return;
    if (fill == Fill::kSolid) return fill_outline(points, ink(i));
    const Colour c = theme_.fill(i.role);
    fill_outline(points, {c, i.opacity * theme_.hatch_ground});
    const float period = std::max(kHatchPeriod * scale_, kLeastPeriod), width = period * kHatchWidth;
    hatch(points, period, width, along(anchor, kHatchNormal) - width / 2, [&](std::span<const Vec> stripe) {
        fill_outline(stripe, {c, i.opacity * theme_.hatch_stripe});
    });
}

void ShapePainter::dash_shape(std::span<const Vec> points, const scene::Ink& i, float width) {
    const Dash dash = dash_lengths(points, kDash * scale_, kDashGap * scale_);
    if (dash.period > 0) dash_outline(points, dash, width, ink(i));
}

void ShapePainter::add(const scene::Rect& r) {
    const Vec low = at({r.box.x, r.box.y}), high = at({r.box.right(), r.box.bottom()});
    if (!visible(low.x, low.y, high.x, high.y)) return;
    Box box{std::round(low.x), std::round(low.y), 0, 0};
    box.w = std::max(1.0f, std::round(high.x) - box.x);
    box.h = std::max(1.0f, std::round(high.y) - box.y);
    const float radius = r.radius * scale_;
    const bool outlined = r.outline_width > 0 && r.outline.opacity > 0;
    const float t = thickness(r.outline_width);

    if (r.fill == Fill::kSolid) {
        // No rim of the fill outside its outline: it begins half of it further in, on whole pixels.
        const float inset = outlined && !r.dashed ? std::floor(t / 2) : 0;
        if (r.ink.opacity > 0) fill_box(box.inset(inset), radius - inset, ink(r.ink));
    } else if (r.fill != Fill::kNone) {
        const float inset = outlined && !r.dashed ? t / 2 : 0;  // no rim of the fill outside its outline
        const Points points = rounded_outline(box.inset(inset), radius - inset);
        const bool small = box.w <= 80 * scale_ && box.w >= 12 * scale_;
        fill_shape(points, r.fill, r.ink, small ? box.centre() : Vec{});
    }
    if (outlined && !r.dashed) {
        stroke_box(box, radius, t, ink(r.outline));
    } else if (outlined) {
        dash_shape(rounded_outline(box.inset(t / 2), radius - t / 2), r.outline, t);
    }
}

void ShapePainter::add(const scene::Disc& d) {
    const Vec c = at(d.centre);
    const float radius = d.radius * scale_;
    if (!visible(c.x - radius, c.y - radius, c.x + radius, c.y + radius)) return;
    const bool outlined = d.outline_width > 0 && d.outline.opacity > 0;
    const float t = thickness(d.outline_width);
    const float inner = outlined && !d.dashed ? radius - t / 2 : radius;
    if (d.fill != Fill::kSolid) {
        fill_shape(circle_outline(c, inner), d.fill, d.ink, c);
    } else if (d.ink.opacity > 0) {
        draw_disc(c, inner, 0, ink(d.ink));
    }
    if (outlined && !d.dashed) {
        draw_disc(c, radius, t, ink(d.outline));
    } else if (outlined) {
        dash_shape(circle_outline(c, radius - t / 2), d.outline, t);
    }
}

void ShapePainter::add(const scene::Curve& c) {
    if (c.drawn <= 0 || c.ink.opacity <= 0) return;
    const Cubic whole{at(c.from), at(c.control_a), at(c.control_b), at(c.to)};
    const auto [x0, x1] = std::minmax({whole.from.x, whole.control_a.x, whole.control_b.x, whole.to.x});
    const auto [y0, y1] = std::minmax({whole.from.y, whole.control_a.y, whole.control_b.y, whole.to.y});
    if (!visible(x0 - 4, y0 - 4, x1 + 4, y1 + 4)) return;
    const Cubic part = c.drawn < 1 ? first_part(whole, c.drawn) : whole;
    const float width = std::max(1.0f, c.width * scale_);
    if (x0 == x1 || y0 == y1) {
        fill_box(rule_box(part.from, part.to, width), 0, ink(c.ink));
    } else {
        stroke_curve(part, width, ink(c.ink));
    }
}

void ShapePainter::add(const scene::Text& t) {
    if (t.text.empty() || t.ink.opacity <= 0) return;
    const float size = t.size * scale_, width = fonts_.width(t.text, t.face, size);
    const Vec anchor = at(t.at);
    const float pen = anchor.x - (t.align == Align::kLeft ? 0 : t.align == Align::kCentre ? width / 2 : width);
    if (!visible(pen - size, anchor.y - size, pen + width + size, anchor.y + size)) return;
    const float baseline = std::round(anchor.y + fonts_.capital_height(t.face) * size / 2);
    draw_line({t.text, t.face, size, width, {pen, baseline}, t.align}, {theme_.text(t.ink.role), t.ink.opacity});
}

void ShapePainter::add(const scene::Triangle& t) {
    Points corners{at(t.a), at(t.b), at(t.c)};
    if (area(corners) < 0) std::swap(corners[1], corners[2]);  // the soft edge belongs outside
    fill_shape(corners, Fill::kSolid, t.ink, {});
}

void ShapePainter::add(const scene::ClipBegin& clip) {
    const Vec low = at({clip.box.x, clip.box.y}), high = at({clip.box.right(), clip.box.bottom()});
    const Box& around = clips_.back();
    Box box{std::max(std::floor(low.x), around.x), std::max(std::floor(low.y), around.y), 0, 0};
    box.w = std::max(0.0f, std::min(std::ceil(high.x), around.right()) - box.x);
    box.h = std::max(0.0f, std::min(std::ceil(high.y), around.bottom()) - box.y);
    clips_.push_back(box);
    begin_clip(box);
}

void ShapePainter::add(const scene::ClipEnd&) {
    if (clips_.size() == 1) return;
    clips_.pop_back();
    end_clip();
}

}  // namespace warptree::paint
