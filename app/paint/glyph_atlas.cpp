// Packing glyphs onto shelves.
#include "app/paint/glyph_atlas.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warptree::paint {
namespace {

constexpr int kGap = 1;        // texels between glyphs, so that filtering never mixes two
constexpr int kWhite = 4;      // side of the white patch in the first corner
constexpr int kFractions = 4;  // positions of the pen within a pixel

constexpr std::uint64_t kCornerKey = std::uint64_t{0xffff} << 48;  // in place of a font
constexpr std::uint64_t kDiscKey = std::uint64_t{0xfffe} << 48;

/// Whether a point is inside a quarter of a rounded rectangle that begins at (inset, inset).
bool in_corner(float x, float y, float inset, float radius) {
    x -= inset, y -= inset;
    if (x < 0 || y < 0) return false;
    if (x >= radius || y >= radius) return true;
    return (x - radius) * (x - radius) + (y - radius) * (y - radius) <= radius * radius;
}

/// Pixels from `from` up to `end`, each way, of a shape; inside(x, y) tells it, at many points of each.
template <class Inside>
Bitmap sampled(int from, int end, Inside inside) {
    constexpr int kSamples = 8;  // each way
    const auto at = [](int pixel, int sample) {
        return static_cast<float>(pixel) + (static_cast<float>(sample) + 0.5f) / kSamples;
    };
    Bitmap bitmap{from, -from, end - from, end - from, {}};
    for (int y = from; y < end; ++y) {
        for (int x = from; x < end; ++x) {
            int hits = 0;
            for (int i = 0; i < kSamples * kSamples; ++i) hits += inside(at(x, i % kSamples), at(y, i / kSamples));
            bitmap.coverage.push_back(static_cast<std::uint8_t>(255 * hits / (kSamples * kSamples)));
        }
    }
    return bitmap;
}

Bitmap corner_bitmap(float radius, float stroke) {
    return sampled(0, GlyphAtlas::corner_side(radius), [&](float x, float y) {
        const bool hole = stroke > 0 && in_corner(x, y, stroke, std::max(0.0f, radius - stroke));
        return in_corner(x, y, 0, radius) && !hole;
    });
}

/// centre  within the pixel that is the bitmap's origin
Bitmap disc_bitmap(float radius, float stroke, float centre_x, float centre_y) {
    const int reach = static_cast<int>(std::ceil(radius)) + 1;
    const float hole = stroke > 0 ? std::max(0.0f, radius - stroke) : 0;
    return sampled(-reach, reach + 1, [&](float x, float y) {
        const float square = (x - centre_x) * (x - centre_x) + (y - centre_y) * (y - centre_y);
        return square <= radius * radius && square >= hole * hole;
    });
}

/// Pixels in quarters.
std::uint64_t quarters(float pixels) {
    return static_cast<std::uint64_t>(std::lround(pixels * 4));
}

}  // namespace

GlyphAtlas::GlyphAtlas(const Fonts& fonts, int size) : fonts_(&fonts) {
    clear(size);
}

void GlyphAtlas::clear(int size) {
    size_ = size;
    pixels_.assign(static_cast<std::size_t>(size) * static_cast<std::size_t>(size), 0);
    for (int y = 0; y < kWhite; ++y) std::fill_n(pixels_.begin() + std::ptrdiff_t{y} * size, kWhite, std::uint8_t{255});
    glyphs_.clear();
    shelves_.clear();
    next_y_ = kWhite + kGap;
    dirty_ = {0, size};
    overflowed_ = false;
}

void GlyphAtlas::grow() {
    clear(std::min(size_ * 2, kMaxSize));
}

float GlyphAtlas::rounded(float size) {
    const float grain = size < 32 ? 4.0f : size < 64 ? 2.0f : 1.0f;
    return std::max(1.0f, std::round(size * grain) / grain);
}

