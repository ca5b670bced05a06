// One element a shape, numbers to a hundredth of a pixel. Cairo's own SVG turns letters into outlines, whatever is
// asked for; what a scene needs of SVG is ten elements.
#include "app/paint/vector_painters.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "app/paint/utf8.hpp"

namespace warptree::paint {
namespace {

using scene::Box;

std::string hundredths(float v) {
    return fmt::format("{:.7g}", std::round(v * 100.0) / 100.0 + 0.0);  // no -0
}

/// The attributes of a fill or a stroke; no element has both.
std::string attributes(std::string_view what, Paint p) {
    const Colour c = p.colour;
    const std::string opacity = p.opacity < 1 ? fmt::format(" opacity=\"{}\"", hundredths(p.opacity)) : "";
    return fmt::format(" {}=\"#{:02x}{:02x}{:02x}\"{}", what, c.r, c.g, c.b, opacity);
}
std::string attributes_of_line(float width, Paint p) {
    return fmt::format(" fill=\"none\"{} stroke-width=\"{}\"", attributes("stroke", p), hundredths(width));
}

/// Text as XML has it, without the characters that it cannot have.
std::string escaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const char32_t c = next_character(text, i);
        if (c == '&' || c == '<' || c == '"') {
            out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : "&quot;";
        } else if (c >= 32 && c != 0xfffe && c != 0xffff) {
            append_character(out, c);
        }
    }
    return out;
}

class SvgPainter final : public ShapePainter {
public:
    SvgPainter(const Fonts& fonts, const Theme& theme, float scale, Vec size)
        : ShapePainter(fonts, theme, scale, size) {
        const std::string w = hundredths(size.x), h = hundredths(size.y);
        write(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
            "xml:space=\"preserve\" style=\"font-kerning:none;font-variant-ligatures:none\">\n",
            w, h);
        fill_box({0, 0, size.x, size.y}, 0, {theme.fill(scene::Role::kBackground)});
    }
    std::string finish() {
        write("</svg>\n");
        return std::move(out_);
    }

private:
    template <class... Values>
    void write(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Values>(values)...);
    }
    void fill_outline(std::span<const Vec> convex, Paint paint) override {
        write("<path d=\"{}\"{}/>\n", path(convex), attributes("fill", paint));
    }
    void fill_box(const Box& box, float radius, Paint paint) override { rect(box, radius, attributes("fill", paint)); }
    void stroke_box(const Box& box, float radius, float width, Paint paint) override {
        rect(box.inset(width / 2), radius - width / 2, attributes_of_line(width, paint));
    }
    void draw_disc(Vec centre, float radius, float width, Paint paint) override {
        write("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", hundredths(centre.x), hundredths(centre.y),
              hundredths(radius - width / 2), width > 0 ? attributes_of_line(width, paint) : attributes("fill", paint));
    }
    void dash_outline(std::span<const Vec> outline, Dash dash, float width, Paint paint) override {
        write("<path d=\"{}\"{} stroke-dasharray=\"{} {}\"/>\n", path(outline), attributes_of_line(width, paint),
              hundredths(dash.on), hundredths(dash.period - dash.on));
    }
    void stroke_curve(const Cubic& c, float width, Paint paint) override {
        write("<path d=\"M{} C{} {} {}\"{}/>\n", point(c.from), point(c.control_a), point(c.control_b), point(c.to),
              attributes_of_line(width, paint));
    }
    void draw_line(const Line& line, Paint paint) override {
        using scene::Align;
        const float before = line.align == Align::kLeft ? 0 : line.align == Align::kCentre ? 0.5f : 1;  // the anchor
        const std::string name = escaped(fonts().family(line.face));
        write("<text x=\"{}\" y=\"{}\"{} textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\" ",
              hundredths(line.pen.x + before * line.width), hundredths(line.pen.y),
              before == 0  ? ""
              : before < 1 ? " text-anchor=\"middle\""
                           : " text-anchor=\"end\"",
              hundredths(line.width));
        write("font-family=\"{}{}\" font-size=\"{}\"{}{}>{}</text>\n", name.empty() ? "" : "'" + name + "', ",
              is_mono(line.face) ? "monospace" : "sans-serif", hundredths(line.size),
              is_bold(line.face) ? " font-weight=\"600\"" : "", attributes("fill", paint), escaped(line.text));
    }
    void begin_clip(const Box& box) override {
        write("<clipPath id=\"clip{}\">", ++clips_);
        rect(box, 0, "");
        write("</clipPath>\n<g clip-path=\"url(#clip{})\">\n", clips_);
    }
    void end_clip() override { write("</g>\n"); }

    static std::string point(Vec v) { return hundredths(v.x) + "," + hundredths(v.y); }
    static std::string path(std::span<const Vec> outline) {
        std::string d;
        for (const Vec& v : outline) d += (d.empty() ? "M" : " L") + point(v);
        return d + " Z";
    }
    void rect(const Box& b, float radius, const std::string& look) {
        const float r = std::min({radius, b.w / 2, b.h / 2});  // else SVG makes ellipses
        write("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}{}/>\n", hundredths(b.x), hundredths(b.y),
              hundredths(std::max(b.w, 0.0f)), hundredths(std::max(b.h, 0.0f)),
              r > 0 ? fmt::format(" rx=\"{}\"", hundredths(r)) : "", look);
    }

    std::string out_;
    int clips_ = 0;
};

}  // namespace

std::string paint_svg(std::span<const scene::Scene* const> scenes, Vec size, float scale, const Theme& theme,
                      const Fonts& fonts) {
    SvgPainter painter(fonts, theme, scale, size);
    for (const scene::Scene* one : scenes) painter.paint(*one);
    return painter.finish();
}

}  // namespace warptree::paint
