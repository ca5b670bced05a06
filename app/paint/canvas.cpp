// The draw list behind a canvas, and the painter that fills it. It has its own shared data, so that the white pixel of
// every shape comes from the glyph atlas and a whole frame needs one texture.
#include "app/paint/canvas.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "app/paint/shape_painter.hpp"
#include "app/paint/utf8.hpp"

namespace warptree::paint {
namespace {

using scene::Box;

const ImVec2* im(std::span<const Vec> points) {
    static_assert(sizeof(Vec) == sizeof(ImVec2) && offsetof(Vec, y) == offsetof(ImVec2, y), "points pass as they are");
    return reinterpret_cast<const ImVec2*>(points.data());
}
ImVec2 im(Vec v) {
    return {v.x, v.y};
}
ImU32 im(Paint paint) {
    const Colour c = paint.colour;
    const float alpha = std::clamp(paint.opacity, 0.0f, 1.0f);
    return IM_COL32(c.r, c.g, c.b, static_cast<int>(std::lround(alpha * 255)));
}
float fitting(const Box& box, float radius) {
    return std::clamp(std::min({radius, box.w / 2, box.h / 2}), 0.0f, GlyphAtlas::kMostRadius);
}

template <class List>
concept FlagsBeforeThickness = requires(void (List::*add)(const ImVec2*, int, ImU32, ImDrawFlags, float)) {
    add = &List::AddPolyline;
};

/// A line through points. Dear ImGui 1.92 swapped the last two parameters in one of its releases, and either order
/// converts silently, so the order is taken from the declaration.
template <class List>
void stroke(List& list, std::span<const Vec> points, ImU32 colour, bool closed, float thickness) {
    const int count = static_cast<int>(points.size());
    const ImDrawFlags flags = closed ? ImDrawFlags_Closed : ImDrawFlags_None;
    if constexpr (FlagsBeforeThickness<List>) {
        list.AddPolyline(im(points), count, colour, flags, thickness);
    } else {
        list.AddPolyline(im(points), count, colour, thickness, flags);
    }
}

/// Paints scenes into a draw list: shapes as few triangles as can be, none of them long: software OpenGL pays for each.
/// The list's texture has to be the atlas's, and its white pixel the atlas's white patch. If the atlas overflows, text
/// is missing: grow it and paint again.
class ImguiPainter final : public ShapePainter {
public:
    ImguiPainter(const Fonts& fonts, const Theme& theme, float scale, Vec size, GlyphAtlas& atlas, ImDrawList& list)
        : ShapePainter(fonts, theme, scale, size), atlas_(atlas), list_(list) {}

private:
    void fill_outline(std::span<const Vec> convex, Paint paint) override {
        list_.AddConvexPolyFilled(im(convex), static_cast<int>(convex.size()), im(paint));
    }
    void dash_outline(std::span<const Vec> points, Dash dash, float width, Paint paint) override {
        for (const Points& one : dashes(points, dash)) {
            const Vec from = one.front(), to = one.back();
            if (one.size() == 2 && (from.x == to.x || from.y == to.y))
                fill_box(rule_box(from, to, width), 0, paint);
            else
                stroke(list_, one, im(paint), false, width);
        }
    }
    void fill(float x0, float y0, float x1, float y1, ImU32 c) {
        if (x1 > x0 && y1 > y0) list_.AddRectFilled({x0, y0}, {x1, y1}, c);
    }
    /// The four corners of a box on whole pixels, from one picture of the upper left one.
    void paint_corners(const Box& box, float radius, float line, ImU32 c) {
        const auto entry = atlas_.corner(radius, line);
        if (!entry || entry->width == 0) return;
        const float texel = 1.0f / static_cast<float>(atlas_.size());
        const auto side = static_cast<float>(entry->width);
        const ImVec2 outer{static_cast<float>(entry->x) * texel, static_cast<float>(entry->y) * texel};
        const ImVec2 inner{outer.x + side * texel, outer.y + side * texel};
        list_.PrimReserve(24, 16);
        for (const bool right : {false, true}) {
            for (const bool low : {false, true}) {
                const float x = right ? box.right() - side : box.x, y = low ? box.bottom() - side : box.y;
                list_.PrimRectUV({x, y}, {x + side, y + side}, {right ? inner.x : outer.x, low ? inner.y : outer.y},
                                 {right ? outer.x : inner.x, low ? outer.y : inner.y}, c);
            }
        }
    }
    /// Straight parts as rectangles, corners as pictures.
    void fill_box(const Box& box, float radius, Paint paint) override {
        const float r = fitting(box, radius), side = static_cast<float>(GlyphAtlas::corner_side(r));
        const ImU32 c = im(paint);
        fill(box.x, box.y + side, box.right(), box.bottom() - side, c);
        fill(box.x + side, box.y, box.right() - side, box.y + side, c);
        fill(box.x + side, box.bottom() - side, box.right() - side, box.bottom(), c);
        paint_corners(box, r, 0, c);
    }
    /// The part of a pixel that is left over is drawn fainter.
    void stroke_box(const Box& box, float radius, float width, Paint paint) override {
        const float r = fitting(box, radius), side = std::max(static_cast<float>(GlyphAtlas::corner_side(r)), 0.0f);
        const auto ring = [&](float at, float w, ImU32 c) {
            const float sharp = side > 0 ? side : at;  // without round corners the sides meet
            fill(box.x + sharp, box.y + at, box.right() - sharp, box.y + at + w, c);
            fill(box.x + sharp, box.bottom() - at - w, box.right() - sharp, box.bottom() - at, c);
            const float from = side > 0 ? side : at + w;
            fill(box.x + at, box.y + from, box.x + at + w, box.bottom() - from, c);
            fill(box.right() - at - w, box.y + from, box.right() - at, box.bottom() - from, c);
        };
        const float whole = std::floor(width), rest = width - whole;
        if (whole > 0) ring(0, whole, im(paint));
        if (rest > 0.05f) ring(whole, 1, im({paint.colour, paint.opacity * rest}));
        paint_corners(box, r, width, im(paint));
    }
    /// Small ones from a picture: a disc of soft triangles would take about seventy.
    void draw_disc(Vec centre, float radius, float width, Paint paint) override {
        if (radius > GlyphAtlas::kMostDisc) {
            if (width == 0) return fill_outline(circle_outline(centre, radius), paint);
            return stroke(list_, circle_outline(centre, radius - width / 2), im(paint), true, width);
        }
        const float x = std::floor(centre.x), y = std::floor(centre.y);
        if (const auto entry = atlas_.disc(radius, width, centre.x - x, centre.y - y))
            paint_entry(*entry, x, y, im(paint));
    }
    void stroke_curve(const Cubic& c, float width, Paint paint) override {
        list_.AddBezierCubic(im(c.from), im(c.control_a), im(c.control_b), im(c.to), im(paint), width);
    }
    void draw_line(const Line& line, Paint paint) override {
        const float size = line.size, baseline = line.pen.y;
        float pen = line.pen.x;
        for (std::size_t i = 0; i < line.text.size();) {
            const char32_t character = next_character(line.text, i);
            if (character < 32) continue;
            const Glyph glyph = fonts().glyph(line.face, character);
            if (character != ' ' && visible(pen - size, baseline - size, pen + 2 * size, baseline + size)) {
                const float whole = std::floor(pen);
                if (const auto entry = atlas_.find(glyph, size, pen - whole))
                    paint_entry(*entry, whole, baseline, im(paint));
            }
            pen += glyph.advance * size;
        }
    }
    /// What the atlas has, with its pen at (x, y), a corner of a pixel.
    void paint_entry(const AtlasGlyph& entry, float pen_x, float pen_y, ImU32 c) {
        if (entry.width == 0) return;
        const float texel = 1.0f / static_cast<float>(atlas_.size());
        const float x = pen_x + static_cast<float>(entry.left), y = pen_y - static_cast<float>(entry.top);
        const auto w = static_cast<float>(entry.width), h = static_cast<float>(entry.height);
        const ImVec2 uv{static_cast<float>(entry.x) * texel, static_cast<float>(entry.y) * texel};
        list_.PrimReserve(6, 4);
        list_.PrimRectUV({x, y}, {x + w, y + h}, uv, {uv.x + w * texel, uv.y + h * texel}, c);
    }
    void begin_clip(const Box& box) override { list_.PushClipRect({box.x, box.y}, {box.right(), box.bottom()}, true); }
    void end_clip() override { list_.PopClipRect(); }

    GlyphAtlas& atlas_;
    ImDrawList& list_;
};

}  // namespace

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
