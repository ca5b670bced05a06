// Fonts: widths, characters that no font of ours has, a system without fonts, and the atlas.
#include "app/paint/fonts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/paint/glyph_atlas.hpp"
#include "app/paint/utf8.hpp"

namespace warptree::paint {
namespace {

using scene::Face;

class NoFonts : public FontFinder {
public:
    std::optional<FontFile> face(Face) const override { return std::nullopt; }
    std::optional<FontFile> character(Face, char32_t) const override { return std::nullopt; }
};

class DamagedFonts : public FontFinder {
public:
    std::optional<FontFile> face(Face) const override { return FontFile{__FILE__, 0, "not a font"}; }
    std::optional<FontFile> character(Face, char32_t) const override { return FontFile{"/no/such.ttf", 0, "none"}; }
};

bool has_ink(const Bitmap& bitmap) {
    return std::ranges::any_of(bitmap.coverage, [](std::uint8_t c) { return c > 128; });
}

TEST(Fonts, WidthsAreLinearInTheSize) {
    const Fonts fonts;
    const float one = fonts.width("Warptree 0.5 × 8", Face::kSans, 10);
    EXPECT_GT(one, 40);
    EXPECT_NEAR(fonts.width("Warptree 0.5 × 8", Face::kSans, 73), one * 7.3f, 1e-3f * one * 7.3f);
    EXPECT_EQ(fonts.width("", Face::kSans, 10), 0);
    EXPECT_FLOAT_EQ(fonts.width("iiii", Face::kMono, 10), fonts.width("MMMM", Face::kMono, 10));
    EXPECT_LT(fonts.width("iiii", Face::kSans, 10), fonts.width("MMMM", Face::kSans, 10));
}

TEST(Fonts, EveryCharacterTheAppUsesHasAPicture) {
    const Fonts fonts;
    const std::string_view used = "Aé≤≥×·−Σ→←▸▾…²½–—’“”✓÷√∞";
    for (std::size_t at = 0; at < used.size();) {
        const char32_t c = next_character(used, at);
        for (const Face face : {Face::kSans, Face::kSansBold, Face::kMono, Face::kMonoBold}) {
            const Glyph glyph = fonts.glyph(face, c);
            EXPECT_NE(glyph.index, 0u) << "U+" << std::hex << static_cast<std::uint32_t>(c);
            EXPECT_NE(glyph.index, fonts.glyph(face, 0xfffd).index)
                << "U+" << std::hex << static_cast<std::uint32_t>(c);
            EXPECT_TRUE(has_ink(fonts.rasterise(glyph, 40, 0))) << "U+" << std::hex << static_cast<std::uint32_t>(c);
        }
    }
}

TEST(Fonts, CapitalsAreAsHighAsTheySay) {
    const Fonts fonts;
    for (const Face face : {Face::kSans, Face::kMono}) {
        const Bitmap h = fonts.rasterise(fonts.glyph(face, U'H'), 200, 0);
        EXPECT_NEAR(static_cast<float>(h.top), fonts.capital_height(face) * 200, 2);
    }
}

TEST(Fonts, ASystemWithoutFontsStillShowsText) {
    const NoFonts none;
    const DamagedFonts damaged;
    for (const FontFinder* finder : {static_cast<const FontFinder*>(&none), static_cast<const FontFinder*>(&damaged)}) {
        const Fonts fonts(*finder);
        ASSERT_EQ(fonts.messages().size(), 1u);
        EXPECT_NE(fonts.messages()[0].find("fonts-inter"), std::string::npos);
        EXPECT_GT(fonts.width("Hi", Face::kSans, 20), 5);
        EXPECT_TRUE(has_ink(fonts.rasterise(fonts.glyph(Face::kMono, U'W'), 26, 0)));
        EXPECT_GT(fonts.width("Σ", Face::kSans, 20), 0) << "something stands where a character is missing";
    }
}

TEST(Fonts, WhatNoFontHasIsSaidOnceAndWhatToInstall) {
    const NoFonts none;
    const Fonts fonts(none);
    EXPECT_EQ(fonts.missing(), "");
    fonts.width("漢字", Face::kSans, 20), fonts.width("漢", Face::kMono, 20);
    EXPECT_EQ(fonts.missing(),
              "No font here has 字 (U+5B57), 漢 (U+6F22), so \uFFFD stands there; a font with them is in Debian's "
              "fonts-noto-cjk.");
    fonts.width("漢", Face::kSansBold, 20);
    EXPECT_EQ(fonts.missing(), "") << "said already";
    fonts.width("Ω", Face::kSans, 20);
    EXPECT_EQ(fonts.missing(),
              "No font here has Ω (U+03A9), so \uFFFD stands there; a font with it is in Debian's fonts-noto-core.");
}

TEST(Utf8, DamagedTextIsReplacedNotFollowed) {
    for (const std::string text :
         {"\xff", "a\xc3", "\xe2\x82", "\xf0\x9f\x92", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
        bool replaced = false;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t before = at;
            replaced |= next_character(text, at) == 0xfffd;
            ASSERT_GT(at, before);
            ASSERT_LE(at, text.size());
        }
        EXPECT_TRUE(replaced);
    }
    std::size_t at = 0;
    EXPECT_EQ(next_character("≤", at), U'≤');
    at = 0;
    EXPECT_EQ(next_character("𝛴", at), U'𝛴');
}

TEST(Atlas, KeepsGlyphsAndGrowsWhenFull) {
    const Fonts fonts;
    GlyphAtlas atlas(fonts, 64);
    const Glyph w = fonts.glyph(Face::kSans, U'W');
    const auto first = atlas.find(w, 20, 0);
    ASSERT_TRUE(first);
    EXPECT_GT(first->width, 10);
    EXPECT_EQ(atlas.take_dirty().last, 64);
    EXPECT_EQ(atlas.find(w, 20, 0)->x, first->x);
    const auto nothing_new = atlas.take_dirty();
    EXPECT_EQ(nothing_new.first, nothing_new.last);
    EXPECT_EQ(atlas.pixels()[0], 255) << "the white patch";

    bool full = false;
    for (char32_t c = U'a'; c <= U'z' && !full; ++c) full = !atlas.find(fonts.glyph(Face::kSansBold, c), 30, 0);
    EXPECT_TRUE(full);
    EXPECT_TRUE(atlas.overflowed());
    atlas.grow();
    EXPECT_EQ(atlas.size(), 128);
    EXPECT_FALSE(atlas.overflowed());
    EXPECT_TRUE(atlas.find(w, 20, 0));
}

TEST(Atlas, GlyphsDoNotOverlap) {
    const Fonts fonts;
    GlyphAtlas atlas(fonts, 512);
    std::vector<AtlasGlyph> all;
    for (const float size : {11.0f, 18.25f, 34.0f}) {
        for (char32_t c = 33; c < 127; ++c) {
            const auto glyph = atlas.find(fonts.glyph(Face::kSans, c), size, 0.3f);
            ASSERT_TRUE(glyph);
            all.push_back(*glyph);
        }
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const AtlasGlyph &a = all[i], &b = all[j];
            EXPECT_TRUE(a.x >= b.x + b.width || b.x >= a.x + a.width || a.y >= b.y + b.height || b.y >= a.y + a.height);
        }
    }
}

}  // namespace
}  // namespace warptree::paint
