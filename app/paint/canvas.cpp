// The draw list behind a canvas. It has its own shared data, so that the white pixel of every shape comes from the
// glyph atlas and a whole frame needs one texture.
#include "app/paint/canvas.hpp"

#include <imgui_internal.h>

#include "app/paint/imgui_painter.hpp"

namespace warptree::paint {

struct Canvas::List {
    ImDrawListSharedData shared;
    ImDrawList list{&shared};
    ImDrawList* pointer = &list;
    ImDrawData data;
};

Canvas::Canvas(const Fonts& fonts) : fonts_(&fonts), atlas_(fonts), list_(std::make_unique<List>()) {
    list_->shared.InitialFlags =
        ImDrawListFlags_AntiAliasedLines | ImDrawListFlags_AntiAliasedFill | ImDrawListFlags_AllowVtxOffset;
    list_->shared.CurveTessellationTol = 0.15f;
    list_->shared.SetCircleTessellationMaxError(0.15f);
}

Canvas::~Canvas() = default;

ImDrawData& Canvas::data() {
    return list_->data;
}

void Canvas::paint(std::span<const scene::Scene* const> scenes, int width, int height, float scale, const Theme& theme,
                   std::uintptr_t texture) {
    const ImVec2 size{static_cast<float>(width), static_cast<float>(height)};
    ImDrawList& list = list_->list;
    for (;;) {
        const float white = 1.5f / static_cast<float>(atlas_.size());
        list_->shared.TexUvWhitePixel = {white, white};
        list_->shared.ClipRectFullscreen = {0, 0, size.x, size.y};
        list._ResetForNewFrame();
#if IMGUI_VERSION_NUM >= 19200
        list.PushTexture(ImTextureRef(static_cast<ImTextureID>(texture)));
#else
        list.PushTextureID((ImTextureID)texture);  // a pointer or an integer, as ImGui was built
#endif
        list.PushClipRect({0, 0}, size);
        ImguiPainter painter(*fonts_, theme, scale, {size.x, size.y}, atlas_, list);
        for (const scene::Scene* one : scenes) painter.paint(*one);
        list.PopClipRect();
        if (!atlas_.overflowed()) break;
        const bool was_full = atlas_.size() == GlyphAtlas::kMaxSize;
        atlas_.grow();
        if (was_full) break;  // one frame asks for more than the largest texture holds: shown next time, from empty
    }

    ImDrawData& data = list_->data;
    data.Clear();
    data.Valid = true;
    data.DisplayPos = {0, 0};
    data.DisplaySize = size;
    data.FramebufferScale = {1, 1};
#if IMGUI_VERSION_NUM >= 18980
    data.AddDrawList(&list);
#else
    list._PopUnusedDrawCmd();
    data.CmdLists = &list_->pointer;
    data.CmdListsCount = 1;
    data.TotalVtxCount = list.VtxBuffer.Size;
    data.TotalIdxCount = list.IdxBuffer.Size;
#endif
}

}  // namespace warptree::paint
