// Scenes to PNG, SVG and PDF.
#include "app/paint/cairo_painter.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <fmt/format.h>

namespace warptree::paint {
namespace {

using namespace scene;

constexpr double kPi = 3.14159265358979323846;

struct CairoFree {
    void operator()(cairo_t* cr) const { cairo_destroy(cr); }
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_font_options_t* options) const { cairo_font_options_destroy(options); }
};
using Context = std::unique_ptr<cairo_t, CairoFree>;
using Surface = std::unique_ptr<cairo_surface_t, CairoFree>;

void choose_face(cairo_t* cr, Face face, double size) {
    const bool mono = face == Face::kMono || face == Face::kMonoBold;
    const bool bold = face == Face::kSansBold || face == Face::kMonoBold;
    cairo_select_font_face(cr, mono ? "JetBrains Mono" : "Inter", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, size);
}

/// Widths that do not depend on the scale: no hinting.
void set_font_options(cairo_t* cr) {
    const std::unique_ptr<cairo_font_options_t, CairoFree> options(cairo_font_options_create());
    cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cr, options.get());
}

class CairoMeasure final : public Measure {
public:
    CairoMeasure()
        : surface_(cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, nullptr)),
          cr_(cairo_create(surface_.get())) {
        set_font_options(cr_.get());
    }
    float width(std::string_view text, Face face, float size) const override {
        // Advances grow with the size, so one size is measured and kept.
        const auto key = std::make_pair(face, std::string(text));
        auto found = widths_.find(key);
        if (found == widths_.end()) {
            if (widths_.size() > 20000) widths_.clear();
            choose_face(cr_.get(), face, kUnit);
            cairo_text_extents_t extents;
            cairo_text_extents(cr_.get(), key.second.c_str(), &extents);
            found = widths_.emplace(key, extents.x_advance / kUnit).first;
        }
        return static_cast<float>(found->second) * size;
    }

private:
    static constexpr double kUnit = 100;
    Surface surface_;
    Context cr_;
    mutable std::map<std::pair<Face, std::string>, double> widths_;
};

class Painter {
public:
    Painter(cairo_t* cr, const Theme& theme) : cr_(cr), theme_(theme) { set_font_options(cr); }

