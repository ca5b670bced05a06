// The glyph atlas: one texture with every glyph, round corner and small disc drawn so far and a white patch, so that a
// whole window is painted with a single texture. Filled as text is drawn; uploaded by its owner when dirty.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "app/paint/fonts.hpp"

namespace warptree::paint {

/// Where one glyph stands in the texture, and where to draw it from the pen.
struct AtlasGlyph {
    int x = 0, y = 0, width = 0, height = 0;  // texels
    int left = 0, top = 0;                    // pixels; see Bitmap
};

class GlyphAtlas {
public:
    static constexpr int kMaxSize = 8192;

    explicit GlyphAtlas(const Fonts& fonts, int size = 1024);

    /// The glyph at a size in pixels, with the pen `fraction` (0..1) to the right of a pixel's edge.
    /// returns  nothing where the atlas is full; then overflowed() is true until grow()
    std::optional<AtlasGlyph> find(const Glyph& glyph, float size, float fraction);
    /// The upper left corner of a rounded rectangle, filled or stroked: whole pixels from the rectangle's own corner
    /// on. radius, stroke  pixels, kept to a quarter; stroke 0: filled. The square is as wide as corner_side(radius).
    std::optional<AtlasGlyph> corner(float radius, float stroke);
    /// A disc, or of `stroke` pixels along the inside of its rim a ring, as a glyph whose pen is its centre. radius,
    /// stroke and the centre's fractions of a pixel (0..1) are kept to a quarter.
    std::optional<AtlasGlyph> disc(float radius, float stroke, float fraction_x, float fraction_y);
    static constexpr float kMostDisc = 24;
    static int corner_side(float radius) { return radius < 1 ? 0 : static_cast<int>(radius); }
    static constexpr float kMostRadius = 200;
    /// Rounds a size to one the atlas keeps: quarters of a pixel for small text, whole pixels for big.
    static float rounded(float size);

    bool overflowed() const { return overflowed_; }
    /// Makes room: twice as large, or, at kMaxSize, empty. What was built with the old contents has to be built again.
    void grow();

    int size() const { return size_; }
    const std::vector<std::uint8_t>& pixels() const { return pixels_; }  // (size, size) coverage
    /// Rows changed since the last call: [first, last).
    struct Rows {
        int first = 0, last = 0;
    };
    Rows take_dirty();

private:
    void clear(int size);
    bool place(int width, int height, int& x, int& y);
    std::optional<AtlasGlyph> keep(std::uint64_t key, const Bitmap& bitmap);

    const Fonts* fonts_;
    int size_ = 0;
    std::vector<std::uint8_t> pixels_;
    std::unordered_map<std::uint64_t, AtlasGlyph> glyphs_;
    struct Shelf {
        int y, height, used;
    };
    std::vector<Shelf> shelves_;
    int next_y_ = 0;
    Rows dirty_;
    bool overflowed_ = false;
};

}  // namespace warptree::paint
