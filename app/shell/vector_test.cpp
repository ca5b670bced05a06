// Vector files look like the screen: the same window as OpenGL paints it, as Cairo paints it for a PDF, and as an SVG
// file says, all at one size.
//
//   1280 x 720 pixels -> blocks of 4 x 4, each the mean of its pixels: hinting and soft edges move ink within a block
//   pictures agree where blocks differ by at most kPdf, kSvg on average, of 255; on Debian 12 PDF differs by 0.3 to
//   0.8, SVG (whose reader here takes bold for semi-bold) by 0.5 to 1.3, and what is left out below by 1.9 to 23
#include <cairo.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <sstream>

#include "app/kit/shapes_testing.hpp"
#include "app/paint/cairo_painter.hpp"
#include "app/paint/vector_painters.hpp"
#include "app/shell/frame.hpp"
#include "app/shell/offscreen.hpp"
#include "app/state/testing.hpp"

namespace warptree::shell {
namespace {

constexpr int kWidth = 1280, kHeight = 720, kBlock = 4;
constexpr double kPdf = 1.0, kSvg = 1.5;

/// A picture that Cairo paints.
struct Canvas {
    cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, kWidth, kHeight);
    cairo_t* cr = cairo_create(surface);
    Canvas() = default;
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;
    ~Canvas() {
        cairo_destroy(cr);
        cairo_surface_destroy(surface);
    }
    Image image() const {
        cairo_surface_flush(surface);
        Image image{kWidth, kHeight, {}};
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x)
                for (const int channel : {2, 1, 0})  // BGRx
                    image.rgb.push_back(cairo_image_surface_get_data(
                        surface)[y * cairo_image_surface_get_stride(surface) + 4 * x + channel]);
        return image;
    }
};

std::string unescaped(std::string text) {
    for (const auto& [escape, letter] : {std::pair{"&lt;", "<"}, {"&quot;", "\""}, {"&amp;", "&"}})
        for (std::size_t at; (at = text.find(escape)) != std::string::npos;)
            text.replace(at, std::string_view(escape).size(), letter);
    return text;
}

