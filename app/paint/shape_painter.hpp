// What a scene's shapes come to, in pixels: where their edges, stripes, dashes and letters fall. Decided once, for the
// screen and for vector files; how a box, a line or a word is then drawn is each painter's own.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/kit/scene.hpp"
#include "app/paint/fonts.hpp"
#include "app/paint/geometry.hpp"
#include "app/paint/theme.hpp"

namespace warptree::paint {

struct Paint {
    Colour colour;
    float opacity = 1;
};

/// One line of text. Its letters stand at the sums of their advances: no kerning, no ligatures.
struct Line {
    std::string_view text;
    scene::Face face;
    float size, width;  // pixels
    Vec pen;            // its left end, on the baseline
    scene::Align align;
};

class ShapePainter {
public:
    /// scale  pixels a unit; size  of the page, pixels
    ShapePainter(const Fonts& fonts, const Theme& theme, float scale, Vec size)
        : fonts_(fonts), theme_(theme), scale_(scale), clips_{{0, 0, size.x, size.y}} {}
    virtual ~ShapePainter() = default;

    void paint(const scene::Scene& scene);

protected:
    virtual void fill_outline(std::span<const Vec> convex, Paint) = 0;
    virtual void fill_box(const scene::Box&, float radius, Paint) = 0;
    /// A line along the inside of a box.
    virtual void stroke_box(const scene::Box&, float radius, float width, Paint) = 0;
    /// A disc, or of `width` pixels along the inside of its rim a ring; 0: filled.
    virtual void draw_disc(Vec centre, float radius, float width, Paint) = 0;
    /// A closed line of dashes; see dash_lengths.
    virtual void dash_outline(std::span<const Vec>, Dash, float width, Paint) = 0;
    virtual void stroke_curve(const Cubic&, float width, Paint) = 0;
    virtual void draw_line(const Line&, Paint) = 0;
    /// From here on nothing is drawn outside of this box, nor of those that are still open.
    virtual void begin_clip(const scene::Box&) = 0;
    virtual void end_clip() = 0;

    /// Whether pixels from (x0, y0) to (x1, y1) can be seen.
    bool visible(float x0, float y0, float x1, float y1) const {
        const scene::Box& clip = clips_.back();
        return x1 >= clip.x && y1 >= clip.y && x0 <= clip.right() && y0 <= clip.bottom();
    }
    const Fonts& fonts() const { return fonts_; }

private:
    void add(const scene::Rect&);
    void add(const scene::Disc&);
    void add(const scene::Curve&);
    void add(const scene::Text&);
    void add(const scene::Triangle&);
    void add(const scene::ClipBegin&);
    void add(const scene::ClipEnd&);
    void fill_shape(std::span<const Vec> points, scene::Fill fill, const scene::Ink&, Vec anchor);
    void dash_shape(std::span<const Vec> points, const scene::Ink&, float width);
    Vec at(Vec v) const { return {v.x * scale_, v.y * scale_}; }
    float thickness(float width) const;
    Paint ink(const scene::Ink& i) const { return {theme_.fill(i.role), i.opacity}; }

    const Fonts& fonts_;
    const Theme& theme_;
    float scale_;
    std::vector<scene::Box> clips_;  // the page, then each that is open, within the one before
};

/// The whole pixels of a straight line along an axis, so that its sides are sharp.
scene::Box rule_box(Vec from, Vec to, float width);

}  // namespace warptree::paint
