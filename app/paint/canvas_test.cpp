// The painter's triangles: where they are, what colour, how many, how fast.
#include "app/paint/canvas.hpp"

#include <gtest/gtest.h>

namespace warptree::paint {
namespace {

using namespace scene;

class Painting : public testing::Test {
protected:
    const ImDrawList& paint(const Scene& scene, float scale = 1, int width = 400, int height = 300) {
        const Scene* scenes[] = {&scene};
        canvas.paint(scenes, width, height, scale, themes()[0], 1);
        return *canvas.data().CmdLists[0];
    }
    Box extent(const ImDrawList& list) const {
        float x0 = 1e9f, y0 = 1e9f, x1 = -1e9f, y1 = -1e9f;
        for (const ImDrawVert& v : list.VtxBuffer) {
            x0 = std::min(x0, v.pos.x), x1 = std::max(x1, v.pos.x);
            y0 = std::min(y0, v.pos.y), y1 = std::max(y1, v.pos.y);
        }
        return {x0, y0, x1 - x0, y1 - y0};
    }
    static constexpr double kPi = 3.14159265;
    /// Pixels that an entry covers.
    static double covered(const GlyphAtlas& atlas, const AtlasGlyph& entry) {
        double sum = 0;
        for (int y = 0; y < entry.height; ++y)
            for (int x = 0; x < entry.width; ++x)
                sum += atlas.pixels()[static_cast<std::size_t>((entry.y + y) * atlas.size() + entry.x + x)] / 255.0;
        return sum;
    }
    Fonts fonts;
    Canvas canvas{fonts};
};

TEST_F(Painting, ARectangleStandsWhereItIsToldAtAnyScale) {
    Scene scene;
    scene.add(Rect{.box = {10, 20, 30, 40}, .ink = {Role::kActive, 1}});
    for (const float scale : {1.0f, 1.5f, 2.0f}) {
        const Box box = extent(paint(scene, scale));
        EXPECT_NEAR(box.x, 10 * scale, 0.51f);
        EXPECT_NEAR(box.y, 20 * scale, 0.51f);
        EXPECT_NEAR(box.right(), 40 * scale, 0.51f);
        EXPECT_NEAR(box.bottom(), 60 * scale, 0.51f);
    }
}

TEST_F(Painting, HatchAndOutlineStayWithinTheShape) {
    for (const float size : {10.0f, 34.0f, 200.0f}) {
        Scene scene;
        scene.add(Rect{.box = {50, 50, size, size},
                       .ink = {Role::kDivergent},
                       .fill = Fill::kHatched,
                       .radius = size / 4,
                       .outline = {Role::kDivergent},
                       .outline_width = 2});
        scene.add(Disc{.centre = {50 + size / 2, 50 + size / 2},
                       .radius = size / 2,
                       .ink = {Role::kDivergent},
                       .fill = Fill::kHatched,
                       .outline = {Role::kIdle},
                       .outline_width = 2,
                       .dashed = true});
        const Box box = extent(paint(scene));
        EXPECT_GE(box.x, 49) << size;
        EXPECT_LE(box.right(), 51 + size) << size;
    }
}

TEST_F(Painting, OpacityAndRoleGiveTheColour) {
    Scene scene;
    scene.add(Rect{.box = {0, 0, 10, 10}, .ink = {Role::kWritten, 0.5f}});
    const Colour c = themes()[0].fill(Role::kWritten);
    EXPECT_EQ(paint(scene).VtxBuffer[0].col, IM_COL32(c.r, c.g, c.b, 128));
}

TEST_F(Painting, TextIsOneRectangleAGlyphAndAligned) {
    Scene scene;
    scene.add(Text{.at = {200, 100}, .text = "ab c", .face = Face::kMono, .size = 20, .align = Align::kRight});
    const ImDrawList& list = paint(scene);
    EXPECT_EQ(list.VtxBuffer.Size, 3 * 4);
    const Box right = extent(list);
    EXPECT_LE(right.right(), 201);
    EXPECT_GT(right.right(), 190);
    std::get<Text>(scene.shapes[0]).align = Align::kLeft;
    EXPECT_GE(extent(paint(scene)).x, 199);
    std::get<Text>(scene.shapes[0]).align = Align::kCentre;
    EXPECT_NEAR(extent(paint(scene)).centre().x, 200, 2);
}

TEST_F(Painting, ACapitalsMiddleIsOnTheLine) {
    for (const float size : {12.0f, 18.0f, 60.0f}) {
        Scene scene;
        scene.add(Text{.at = {100, 100}, .text = "H", .size = size});
        EXPECT_NEAR(extent(paint(scene)).centre().y, 100, 1.01f) << size;
    }
}

TEST_F(Painting, WhatIsOutsideIsNotBuilt) {
    Scene scene;
    scene.add(Rect{.box = {500, 20, 30, 40}});
    scene.add(Text{.at = {20, 900}, .text = "below"});
    scene.add(ClipBegin{{0, 0, 50, 50}});
    scene.add(Disc{.centre = {100, 100}, .radius = 20});
    scene.add(ClipEnd{});
    EXPECT_EQ(paint(scene).VtxBuffer.Size, 0);
    scene.add(Disc{.centre = {100, 100}, .radius = 20});
    EXPECT_GT(paint(scene).VtxBuffer.Size, 0) << "the clip has ended";
}

TEST_F(Painting, ACurveIsDrawnAsFarAsItSays) {
    Scene scene;
    scene.add(Curve{
        .from = {0, 0}, .control_a = {40, 0}, .control_b = {60, 100}, .to = {100, 100}, .width = 2, .drawn = 0.5f});
    EXPECT_NEAR(extent(paint(scene)).right(), 50, 2);
    std::get<Curve>(scene.shapes[0]).drawn = 0;
    EXPECT_EQ(paint(scene).VtxBuffer.Size, 0);
}

TEST_F(Painting, ManySizesMakeTheAtlasGrowWithoutLosingText) {
    Scene scene;
    for (int size = 10; size < 150; ++size) {
        scene.add(Text{.at = {0, 150}, .text = "Warp", .size = static_cast<float>(size)});
    }
    EXPECT_EQ(paint(scene).VtxBuffer.Size, 140 * 4 * 4);
    EXPECT_GT(canvas.atlas().size(), 1024);
}

TEST_F(Painting, ARoundedBoxIsThreeRectanglesAndFourCorners) {
    Scene scene;
    scene.add(Rect{.box = {20, 30, 100, 60}, .ink = {Role::kPanel}, .radius = 12});
    EXPECT_EQ(paint(scene).VtxBuffer.Size, (3 + 4) * 4) << "many panels a frame: each triangle counts";
    const Box box = extent(paint(scene));
    EXPECT_EQ(box, (Box{20, 30, 100, 60})) << "on whole pixels, and no soft rim outside";
}

TEST_F(Painting, SmallDiscsAndStraightDashesAreOneRectangleEach) {
    Scene disc;
    disc.add(Disc{
        .centre = {50.3f, 60.8f}, .radius = 5, .ink = {Role::kActive}, .outline = {Role::kLine}, .outline_width = 1});
    EXPECT_EQ(paint(disc).VtxBuffer.Size, 2 * 4) << "a thousand lanes a frame: each triangle counts";
    const Box box = extent(paint(disc));
    EXPECT_NEAR(box.centre().x, 50.3f, 0.75f);
    EXPECT_NEAR(box.centre().y, 60.8f, 0.75f);
    Scene dashed;
    dashed.add(Rect{
        .box = {20, 30, 90, 45}, .fill = Fill::kNone, .outline = {Role::kIdle}, .outline_width = 1, .dashed = true});
    EXPECT_LE(paint(dashed).VtxBuffer.Size, 30 * 4 + 4 * 16) << "all but the corners";
}

TEST_F(Painting, ADiscsCoverageIsItsArea) {
    GlyphAtlas atlas(fonts);
    for (const float fraction : {0.0f, 0.4f, 0.99f}) {
        EXPECT_NEAR(covered(atlas, *atlas.disc(6, 0, fraction, 0.5f)), kPi * 36, 0.7);
        EXPECT_NEAR(covered(atlas, *atlas.disc(6, 1.5f, 0, fraction)), kPi * (36 - 4.5 * 4.5), 0.7);
    }
}

TEST_F(Painting, ACornersCoverageIsThatOfAQuarterDisc) {
    GlyphAtlas atlas(fonts);
    const auto covered_by = [&](float radius, float stroke) { return covered(atlas, *atlas.corner(radius, stroke)); };
    EXPECT_NEAR(covered_by(16, 0), kPi * 16 * 16 / 4, 0.7);
    EXPECT_NEAR(covered_by(16, 2), kPi * (16 * 16 - 14 * 14) / 4, 0.7);
    EXPECT_NEAR(covered_by(8, 8), kPi * 8 * 8 / 4, 0.5) << "a line as thick as the radius fills it";
}

}  // namespace
}  // namespace warptree::paint