/// Shows what the SVG painter writes, and nothing else of SVG: an element a line.
class SvgReader {
public:
    explicit SvgReader(cairo_t* cr) : cr_(cr) {
        cairo_font_options_t* options = cairo_font_options_create();
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
        cairo_set_font_options(cr, options);
        cairo_font_options_destroy(options);
    }
    void show(const std::string& file) {
        std::istringstream lines(file);
        for (std::string line; std::getline(lines, line);) element(line);
    }

private:
    std::string value(const std::string& name) const {
        const std::string head = " " + name + "=\"";
        const std::size_t at = line_.find(head), from = at + head.size();
        return at == std::string::npos ? "" : line_.substr(from, line_.find('"', from) - from);
    }
    double number(const std::string& name, double absent = 0) const {
        const std::string text = value(name);
        return text.empty() ? absent : std::stod(text);
    }
    void element(const std::string& line) {
        line_ = line;
        if (line.starts_with("<g ")) {  // after its clipPath, whose box is the path
            cairo_save(cr_);
            cairo_clip(cr_);
        } else if (line == "</g>") {
            cairo_restore(cr_);
        } else if (line.starts_with("<text")) {
            text();
        } else if (line.starts_with("<rect") || line.starts_with("<clipPath")) {
            rect();
        } else if (line.starts_with("<circle")) {
            cairo_arc(cr_, number("cx"), number("cy"), number("r"), 0, 2 * M_PI);
        } else if (line.starts_with("<path")) {
            path();
        }
        if (!value("fill").empty() || !value("stroke").empty()) draw();
    }
    void colour(const std::string& hex) {
        const long rgb = std::stol(hex.substr(1), nullptr, 16);
        cairo_set_source_rgba(cr_, (rgb >> 16) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0,
                              number("opacity", 1));
    }
    void draw() {
        if (value("fill") != "none") {
            colour(value("fill"));
            return cairo_fill(cr_);
        }
        double dash[2] = {};
        const bool dashed = std::sscanf(value("stroke-dasharray").c_str(), "%lf %lf", &dash[0], &dash[1]) == 2;
        cairo_set_dash(cr_, dash, dashed ? 2 : 0, 0);
        colour(value("stroke"));
        cairo_set_line_width(cr_, number("stroke-width"));
        cairo_stroke(cr_);
    }
    void rect() {
        const double x = number("x"), y = number("y"), w = number("width"), h = number("height");
        const double r = std::min({number("rx"), w / 2, h / 2});
        cairo_new_sub_path(cr_);
        cairo_arc(cr_, x + w - r, y + r, r, -M_PI / 2, 0);
        cairo_arc(cr_, x + w - r, y + h - r, r, 0, M_PI / 2);
        cairo_arc(cr_, x + r, y + h - r, r, M_PI / 2, M_PI);
        cairo_arc(cr_, x + r, y + r, r, M_PI, 1.5 * M_PI);
        cairo_close_path(cr_);
    }
    void path() {
        std::istringstream d(value("d"));
        const auto point = [&d] {
            double x = 0, y = 0;
            char comma = 0;
            d >> x >> comma >> y;
            return std::pair{x, y};
        };
        for (char command; d >> command;) {
            if (command == 'Z') {
                cairo_close_path(cr_);
                continue;
            }
            const auto [x, y] = point();
            if (command == 'M') cairo_move_to(cr_, x, y);
            if (command == 'L') cairo_line_to(cr_, x, y);
            if (command != 'C') continue;
            const auto [bx, by] = point();
            const auto [ex, ey] = point();
            cairo_curve_to(cr_, x, y, bx, by, ex, ey);
        }
    }
    /// Letters as Cairo's own choice of font has them, stretched to the length that the file says.
    void text() {
        std::string letters = line_.substr(line_.find('>') + 1);
        letters.resize(letters.rfind("</text>"));
        letters = unescaped(letters);
        const std::string family = value("font-family"), anchor = value("text-anchor");
        const std::size_t end = family.find('\'', 1);
        cairo_select_font_face(cr_, end == std::string::npos ? "sans-serif" : family.substr(1, end - 1).c_str(),
                               CAIRO_FONT_SLANT_NORMAL,
                               number("font-weight") > 500 ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
        cairo_set_font_size(cr_, number("font-size"));
        cairo_text_extents_t extents;
        cairo_text_extents(cr_, letters.c_str(), &extents);
        const double width = number("textLength"), shift = anchor == "end" ? width : anchor == "middle" ? width / 2 : 0;
        cairo_save(cr_);
        cairo_translate(cr_, number("x") - shift, number("y"));
        if (extents.x_advance > 0) cairo_scale(cr_, width / extents.x_advance, 1);
        cairo_move_to(cr_, 0, 0);
        cairo_text_path(cr_, letters.c_str());
        cairo_restore(cr_);
    }

    cairo_t* cr_;
    std::string line_;
};

double mean_difference(const Image& a, const Image& b) {
    double sum = 0;
    for (int y = 0; y < kHeight; y += kBlock)
        for (int x = 0; x < kWidth; x += kBlock)
            for (int channel = 0; channel < 3; ++channel) {
                int more = 0;
                for (int i = 0; i < kBlock * kBlock; ++i) {
                    const int px = x + i % kBlock, py = y + i / kBlock;
                    const auto at = static_cast<std::size_t>((py * kWidth + px) * 3 + channel);
                    more += int{a.rgb[at]} - int{b.rgb[at]};
                }
                sum += std::abs(more);
            }
    return sum / (kWidth * kHeight * 3);
}

/// A scene without some of its shapes.
template <class Wanted>
scene::Scene only(const scene::Scene& all, Wanted wanted) {
    scene::Scene some;
    for (const scene::Shape& shape : all.shapes)
        if (wanted(shape)) some.add(shape);
    return some;
}

class VectorPicture : public ::testing::TestWithParam<std::size_t> {
protected:
    void SetUp() override {
        const scene::ViewRow& row = scene::view_rows()[GetParam()];
        state::AppState state = state::teaching_state();
        state.view = row.view;
        state.theme = theme.name;
        state::App app(std::move(state), files.services());
        app.apply({.action = state::Action::kGoTo, .value = 2});
        Frame frame(fonts);
        for (const scene::Scene* one : frame.compose(app.state(), {kWidth / kUnit, kHeight / kUnit}))
            window.push_back(*one);
        auto made = Offscreen::make(fonts);
        ASSERT_TRUE(made) << made.error().message;
        auto drawn = (*made)->draw(pointers(window), kWidth, kHeight, kUnit, theme);
        ASSERT_TRUE(drawn) << drawn.error().message;
        screen = std::move(*drawn);
    }
    static std::vector<const scene::Scene*> pointers(const std::vector<scene::Scene>& scenes) {
        std::vector<const scene::Scene*> all;
        for (const scene::Scene& one : scenes) all.push_back(&one);
        return all;
    }
    Image as_pdf(const std::vector<scene::Scene>& scenes) const {
        const Canvas canvas;
        const auto painted = paint::paint_cairo(pointers(scenes), kSize, kUnit, theme, fonts, canvas.cr);
        EXPECT_TRUE(painted) << painted.error().message;
        return canvas.image();
    }
    Image as_svg(const std::vector<scene::Scene>& scenes) const {
        const Canvas canvas;
        SvgReader(canvas.cr).show(paint::paint_svg(pointers(scenes), kSize, kUnit, theme, fonts));
        return canvas.image();
    }
    template <class Wanted>
    std::vector<scene::Scene> only_those(Wanted wanted) const {
        std::vector<scene::Scene> some;
        for (const scene::Scene& one : window) some.push_back(only(one, wanted));
        return some;
    }

