// Glyphs go to Cairo together with their characters (cairo_show_text_glyphs), so that a PDF can be searched and copied.
#include "app/paint/cairo_painter.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <numbers>
#include <string>

#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <fmt/format.h>

#include "app/paint/utf8.hpp"
#include "app/paint/vector_painters.hpp"

namespace warptree::paint {

struct CairoFree {
    void operator()(cairo_t* cr) const { cairo_destroy(cr); }
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_font_face_t* face) const { cairo_font_face_destroy(face); }
};
using CairoFace = std::unique_ptr<cairo_font_face_t, CairoFree>;
using CairoFaces = std::map<std::uint16_t, CairoFace>;

namespace {

using scene::Box;

/// Cairo keeps faces in caches of its own: each holds on to a font that nobody else uses.
CairoFace cairo_face(std::shared_ptr<FT_FaceRec_> font) {
    if (!font) return nullptr;
    static const cairo_user_data_key_t key{};
    CairoFace face(cairo_ft_font_face_create_for_ft_face(font.get(), FT_LOAD_NO_HINTING));
    cairo_font_face_set_user_data(face.get(), &key, new std::shared_ptr(std::move(font)),
                                  [](void* kept) { delete static_cast<std::shared_ptr<FT_FaceRec_>*>(kept); });
    return face;
}

class CairoPainter final : public ShapePainter {
public:
    /// faces  those opened so far
    CairoPainter(const Fonts& fonts, const Theme& theme, float scale, Vec size, cairo_t* cr, CairoFaces& faces)
        : ShapePainter(fonts, theme, scale, size), cr_(cr), faces_(faces) {
        fill_box({0, 0, size.x, size.y}, 0, {theme.fill(scene::Role::kBackground)});
    }

private:
    void fill_outline(std::span<const Vec> convex, Paint paint) override {
        trace(convex);
        fill(paint);
    }
    void fill_box(const Box& box, float radius, Paint paint) override {
        trace_box(box, radius);
        fill(paint);
    }
    void stroke_box(const Box& box, float radius, float width, Paint paint) override {
        trace_box(box.inset(width / 2), radius - width / 2);
        stroke(width, paint);
    }
    void draw_disc(Vec centre, float radius, float width, Paint paint) override {
        cairo_arc(cr_, centre.x, centre.y, radius - width / 2, 0, 2 * std::numbers::pi);
        cairo_close_path(cr_);
        width > 0 ? stroke(width, paint) : fill(paint);
    }
    void dash_outline(std::span<const Vec> outline, Dash dash, float width, Paint paint) override {
        const double lengths[] = {dash.on, dash.period - dash.on};
        trace(outline);
        cairo_set_dash(cr_, lengths, 2, 0);
        stroke(width, paint);
        cairo_set_dash(cr_, nullptr, 0, 0);
    }
    void stroke_curve(const Cubic& c, float width, Paint paint) override {
        cairo_move_to(cr_, c.from.x, c.from.y);
        cairo_curve_to(cr_, c.control_a.x, c.control_a.y, c.control_b.x, c.control_b.y, c.to.x, c.to.y);
        stroke(width, paint);
    }
    void draw_line(const Line& line, Paint paint) override {
        source(paint);
        cairo_set_font_size(cr_, line.size);
        double pen = line.pen.x;
        std::uint16_t font = 0;
        for (std::size_t i = 0; i < line.text.size();) {
            const char32_t character = next_character(line.text, i);
            if (character < 32) continue;
            const Glyph glyph = fonts().glyph(line.face, character);
            if (glyph.font != font) show_letters(font);
            font = glyph.font;
            const std::size_t before = letters_.size();
            append_character(letters_, character);
            glyphs_.push_back({glyph.index, pen, line.pen.y});
            clusters_.push_back({static_cast<int>(letters_.size() - before), 1});
            pen += static_cast<double>(glyph.advance) * line.size;
        }
        show_letters(font);
    }
    void begin_clip(const Box& box) override {
        cairo_save(cr_);
        trace_box(box, 0);
        cairo_clip(cr_);
    }
    void end_clip() override { cairo_restore(cr_); }

