// Pictures without a display: pixels where the scene says, the same bytes twice, sizes refused with a sentence.
#include "app/shell/offscreen.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace warptree::shell {
namespace {

using namespace scene;

paint::Colour pixel(const Image& image, int x, int y) {
    const std::uint8_t* p = image.rgb.data() + (std::size_t(y) * std::size_t(image.width) + std::size_t(x)) * 3;
    return {p[0], p[1], p[2]};
}

Scene sample() {
    Scene s;
    s.add(Rect{.box = {20, 20, 260, 160}, .ink = {Role::kPanel}, .radius = 12});
    s.add(Rect{.box = {40, 40, 40, 40}, .ink = {Role::kActive}, .radius = 8});
    s.add(Rect{.box = {100, 40, 40, 40},
               .ink = {Role::kDivergent},
               .fill = Fill::kHatched,
               .radius = 8,
               .outline = {Role::kDivergent},
               .outline_width = 1.5f});
    s.add(Rect{.box = {160, 40, 40, 40},
               .fill = Fill::kNone,
               .radius = 8,
               .outline = {Role::kIdle},
               .outline_width = 1.5f,
               .dashed = true});
    s.add(Disc{.centre = {240, 60},
               .radius = 18,
               .ink = {Role::kDivergent},
               .fill = Fill::kHatched,
               .outline = {Role::kDivergent},
               .outline_width = 1.5f});
    s.add(Curve{.from = {60, 80},
                .control_a = {60, 110},
                .control_b = {120, 90},
                .to = {120, 120},
                .ink = {Role::kActive},
                .width = 2});
    s.add(scene::Text{.at = {40, 140}, .text = "Σ 75.0 % ≤ ½ × “Warp” → 0", .size = 18});
    s.add(scene::Text{.at = {40, 165},
                      .text = "input[i] += input[i + stride];",
                      .face = Face::kMono,
                      .size = 14,
                      .ink = {Role::kTextDim}});
    return s;
}

class Picture : public ::testing::Test {
protected:
    void SetUp() override {
        auto made = Offscreen::make(fonts);
        ASSERT_TRUE(made) << made.error().message;
        offscreen = std::move(*made);
    }
    Result<Image> draw(const Scene& s, int width, int height, float scale = 1) {
        const Scene* scenes[] = {&s};
        return offscreen->draw(scenes, width, height, scale, paint::themes()[0]);
    }
    paint::Fonts fonts;
    std::unique_ptr<Offscreen> offscreen;
};

TEST_F(Picture, ShowsWhatTheSceneSays) {
    const auto image = draw(sample(), 300, 200);
    ASSERT_TRUE(image) << image.error().message;
    const paint::Theme& theme = paint::themes()[0];
    EXPECT_EQ(pixel(*image, 5, 5), theme.fill(Role::kBackground));
    EXPECT_EQ(pixel(*image, 150, 30), theme.fill(Role::kPanel));
    EXPECT_EQ(pixel(*image, 60, 60), theme.fill(Role::kActive));
    EXPECT_EQ(pixel(*image, 180, 60), theme.fill(Role::kPanel)) << "nothing inside a dashed outline";
    int lit = 0;
    for (int x = 40; x < 260; ++x) lit += pixel(*image, x, 140) != theme.fill(Role::kPanel);
    EXPECT_GT(lit, 20) << "text";
    if (const char* path = std::getenv("WARPTREE_TEST_PICTURE")) {
        const auto bytes = encode_png(*draw(sample(), 1200, 800, 4));
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes->data()), std::streamsize(bytes->size()));
    }
}

TEST_F(Picture, WhatTheTextureHoldsStandsOnItsPixels) {
    Scene s;
    s.add(Disc{.centre = {50.5f, 40.5f}, .radius = 6, .ink = {Role::kActive}});
    const auto image = draw(s, 100, 80);
    ASSERT_TRUE(image) << image.error().message;
    const int ground = pixel(*image, 2, 2).r, ink = paint::themes()[0].fill(Role::kActive).r;
    double area = 0, x_sum = 0, y_sum = 0;
    for (int y = 0; y < 80; ++y)
        for (int x = 0; x < 100; ++x) {
            const double covered = static_cast<double>(pixel(*image, x, y).r - ground) / (ink - ground);
            area += covered;
            x_sum += covered * (x + 0.5);
            y_sum += covered * (y + 0.5);
        }
    EXPECT_NEAR(area, 3.14159 * 36, 1.2) << "no texel left out, none of a neighbour's";
    EXPECT_NEAR(x_sum / area, 50.5, 0.2);
    EXPECT_NEAR(y_sum / area, 40.5, 0.2);
}

TEST_F(Picture, TheSameBytesEveryTime) {
    const auto first = draw(sample(), 640, 360, 1.3f);
    ASSERT_TRUE(draw(sample(), 300, 200));  // another size in between
    const auto second = draw(sample(), 640, 360, 1.3f);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->rgb, second->rgb);
    offscreen.reset();
    SetUp();
    EXPECT_EQ(*encode_png(*first), *encode_png(*draw(sample(), 640, 360, 1.3f)));
}

TEST_F(Picture, MoreNodesThanSixteenBitIndicesReach) {
    Scene s;
    for (int i = 0; i < 40000; ++i) {
        s.add(Rect{.box = {float(i % 200) * 2, float(i / 200) * 2, 2, 2}, .ink = {Role::kWritten}});
    }
    const auto image = draw(s, 400, 400);
    ASSERT_TRUE(image);
    for (const auto& [x, y] : {std::pair{1, 1}, {399, 399}, {200, 170}, {3, 250}}) {
        EXPECT_EQ(pixel(*image, x, y), paint::themes()[0].fill(Role::kWritten)) << x << ' ' << y;
    }
}

TEST_F(Picture, RefusesAbsurdSizes) {
    for (const auto& [w, h] : {std::pair{0, 100}, {100, -1}, {100000, 100}}) {
        const auto image = draw(sample(), w, h);
        ASSERT_FALSE(image);
        EXPECT_NE(image.error().message.find("16384"), std::string::npos) << image.error().message;
    }
}

TEST_F(Picture, PngHasItsSignatureAndSize) {
    const auto png = encode_png(*draw(sample(), 300, 200));
    ASSERT_TRUE(png);
    ASSERT_GT(png->size(), 30u);
    EXPECT_EQ((*png)[1], std::byte{'P'});
    EXPECT_EQ((*png)[19], std::byte{300 & 255});
    EXPECT_EQ((*png)[23], std::byte{200});
}

}  // namespace
}  // namespace warptree::shell
