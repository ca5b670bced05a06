// A canvas: one frame of a window as Dear ImGui draw data, filled by the painter and shown by any ImGui renderer.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <memory>
#include <span>

#include "app/kit/scene.hpp"
#include "app/paint/fonts.hpp"
#include "app/paint/glyph_atlas.hpp"
#include "app/paint/theme.hpp"

namespace warptree::paint {

class Canvas {
public:
    explicit Canvas(const Fonts& fonts);
    ~Canvas();
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    /// Paints scenes one over the other; what was there before is gone. The atlas grows as it has to.
    /// width, height  pixels
    /// scale          pixels a unit
    /// texture        the renderer's name for the atlas's texture
    void paint(std::span<const scene::Scene* const> scenes, int width, int height, float scale, const Theme& theme,
               std::uintptr_t texture);

    /// Ready for a renderer once the atlas is uploaded.
    ImDrawData& data();
    GlyphAtlas& atlas() { return atlas_; }

private:
    struct List;
    const Fonts* fonts_;
    GlyphAtlas atlas_;
    std::unique_ptr<List> list_;
};

}  // namespace warptree::paint