    void source(Paint p) {
        cairo_set_source_rgba(cr_, p.colour.r / 255.0, p.colour.g / 255.0, p.colour.b / 255.0, p.opacity);
    }
    void fill(Paint paint) {
        source(paint);
        cairo_fill(cr_);
    }
    void stroke(float width, Paint paint) {
        source(paint);
        cairo_set_line_width(cr_, width);
        cairo_stroke(cr_);
    }
    void trace(std::span<const Vec> outline) {
        for (const Vec& point : outline) cairo_line_to(cr_, point.x, point.y);
        cairo_close_path(cr_);
    }
    void trace_box(const Box& b, double radius) {
        const double r = std::min({radius, b.w / 2.0, b.h / 2.0}), quarter = std::numbers::pi / 2;
        if (r <= 0) return cairo_rectangle(cr_, b.x, b.y, b.w, b.h);
        cairo_arc(cr_, b.right() - r, b.y + r, r, -quarter, 0);
        cairo_arc(cr_, b.right() - r, b.bottom() - r, r, 0, quarter);
        cairo_arc(cr_, b.x + r, b.bottom() - r, r, quarter, 2 * quarter);
        cairo_arc(cr_, b.x + r, b.y + r, r, 2 * quarter, 3 * quarter);
        cairo_close_path(cr_);
    }
    /// Letters gathered from one font.
    void show_letters(std::uint16_t font) {
        if (letters_.empty()) return;
        const auto [face, is_new] = faces_.try_emplace(font);
        if (is_new) face->second = cairo_face(fonts().open_again(font));
        if (face->second) {
            cairo_set_font_face(cr_, face->second.get());
            cairo_show_text_glyphs(cr_, letters_.data(), static_cast<int>(letters_.size()), glyphs_.data(),
                                   static_cast<int>(glyphs_.size()), clusters_.data(),
                                   static_cast<int>(clusters_.size()), {});
        }
        letters_.clear();
        glyphs_.clear();
        clusters_.clear();
    }

    cairo_t* cr_;
    CairoFaces& faces_;
    std::string letters_;
    std::vector<cairo_glyph_t> glyphs_;
    std::vector<cairo_text_cluster_t> clusters_;
};

Result<void> check(cairo_status_t status) {
    if (status == CAIRO_STATUS_SUCCESS) return {};
    return failure(fmt::format("Cairo could not draw the picture: {}.", cairo_status_to_string(status)));
}

Result<void> paint(std::span<const scene::Scene* const> scenes, Vec size, float scale, const Theme& theme,
                   const Fonts& fonts, cairo_t* cr, CairoFaces& faces) {
    CairoPainter painter(fonts, theme, scale, size, cr, faces);
    for (const scene::Scene* one : scenes) painter.paint(*one);
    return check(cairo_status(cr));
}

}  // namespace

Result<void> paint_cairo(std::span<const scene::Scene* const> scenes, Vec size, float scale, const Theme& theme,
                         const Fonts& fonts, cairo_t* cr) {
    CairoFaces faces;
    return paint(scenes, size, scale, theme, fonts, cr, faces);
}

cairo_status_t append_to_bytes(void* bytes, const unsigned char* data, unsigned length) {
    const auto* from = reinterpret_cast<const std::byte*>(data);
    auto& to = *static_cast<std::vector<std::byte>*>(bytes);
    to.insert(to.end(), from, from + length);
    return CAIRO_STATUS_SUCCESS;
}

struct PdfPages::State {
    std::vector<std::byte> bytes;
    std::unique_ptr<cairo_surface_t, CairoFree> surface{
        cairo_pdf_surface_create_for_stream(append_to_bytes, &bytes, 1, 1)};
    std::unique_ptr<cairo_t, CairoFree> cr{cairo_create(surface.get())};
    CairoFaces faces;
};

PdfPages::PdfPages() : state_(std::make_unique<State>()) {}
PdfPages::~PdfPages() = default;
PdfPages::PdfPages(PdfPages&&) noexcept = default;

Result<void> PdfPages::add(std::span<const scene::Scene* const> scenes, Vec size, float scale, const Theme& theme,
                           const Fonts& fonts) {
    cairo_pdf_surface_set_size(state_->surface.get(), size.x, size.y);
    auto painted = paint(scenes, size, scale, theme, fonts, state_->cr.get(), state_->faces);
    cairo_show_page(state_->cr.get());
    return painted;
}

Result<std::vector<std::byte>> PdfPages::finish() {
    cairo_surface_finish(state_->surface.get());
    if (auto written = check(cairo_surface_status(state_->surface.get())); !written)
        return tl::unexpected(written.error());
    return std::move(state_->bytes);
}

Result<std::vector<std::byte>> paint_pdf(std::span<const scene::Scene* const> scenes, Vec size, float scale,
                                         const Theme& theme, const Fonts& fonts) {
    PdfPages pages;
    return pages.add(scenes, size, scale, theme, fonts).and_then([&] { return pages.finish(); });
}

}  // namespace warptree::paint
