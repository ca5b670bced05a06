// One function a shape; Brush holds what they share. Edges of resting shapes are set to whole pixels, so that cells
// and rules are sharp; curves, discs and stripes have soft edges wherever they fall.
#include "app/paint/imgui_painter.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "app/paint/geometry.hpp"
#include "app/paint/utf8.hpp"

namespace warptree::paint {

using scene::Align;
using scene::Box;
using scene::Fill;
using scene::Ink;

namespace {

constexpr float kHatchPeriod = 7.5f;  // units, across
constexpr float kHatchWidth = 0.42f;  // of the period
constexpr float kLeastPeriod = 4;     // pixels: finer stripes turn to grey
constexpr float kDash = 5, kDashGap = 4;

template <class List>
concept FlagsBeforeThickness = requires(void (List::*add)(const ImVec2*, int, ImU32, ImDrawFlags, float)) {
    add = &List::AddPolyline;
};

/// A line through points. Dear ImGui 1.92 swapped the last two parameters in one of its releases, and either order
/// converts silently, so the order is taken from the declaration.
template <class List>
void stroke(List& list, std::span<const Vec> points, ImU32 colour, bool closed, float thickness) {
    const auto* data = reinterpret_cast<const ImVec2*>(points.data());
    const int count = static_cast<int>(points.size());
    const ImDrawFlags flags = closed ? ImDrawFlags_Closed : ImDrawFlags_None;
    if constexpr (FlagsBeforeThickness<List>) {
        list.AddPolyline(data, count, colour, flags, thickness);
    } else {
        list.AddPolyline(data, count, colour, thickness, flags);
    }
}

ImVec2 im(Vec v) {
    return {v.x, v.y};
}

}  // namespace

struct ImguiPainter::Brush {
    const Fonts& fonts;
    GlyphAtlas& atlas;
    const Theme& theme;
    ImDrawList& list;
    ImVec2 origin;
    float scale;

    Vec at(Vec v) const { return {origin.x + v.x * scale, origin.y + v.y * scale}; }

    ImU32 colour(Colour c, float opacity) const {
        const float alpha = std::clamp(opacity, 0.0f, 1.0f);
        return IM_COL32(c.r, c.g, c.b, static_cast<int>(std::lround(alpha * 255)));
    }
    ImU32 ink(const Ink& i) const { return colour(theme.fill(i.role), i.opacity); }

    /// Whether pixels from (x0, y0) to (x1, y1) can be seen.
    bool visible(float x0, float y0, float x1, float y1) const {
        const ImVec2 low = list.GetClipRectMin(), high = list.GetClipRectMax();
        return x1 >= low.x && y1 >= low.y && x0 <= high.x && y0 <= high.y;
    }

    void fill_shape(std::span<const Vec> points, Fill fill, const Ink& i, Vec anchor) const {
        if (fill == Fill::kNone || i.opacity <= 0) return;
        if (fill == Fill::kSolid) {
            list.AddConvexPolyFilled(reinterpret_cast<const ImVec2*>(points.data()), static_cast<int>(points.size()),
                                     ink(i));
            return;
        }
        const Colour c = theme.fill(i.role);
        list.AddConvexPolyFilled(reinterpret_cast<const ImVec2*>(points.data()), static_cast<int>(points.size()),
                                 colour(c, i.opacity * theme.hatch_ground));
        const float period = std::max(kHatchPeriod * scale, kLeastPeriod), width = period * kHatchWidth;
        const ImU32 stripe_colour = colour(c, i.opacity * theme.hatch_stripe);
        hatch(points, period, width, along(anchor, kHatchNormal) - width / 2, [&](std::span<const Vec> stripe) {
            list.AddConvexPolyFilled(reinterpret_cast<const ImVec2*>(stripe.data()), static_cast<int>(stripe.size()),
                                     stripe_colour);
        });
    }

