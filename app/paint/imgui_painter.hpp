// Paints scenes into a Dear ImGui draw list: triangles and text with soft edges, all from one texture.
#pragma once

#include <imgui.h>

#include "app/paint/glyph_atlas.hpp"
#include "app/paint/shape_painter.hpp"

namespace warptree::paint {

/// The list's texture has to be the atlas's, and its white pixel the atlas's white patch (see Canvas). If the atlas
/// overflows, text is missing: grow it and paint again.
class ImguiPainter final : public ShapePainter {
public:
    ImguiPainter(const Fonts& fonts, const Theme& theme, float scale, Vec size, GlyphAtlas& atlas, ImDrawList& list)
        : ShapePainter(fonts, theme, scale, size), atlas_(atlas), list_(list) {}

private:
    void fill_outline(std::span<const Vec> convex, Paint) override;
    void fill_box(const scene::Box&, float radius, Paint) override;
    void stroke_box(const scene::Box&, float radius, float width, Paint) override;
    void draw_disc(Vec centre, float radius, float width, Paint) override;
    void dash_outline(std::span<const Vec>, Dash, float width, Paint) override;
    void stroke_curve(const Cubic&, float width, Paint) override;
    void draw_line(const Line&, Paint) override;
    void begin_clip(const scene::Box&) override;
    void end_clip() override;
    void fill(float x0, float y0, float x1, float y1, ImU32);
    void paint_corners(const scene::Box&, float radius, float line, ImU32);
    void paint_entry(const AtlasGlyph&, float pen_x, float pen_y, ImU32);

    GlyphAtlas& atlas_;
    ImDrawList& list_;
};

}  // namespace warptree::paint