    static constexpr float kUnit = 0.8f;
    static constexpr scene::Vec kSize{kWidth, kHeight};
    const paint::Theme& theme = paint::themes()[GetParam() % paint::themes().size()];
    paint::Fonts fonts;
    state::FakeFiles files;
    std::vector<scene::Scene> window;
    Image screen;
};

TEST_P(VectorPicture, LooksLikeTheScreen) {
    EXPECT_LE(mean_difference(screen, as_pdf(window)), kPdf);
    EXPECT_LE(mean_difference(screen, as_svg(window)), kSvg);
}

TEST_P(VectorPicture, TellsWhatIsLeftOut) {
    const auto expect_told = [this](const std::string& what, const std::vector<scene::Scene>& rest) {
        EXPECT_GT(mean_difference(screen, as_pdf(rest)), kPdf) << what;
        EXPECT_GT(mean_difference(screen, as_svg(rest)), kSvg) << what;
    };
    expect_told("text", only_those([](const auto& shape) { return !std::holds_alternative<scene::Text>(shape); }));
    for (const scene::Role role : {scene::Role::kPanel, scene::Role::kActive}) {
        expect_told(std::string(scene::name(role)), only_those([role](const scene::Shape& shape) {
                        return std::visit(
                            [role](const auto& s) {
                                if constexpr (requires { s.ink; }) return s.ink.role != role;
                                return true;
                            },
                            shape);
                    }));
    }
}

TEST_P(VectorPicture, HoldsTheTextsOfTheScene) {
    const std::string svg = unescaped(paint::paint_svg(pointers(window), kSize, kUnit, theme, fonts));
    const scene::Box page{0, 0, kWidth / kUnit, kHeight / kUnit};
    int texts = 0;
    for (const scene::Scene& one : window) {
        for (const scene::Shape& shape : one.shapes) {
            if (std::holds_alternative<scene::ClipBegin>(shape)) break;  // what follows need not be in sight
            const auto* text = std::get_if<scene::Text>(&shape);
            if (!text || text->text.empty() || text->ink.opacity <= 0 || !page.contains(text->at)) continue;
            EXPECT_NE(svg.find(">" + text->text + "</text>"), std::string::npos) << text->text;
            ++texts;
        }
    }
    EXPECT_GT(texts, 30);
}

INSTANTIATE_TEST_SUITE_P(Views, VectorPicture, ::testing::Range<std::size_t>(0, scene::view_rows().size()),
                         [](const auto& one) { return std::string(scene::view_rows()[one.param].name); });

}  // namespace
}  // namespace warptree::shell