    void operator()(const Rect& r) {
        if (r.box.w <= 0 || r.box.h <= 0) return;
        fill(r.fill, r.ink, std::min(r.box.w, r.box.h), r.box, [&] { rounded(r.box, r.radius); });
        if (r.outline_width > 0) {
            rounded(r.box, r.radius);
            stroke(r.outline, r.outline_width, r.dashed);
        }
    }
    void operator()(const Disc& d) {
        if (d.radius <= 0) return;
        const Box box{d.centre.x - d.radius, d.centre.y - d.radius, 2 * d.radius, 2 * d.radius};
        fill(d.fill, d.ink, 2 * d.radius, box, [&] { circle(d); });
        if (d.outline_width > 0) {
            circle(d);
            stroke(d.outline, d.outline_width, d.dashed);
        }
    }
    void operator()(const Curve& whole) {
        if (whole.drawn <= 0) return;
        const Curve c = part(whole);
        cairo_move_to(cr_, c.from.x, c.from.y);
        cairo_curve_to(cr_, c.control_a.x, c.control_a.y, c.control_b.x, c.control_b.y, c.to.x, c.to.y);
        stroke(c.ink, c.width, false);
    }
    void operator()(const Text& t) {
        choose_face(cr_, t.face, t.size);
        cairo_text_extents_t extents, capital;
        cairo_text_extents(cr_, t.text.c_str(), &extents);
        cairo_text_extents(cr_, "H", &capital);
        const double shift = t.align == Align::kLeft     ? 0
                             : t.align == Align::kCentre ? extents.x_advance / 2
                                                         : extents.x_advance;
        source(theme_.text(t.ink.role), t.ink.opacity);
        cairo_move_to(cr_, t.at.x - shift, t.at.y + capital.height / 2);
        cairo_show_text(cr_, t.text.c_str());
        cairo_new_path(cr_);
    }
    void operator()(const Triangle& t) {
        cairo_move_to(cr_, t.a.x, t.a.y);
        cairo_line_to(cr_, t.b.x, t.b.y);
        cairo_line_to(cr_, t.c.x, t.c.y);
        cairo_close_path(cr_);
        ink(t.ink);
        cairo_fill(cr_);
    }
    void operator()(const ClipBegin& c) {
        cairo_save(cr_);
        cairo_rectangle(cr_, c.box.x, c.box.y, c.box.w, c.box.h);
        cairo_clip(cr_);
        ++depth_;
    }
    void operator()(const ClipEnd&) {
        if (depth_ == 0) return;
        cairo_restore(cr_);
        --depth_;
    }
    void paint(const Scene& scene) {
        for (const Shape& shape : scene.shapes) std::visit(*this, shape);
        while (depth_ > 0) (*this)(ClipEnd{});
    }
    void ground(Vec size) {
        ink({Role::kBackground});
        cairo_rectangle(cr_, 0, 0, size.x, size.y);
        cairo_fill(cr_);
    }

private:
    void ink(Ink i) { source(theme_.fill(i.role), i.opacity); }
    void source(Colour c, double opacity) {
        cairo_set_source_rgba(cr_, c.r / 255.0, c.g / 255.0, c.b / 255.0, opacity);
    }
    void stroke(Ink i, double width, bool dashed) {
        ink(i);
        cairo_set_line_width(cr_, width);
        const double dashes[] = {4, 4};
        cairo_set_dash(cr_, dashes, dashed ? 2 : 0, 0);
        cairo_stroke(cr_);
        cairo_set_dash(cr_, nullptr, 0, 0);
    }
    void circle(const Disc& d) {
        cairo_new_sub_path(cr_);
        cairo_arc(cr_, d.centre.x, d.centre.y, d.radius, 0, 2 * kPi);
        cairo_close_path(cr_);
    }
    void rounded(Box b, double radius) {
        const double r = std::min({radius, b.w / 2.0, b.h / 2.0});
        cairo_new_sub_path(cr_);
        if (r <= 0) {
            cairo_rectangle(cr_, b.x, b.y, b.w, b.h);
            return;
        }
        cairo_arc(cr_, b.right() - r, b.y + r, r, -kPi / 2, 0);
        cairo_arc(cr_, b.right() - r, b.bottom() - r, r, 0, kPi / 2);
        cairo_arc(cr_, b.x + r, b.bottom() - r, r, kPi / 2, kPi);
        cairo_arc(cr_, b.x + r, b.y + r, r, kPi, 1.5 * kPi);
        cairo_close_path(cr_);
    }
    template <class Path>
    void fill(Fill how, Ink i, double least_side, Box box, Path path) {
        if (how == Fill::kNone) return;
        path();
        if (how == Fill::kSolid) {
            ink(i);
            cairo_fill(cr_);
            return;
        }
        // Lines at 45 degrees over a thin wash, cut to the shape. They lie on one grid for the whole page.
        cairo_save(cr_);
        cairo_clip(cr_);
        source(theme_.fill(i.role), theme_.hatch_ground * i.opacity);
        cairo_paint(cr_);
        const double spacing = std::clamp(least_side / 4, 3.5, 7.0);
        const double first = std::floor((box.x + box.y) / spacing) * spacing;
        for (double sum = first; sum <= box.right() + box.bottom() + spacing; sum += spacing) {
            cairo_move_to(cr_, sum - box.y, box.y);
            cairo_line_to(cr_, sum - box.bottom(), box.bottom());
        }
        stroke({i.role, theme_.hatch_stripe * i.opacity}, 0.36 * spacing, false);
        cairo_restore(cr_);
    }
    /// The part 0..drawn of a curve, by de Casteljau's construction.
    static Curve part(Curve c) {
        const float t = std::min(c.drawn, 1.0f);
        const auto mix = [t](Vec a, Vec b) { return Vec{a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t}; };
        const Vec ab = mix(c.from, c.control_a), bc = mix(c.control_a, c.control_b), cd = mix(c.control_b, c.to);
        const Vec abc = mix(ab, bc), bcd = mix(bc, cd);
        c.control_a = ab;
        c.control_b = abc;
        c.to = mix(abc, bcd);
        return c;
    }