    void stroke_shape(std::span<const Vec> points, const Ink& i, float thickness, bool dashed) const {
        if (i.opacity <= 0) return;
        if (!dashed) {
            stroke(list, points, ink(i), true, thickness);
            return;
        }
        for (const Points& dash : dashes(points, kDash * scale, kDashGap * scale)) {
            const Vec from = dash.front(), to = dash.back();
            const bool upright = from.x == to.x, level = from.y == to.y;
            if (dash.size() == 2 && (upright || level))
                paint_rule(from, to, thickness, upright, ink(i));
            else
                stroke(list, dash, ink(i), false, thickness);
        }
    }

    void fill(float x0, float y0, float x1, float y1, ImU32 c) const {
        if (x1 > x0 && y1 > y0) list.AddRectFilled({x0, y0}, {x1, y1}, c);
    }
    /// The four corners of a box on whole pixels, from one picture of the upper left one.
    void paint_corners(const Box& box, float radius, float line, ImU32 c) const {
        const auto entry = atlas.corner(radius, line);
        if (!entry || entry->width == 0) return;
        const float texel = 1.0f / static_cast<float>(atlas.size());
        const auto side = static_cast<float>(entry->width);
        const ImVec2 outer{static_cast<float>(entry->x) * texel, static_cast<float>(entry->y) * texel};
        const ImVec2 inner{outer.x + side * texel, outer.y + side * texel};
        list.PrimReserve(24, 16);
        for (const bool right : {false, true}) {
            for (const bool low : {false, true}) {
                const float x = right ? box.right() - side : box.x, y = low ? box.bottom() - side : box.y;
                list.PrimRectUV({x, y}, {x + side, y + side}, {right ? inner.x : outer.x, low ? inner.y : outer.y},
                                {right ? outer.x : inner.x, low ? outer.y : inner.y}, c);
            }
        }
    }
    static float fitting(const Box& box, float radius) {
        return std::clamp(std::min({radius, box.w / 2, box.h / 2}), 0.0f, GlyphAtlas::kMostRadius);
    }

    /// A box on whole pixels: straight parts as rectangles, corners as pictures; few triangles, and none of them long.
    void fill_rounded(const Box& box, float radius, ImU32 c) const {
        const float r = fitting(box, radius), side = static_cast<float>(GlyphAtlas::corner_side(r));
        fill(box.x, box.y + side, box.right(), box.bottom() - side, c);
        fill(box.x + side, box.y, box.right() - side, box.y + side, c);
        fill(box.x + side, box.bottom() - side, box.right() - side, box.bottom(), c);
        paint_corners(box, r, 0, c);
    }

    /// A line of `t` pixels along the inside of a box; the part of a pixel that is left over is drawn fainter.
    void stroke_rounded(const Box& box, float radius, float t, ImU32 c) const {
        const float r = fitting(box, radius), side = std::max(static_cast<float>(GlyphAtlas::corner_side(r)), 0.0f);
        const auto ring = [&](float at, float w, ImU32 colour_of_line) {
            const float sharp = side > 0 ? side : at;  // without round corners the sides meet
            fill(box.x + sharp, box.y + at, box.right() - sharp, box.y + at + w, colour_of_line);
            fill(box.x + sharp, box.bottom() - at - w, box.right() - sharp, box.bottom() - at, colour_of_line);
            const float from = side > 0 ? side : at + w;
            fill(box.x + at, box.y + from, box.x + at + w, box.bottom() - from, colour_of_line);
            fill(box.right() - at - w, box.y + from, box.right() - at, box.bottom() - from, colour_of_line);
        };
        const float whole = std::floor(t), rest = t - whole;
        if (whole > 0) ring(0, whole, c);
        if (rest > 0.05f) {
            const auto alpha = static_cast<ImU32>(std::lround(rest * static_cast<float>(c >> IM_COL32_A_SHIFT & 255u)));
            ring(whole, 1, (c & ~IM_COL32_A_MASK) | alpha << IM_COL32_A_SHIFT);
        }
        paint_corners(box, r, t, c);
    }

    float thickness(float width) const {
        return std::max(1.0f, width * scale >= 2 ? std::round(width * scale) : width * scale);
    }

