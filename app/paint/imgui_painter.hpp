// Paints scenes into a Dear ImGui draw list: triangles and text with soft edges, all from one texture.
#pragma once

#include <imgui.h>

#include "app/paint/fonts.hpp"
#include "app/paint/glyph_atlas.hpp"
#include "app/paint/theme.hpp"
#include "app/scene/scene.hpp"

namespace warptree::paint {

class ImguiPainter {
public:
    ImguiPainter(const Fonts& fonts, GlyphAtlas& atlas) : fonts_(&fonts), atlas_(&atlas) {}

    /// Adds a scene's shapes to a list. The list's texture has to be the atlas's, and its white pixel the atlas's
    /// white patch (see Canvas). If the atlas overflows, text is missing: grow it and paint again.
    /// origin  pixels, of the scene's (0, 0)
    /// scale   pixels a unit
    void paint(const scene::Scene& scene, ImVec2 origin, float scale, const Theme& theme, ImDrawList& list);

private:
    struct Brush;
    const Fonts* fonts_;
    GlyphAtlas* atlas_;
};

}  // namespace warptree::paint