    cairo_t* cr_;
    const Theme& theme_;
    int depth_ = 0;
};

cairo_status_t append(void* closure, const unsigned char* data, unsigned int length) {
    auto& bytes = *static_cast<std::vector<std::byte>*>(closure);
    const auto* begin = reinterpret_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), begin, begin + length);
    return CAIRO_STATUS_SUCCESS;
}

Result<void> check_size(Vec size, double scale) {
    const double most = 32767;  // Cairo's limit of an image
    if (!(size.x > 0) || !(size.y > 0) || !(scale > 0) || size.x * scale > most || size.y * scale > most) {
        return usage_error(fmt::format("A picture of {:.0f} by {:.0f} cannot be drawn: each side must be 1 to {:.0f}.",
                                       size.x * scale, size.y * scale, most));
    }
    return {};
}

Result<void> check_status(cairo_status_t status) {
    if (status == CAIRO_STATUS_SUCCESS) return {};
    return failure(fmt::format("Cairo could not draw the picture: {}.", cairo_status_to_string(status)));
}

}  // namespace

Result<std::vector<std::byte>> paint_page(std::span<const Scene> scenes, Vec size, double scale, PageFormat format,
                                          const Theme& theme) {
    if (auto ok = check_size(size, scale); !ok) return tl::unexpected(ok.error());
    std::vector<std::byte> bytes;
    const double w = std::round(size.x * scale), h = std::round(size.y * scale);
    Surface surface(format == PageFormat::kPng
                        ? cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(w), static_cast<int>(h))
                    : format == PageFormat::kSvg ? cairo_svg_surface_create_for_stream(append, &bytes, w, h)
                                                 : cairo_pdf_surface_create_for_stream(append, &bytes, w, h));
    Context cr(cairo_create(surface.get()));
    cairo_scale(cr.get(), scale, scale);
    Painter painter(cr.get(), theme);
    painter.ground(size);
    for (const Scene& scene : scenes) painter.paint(scene);
    cairo_status_t status = cairo_status(cr.get());
    if (status == CAIRO_STATUS_SUCCESS && format == PageFormat::kPng) {
        status = cairo_surface_write_to_png_stream(surface.get(), append, &bytes);
    }
    cr.reset();
    cairo_surface_finish(surface.get());
    if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface.get());
    if (auto ok = check_status(status); !ok) return tl::unexpected(ok.error());
    return bytes;
}

Result<std::vector<std::byte>> paint_deck(std::span<const std::vector<Scene>> pages, Vec size, double scale,
                                          const Theme& theme) {
    if (auto ok = check_size(size, scale); !ok) return tl::unexpected(ok.error());
    std::vector<std::byte> bytes;
    Surface surface(cairo_pdf_surface_create_for_stream(append, &bytes, size.x * scale, size.y * scale));
    Context cr(cairo_create(surface.get()));
    cairo_scale(cr.get(), scale, scale);
    Painter painter(cr.get(), theme);
    for (const std::vector<Scene>& page : pages) {
        painter.ground(size);
        for (const Scene& scene : page) painter.paint(scene);
        cairo_show_page(cr.get());
    }
    cairo_status_t status = cairo_status(cr.get());
    cr.reset();
    cairo_surface_finish(surface.get());
    if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface.get());
    if (auto ok = check_status(status); !ok) return tl::unexpected(ok.error());
    return bytes;
}

std::unique_ptr<Measure> cairo_measure() {
    return std::make_unique<CairoMeasure>();
}

}  // namespace warptree::paint