    void paint(const scene::Rect& r) const {
        const Vec low = at({r.box.x, r.box.y}), high = at({r.box.right(), r.box.bottom()});
        if (!visible(low.x, low.y, high.x, high.y)) return;
        Box box{std::round(low.x), std::round(low.y), 0, 0};
        box.w = std::max(1.0f, std::round(high.x) - box.x);
        box.h = std::max(1.0f, std::round(high.y) - box.y);
        const float radius = r.radius * scale;
        const bool outlined = r.outline_width > 0 && r.outline.opacity > 0;
        const float t = thickness(r.outline_width);

        if (r.fill == Fill::kSolid) {
            // No rim of the fill outside its outline: it begins half of it further in, on whole pixels.
            const float inset = outlined && !r.dashed ? std::floor(t / 2) : 0;
            if (r.ink.opacity > 0) fill_rounded(box.inset(inset), radius - inset, ink(r.ink));
        } else if (r.fill != Fill::kNone) {
            const float inset = outlined && !r.dashed ? t / 2 : 0;  // no rim of the fill outside its outline
            const Points points = rounded_outline(box.inset(inset), radius - inset);
            const bool small = box.w <= 80 * scale && box.w >= 12 * scale;
            fill_shape(points, r.fill, r.ink, small ? box.centre() : Vec{origin.x, origin.y});
        }
        if (outlined && !r.dashed) {
            stroke_rounded(box, radius, t, ink(r.outline));
        } else if (outlined) {
            stroke_shape(rounded_outline(box.inset(t / 2), radius - t / 2), r.outline, t, true);
        }
    }

    void paint(const scene::Disc& d) const {
        const Vec c = at(d.centre);
        const float radius = d.radius * scale;
        if (!visible(c.x - radius, c.y - radius, c.x + radius, c.y + radius)) return;
        const bool outlined = d.outline_width > 0 && d.outline.opacity > 0;
        const float t = thickness(d.outline_width);
        const float inner = outlined && !d.dashed ? radius - t / 2 : radius;
        if (d.fill == Fill::kSolid && inner <= GlyphAtlas::kMostDisc) {
            if (d.ink.opacity > 0) paint_disc(c, inner, 0, ink(d.ink));
        } else if (d.fill != Fill::kNone) {
            fill_shape(circle_outline(c, inner), d.fill, d.ink, c);
        }
        if (outlined && !d.dashed && radius <= GlyphAtlas::kMostDisc) {
            paint_disc(c, radius, t, ink(d.outline));
        } else if (outlined) {
            stroke_shape(circle_outline(c, radius - t / 2), d.outline, t, d.dashed);
        }
    }
    /// From a picture of it: a disc of soft triangles would take about seventy.
    void paint_disc(Vec centre, float radius, float line, ImU32 c) const {
        const float x = std::floor(centre.x), y = std::floor(centre.y);
        if (const auto entry = atlas.disc(radius, line, centre.x - x, centre.y - y); entry && entry->width > 0)
            paint_entry(*entry, x, y, c);
    }

    void paint(const scene::Curve& c) const {
        if (c.drawn <= 0 || c.ink.opacity <= 0) return;
        const Cubic whole{at(c.from), at(c.control_a), at(c.control_b), at(c.to)};
        const auto [x0, x1] = std::minmax({whole.from.x, whole.control_a.x, whole.control_b.x, whole.to.x});
        const auto [y0, y1] = std::minmax({whole.from.y, whole.control_a.y, whole.control_b.y, whole.to.y});
        if (!visible(x0 - 4, y0 - 4, x1 + 4, y1 + 4)) return;
        const Cubic part = c.drawn < 1 ? first_part(whole, c.drawn) : whole;
        const float width = std::max(1.0f, c.width * scale);
        const bool upright =
            whole.from.x == whole.to.x && whole.from.x == whole.control_a.x && whole.to.x == whole.control_b.x;
        const bool level =
            whole.from.y == whole.to.y && whole.from.y == whole.control_a.y && whole.to.y == whole.control_b.y;
        if (upright || level) {
            paint_rule(part.from, part.to, width, upright, ink(c.ink));
        } else {
            list.AddBezierCubic(im(part.from), im(part.control_a), im(part.control_b), im(part.to), ink(c.ink), width);
        }
    }