std::optional<AtlasGlyph> GlyphAtlas::find(const Glyph& glyph, float size, float fraction) {
    const float kept = rounded(size);
    const auto step = std::min(static_cast<int>(fraction * kFractions), kFractions - 1);
    const std::uint64_t key = std::uint64_t{glyph.font} << 48 | std::uint64_t{glyph.index} << 24 | quarters(kept) << 2 |
                              static_cast<std::uint64_t>(step);
    if (const auto found = glyphs_.find(key); found != glyphs_.end()) return found->second;
    return keep(key, fonts_->rasterise(glyph, kept, static_cast<float>(step) / kFractions));
}

std::optional<AtlasGlyph> GlyphAtlas::corner(float radius, float stroke) {
    const std::uint64_t key = kCornerKey | quarters(radius) << 16 | quarters(stroke);
    if (const auto found = glyphs_.find(key); found != glyphs_.end()) return found->second;
    return keep(key, corner_bitmap(static_cast<float>(quarters(radius)) / 4, static_cast<float>(quarters(stroke)) / 4));
}

std::optional<AtlasGlyph> GlyphAtlas::disc(float radius, float stroke, float fraction_x, float fraction_y) {
    const auto step = [](float fraction) {
        return static_cast<std::uint64_t>(std::clamp(static_cast<int>(fraction * kFractions), 0, kFractions - 1));
    };
    const std::uint64_t x = step(fraction_x), y = step(fraction_y);
    const std::uint64_t key = kDiscKey | quarters(radius) << 20 | quarters(stroke) << 4 | x << 2 | y;
    if (const auto found = glyphs_.find(key); found != glyphs_.end()) return found->second;
    const auto middle = [](std::uint64_t at) { return (static_cast<float>(at) + 0.5f) / kFractions; };
    return keep(key, disc_bitmap(static_cast<float>(quarters(radius)) / 4, static_cast<float>(quarters(stroke)) / 4,
                                 middle(x), middle(y)));
}

std::optional<AtlasGlyph> GlyphAtlas::keep(std::uint64_t key, const Bitmap& bitmap) {
    AtlasGlyph entry{0, 0, bitmap.width, bitmap.height, bitmap.left, bitmap.top};
    if (bitmap.width > 0 && bitmap.height > 0) {
        if (bitmap.width > kMaxSize / 4 || bitmap.height > kMaxSize / 4) return AtlasGlyph{};
        if (!place(bitmap.width, bitmap.height, entry.x, entry.y)) {
            overflowed_ = true;
            return std::nullopt;
        }
        for (int y = 0; y < bitmap.height; ++y) {
            std::copy_n(bitmap.coverage.begin() + std::ptrdiff_t{y} * bitmap.width, bitmap.width,
                        pixels_.begin() + (std::ptrdiff_t{entry.y} + y) * size_ + entry.x);
        }
        dirty_ = dirty_.first == dirty_.last
                     ? Rows{entry.y, entry.y + bitmap.height}
                     : Rows{std::min(dirty_.first, entry.y), std::max(dirty_.last, entry.y + bitmap.height)};
    }
    glyphs_.emplace(key, entry);
    return entry;
}

bool GlyphAtlas::place(int width, int height, int& x, int& y) {
    // The lowest shelf that is high enough and wastes at most a third.
    Shelf* best = nullptr;
    for (Shelf& shelf : shelves_) {
        const bool fits =
            shelf.height >= height && shelf.height <= height * 3 / 2 + 2 && shelf.used + width + kGap <= size_;
        if (fits && (!best || shelf.height < best->height)) best = &shelf;
    }
    if (!best) {
        const int shelf_height = height + height / 8;
        if (next_y_ + shelf_height + kGap > size_ || width + kGap > size_) return false;
        shelves_.push_back({next_y_, shelf_height, 0});
        next_y_ += shelf_height + kGap;
        best = &shelves_.back();
    }
    x = best->used;
    y = best->y;
    best->used += width + kGap;
    return true;
}

GlyphAtlas::Rows GlyphAtlas::take_dirty() {
    return std::exchange(dirty_, {});
}

}  // namespace warptree::paint
