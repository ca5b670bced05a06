// Vector files: what is in them as text, and of what size they are. How they look: vector_test.cpp beside the shell.
#include "app/paint/vector_painters.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/paint/utf8.hpp"

namespace warptree::paint {
namespace {

using namespace scene;
using testing::HasSubstr;
using testing::Not;

class Vectors : public testing::Test {
protected:
    std::string svg(float scale = 1) {
        const Scene* scenes[] = {&scene};
        return paint_svg(scenes, {400, 300}, scale, themes()[0], fonts);
    }
    std::string pdf() {
        const Scene* scenes[] = {&scene};
        const auto bytes = paint_pdf(scenes, {400, 300}, 1, themes()[0], fonts);
        EXPECT_TRUE(bytes) << bytes.error().message;
        return bytes ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()) : "";
    }
    Fonts fonts;
    Scene scene;
};

TEST_F(Vectors, TextStaysText) {
    scene.add(Text{.at = {200, 100}, .text = "a < b && Σ \"½\"\x01\xff", .size = 20, .align = Align::kCentre});
    const std::string file = svg();
    EXPECT_THAT(file, HasSubstr(">a &lt; b &amp;&amp; Σ &quot;½&quot;\uFFFD</text>"));
    EXPECT_THAT(file, HasSubstr("<text x=\"200\" y=\"107\" text-anchor=\"middle\""));
    EXPECT_THAT(file, HasSubstr("font-size=\"20\""));
    const auto width = fonts.width("a < b && Σ \"½\"\x01\xff", Face::kSans, 20);
    EXPECT_THAT(file, HasSubstr("textLength=\"" + fmt::format("{:.5g}", width))) << "whatever the reader's fonts are";
}

TEST_F(Vectors, ShapesAreOneElementEach) {
    scene.add(Rect{.box = {10, 20, 30, 40}, .ink = {Role::kActive}, .radius = 4});
    scene.add(
        Disc{.centre = {100, 50}, .radius = 9, .fill = Fill::kNone, .outline = {Role::kLine}, .outline_width = 2});
    scene.add(
        Curve{.from = {0, 0}, .control_a = {1, 0}, .control_b = {2, 3}, .to = {3, 3}, .ink = {Role::kLine, 0.5f}});
    scene.add(ClipBegin{{0, 0, 50, 50}});
    scene.add(Rect{.box = {60, 0, 9, 9}, .ink = {Role::kWrong}});  // outside of it
    const std::string file = svg(2);
    EXPECT_THAT(file, HasSubstr("width=\"400\" height=\"300\" viewBox=\"0 0 400 300\""));
    EXPECT_THAT(file, HasSubstr("<rect x=\"20\" y=\"40\" width=\"60\" height=\"80\" rx=\"8\" fill=\"#f2a93b\"/>"));
    EXPECT_THAT(
        file,
        HasSubstr("<circle cx=\"200\" cy=\"100\" r=\"16\" fill=\"none\" stroke=\"#343f54\" stroke-width=\"4\"/>"));
    EXPECT_THAT(
        file,
        HasSubstr(
            "<path d=\"M0,0 C2,0 4,6 6,6\" fill=\"none\" stroke=\"#343f54\" opacity=\"0.5\" stroke-width=\"2\"/>"));
    EXPECT_THAT(file, HasSubstr("<g clip-path=\"url(#clip1)\">\n</g>\n</svg>")) << "closed, and empty";
}

TEST_F(Vectors, APdfHasItsPageAndItsFonts) {
    scene.add(Text{.at = {20, 100}, .text = "Warp \xff ½", .size = 20});
    const std::string file = pdf();
    EXPECT_EQ(file.substr(0, 5), "%PDF-");
    EXPECT_THAT(file.substr(file.size() - 8), HasSubstr("%%EOF"));
    EXPECT_THAT(file, HasSubstr("/MediaBox [ 0 0 400 300 ]"));
    EXPECT_THAT(file, HasSubstr("/ToUnicode")) << "letters that can be copied";
    scene.shapes.clear();
    EXPECT_THAT(pdf(), Not(HasSubstr("/ToUnicode")));
}

TEST_F(Vectors, WithoutAnyFontTheyAreDrawnWithTheOneBuiltIn) {
    struct Nothing : FontFinder {
        std::optional<FontFile> face(Face) const override { return {}; }
        std::optional<FontFile> character(Face, char32_t) const override { return {}; }
    } nothing;
    const Fonts none(nothing);
    scene.add(Text{.at = {20, 100}, .text = "Warp ½", .size = 20});
    const Scene* scenes[] = {&scene};
    EXPECT_TRUE(paint_pdf(scenes, {400, 300}, 1, themes()[0], none));
    EXPECT_THAT(paint_svg(scenes, {400, 300}, 1, themes()[0], none), HasSubstr(">Warp ½</text>"));
}

TEST(Utf8, IsWrittenAsItIsRead) {
    const std::string_view all = "a \u00bd \u2264 \uffff \U0001f3c6 \U0010ffff";
    std::string written;
    for (std::size_t i = 0; i < all.size();) append_character(written, next_character(all, i));
    EXPECT_EQ(written, all);
}

}  // namespace
}  // namespace warptree::paint