    /// A straight line along an axis, with sharp sides.
    void paint_rule(Vec from, Vec to, float width, bool upright, ImU32 c) const {
        const float w = std::max(1.0f, std::round(width));
        const float x = std::min(from.x, to.x), y = std::min(from.y, to.y);
        if (upright) {
            const float left = std::round(x - w / 2);
            list.AddRectFilled({left, std::round(y)}, {left + w, std::round(std::max(from.y, to.y))}, c);
        } else {
            const float top = std::round(y - w / 2);
            list.AddRectFilled({std::round(x), top}, {std::round(std::max(from.x, to.x)), top + w}, c);
        }
    }

    void paint(const scene::Text& t) const {
        if (t.text.empty() || t.ink.opacity <= 0) return;
        const float size = t.size * scale;
        const Vec anchor = at(t.at);
        if (!visible(-1e9f, anchor.y - size, 1e9f, anchor.y + size)) return;
        const float width = t.align == Align::kLeft ? 0 : fonts.width(t.text, t.face, size);
        float pen = anchor.x - (t.align == Align::kCentre ? width / 2 : width);
        const float baseline = std::round(anchor.y + fonts.capital_height(t.face) * size / 2);
        const ImU32 c = colour(theme.text(t.ink.role), t.ink.opacity);
        for (std::size_t i = 0; i < t.text.size();) {
            const char32_t character = next_character(t.text, i);
            if (character < 32) continue;
            const Glyph glyph = fonts.glyph(t.face, character);
            if (character != ' ' && visible(pen - size, baseline - size, pen + 2 * size, baseline + size)) {
                paint_glyph(glyph, size, pen, baseline, c);
            }
            pen += glyph.advance * size;
        }
    }

    void paint_glyph(const Glyph& glyph, float size, float pen, float baseline, ImU32 c) const {
        const float whole = std::floor(pen);
        const auto entry = atlas.find(glyph, size, pen - whole);
        if (entry && entry->width > 0) paint_entry(*entry, whole, baseline, c);
    }
    /// What the atlas has, with its pen at (x, y), a corner of a pixel.
    void paint_entry(const AtlasGlyph& entry, float pen_x, float pen_y, ImU32 c) const {
        const float texel = 1.0f / static_cast<float>(atlas.size());
        const float x = pen_x + static_cast<float>(entry.left), y = pen_y - static_cast<float>(entry.top);
        const auto w = static_cast<float>(entry.width), h = static_cast<float>(entry.height);
        const ImVec2 uv{static_cast<float>(entry.x) * texel, static_cast<float>(entry.y) * texel};
        list.PrimReserve(6, 4);
        list.PrimRectUV({x, y}, {x + w, y + h}, uv, {uv.x + w * texel, uv.y + h * texel}, c);
    }

    void paint(const scene::Triangle& t) const {
        if (t.ink.opacity <= 0) return;
        Points corners{at(t.a), at(t.b), at(t.c)};
        if (area(corners) < 0) std::swap(corners[1], corners[2]);  // the soft edge belongs outside
        fill_shape(corners, Fill::kSolid, t.ink, {});
    }

    void paint(const scene::ClipBegin& clip) const {
        const Vec low = at({clip.box.x, clip.box.y}), high = at({clip.box.right(), clip.box.bottom()});
        list.PushClipRect({std::floor(low.x), std::floor(low.y)}, {std::ceil(high.x), std::ceil(high.y)}, true);
    }
    void paint(const scene::ClipEnd&) const { list.PopClipRect(); }
};

void ImguiPainter::paint(const scene::Scene& scene, ImVec2 origin, float scale, const Theme& theme, ImDrawList& list) {
    static_assert(sizeof(Vec) == sizeof(ImVec2) && offsetof(Vec, y) == offsetof(ImVec2, y), "points pass as they are");
    const Brush brush{*fonts_, *atlas_, theme, list, origin, scale};
    for (const scene::Shape& shape : scene.shapes) {
        std::visit([&](const auto& one) { brush.paint(one); }, shape);
    }
}

}  // namespace warptree::paint
