// Fonts on FreeType.
#include "app/paint/fonts.hpp"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include FT_TRUETYPE_TABLES_H
#include <imgui.h>

#include <array>
#include <cmath>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "app/paint/utf8.hpp"

namespace warptree::paint {
namespace {

constexpr std::size_t kFaces = 4;

/// The font inside Dear ImGui, as the bytes of a TrueType file.
const std::vector<std::uint8_t>& built_in_font() {
    static const std::vector<std::uint8_t> font = [] {
        ImFontAtlas atlas;
        atlas.AddFontDefault();
#if IMGUI_VERSION_NUM >= 19200
        const ImFontConfig& config = *atlas.Sources[0];
#else
        const ImFontConfig& config = atlas.ConfigData[0];
#endif
        const auto* bytes = static_cast<const std::uint8_t*>(config.FontData);
        return std::vector(bytes, bytes + config.FontDataSize);
    }();
    return font;
}

/// file  without a path: the one inside Dear ImGui
FT_Face open_font(FT_Library library, const FontFile& file) {
    FT_Face font = nullptr;
    if (!file.path.empty()) {
        FT_New_Face(library, file.path.string().c_str(), file.index, &font);
    } else {
        const auto& bytes = built_in_font();
        FT_New_Memory_Face(library, bytes.data(), static_cast<FT_Long>(bytes.size()), 0, &font);
    }
    return font;
}

float capital_height_of(FT_Face face) {
    const auto* os2 = static_cast<const TT_OS2*>(FT_Get_Sfnt_Table(face, FT_SFNT_OS2));
    if (os2 && os2->version >= 2 && os2->version != 0xffff && os2->sCapHeight > 0) {
        return static_cast<float>(os2->sCapHeight) / static_cast<float>(face->units_per_EM);
    }
    if (FT_Load_Char(face, 'H', FT_LOAD_NO_SCALE) == 0) {
        return static_cast<float>(face->glyph->metrics.horiBearingY) / static_cast<float>(face->units_per_EM);
    }
    return 0.7f;
}

/// The package of Debian that has a character, most likely.
std::string_view package_of(char32_t c) {
    const auto in = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
    const bool east = in(0x1100, 0x11ff) || in(0x2e80, 0xa4cf) || in(0xac00, 0xd7ff) || in(0xf900, 0xfaff) ||
                      in(0xfe30, 0xfe4f) || in(0xff00, 0xffef) || in(0x20000, 0x3ffff);
    const bool symbol = in(0x2190, 0x2bff) || in(0x1f000, 0x1fbff);
    return east ? "fonts-noto-cjk" : symbol ? "fonts-symbola" : c < 0x3000 ? "fonts-noto-core" : "fonts-unifont";
}

}  // namespace

struct Fonts::State {
    const FontFinder* finder = nullptr;
    FT_Library library = nullptr;
    std::vector<FT_Face> fonts;
    std::vector<FontFile> files;               // (fonts,); without a path: the one inside Dear ImGui
    std::array<std::uint16_t, kFaces> main{};  // font of each face
    std::array<float, kFaces> capital{};
    std::array<std::array<Glyph, 128>, kFaces> ascii{};
    std::unordered_map<std::uint64_t, Glyph> others;
    std::set<char32_t> missing, told;  // characters that no font has

    ~State() {
        for (FT_Face font : fonts) FT_Done_Face(font);
        if (library) FT_Done_FreeType(library);
    }

    /// Opens a file once. returns its place in `fonts`, or -1
    int open(const FontFile& file) {
        for (std::size_t i = 0; i < files.size(); ++i) {
            if (files[i].path == file.path && files[i].index == file.index) return static_cast<int>(i);
        }
        FT_Face font = open_font(library, file);
        if (font == nullptr) return -1;
        if (!FT_IS_SCALABLE(font)) {
            FT_Done_Face(font);
            return -1;
        }
        fonts.push_back(font);
        files.push_back(file);
        return static_cast<int>(fonts.size() - 1);
    }

    Glyph load(std::uint16_t font, std::uint32_t index) const {
        Glyph glyph{font, index, 0};
        if (FT_Load_Glyph(fonts[font], index, FT_LOAD_NO_SCALE) == 0) {
            glyph.advance =
                static_cast<float>(fonts[font]->glyph->advance.x) / static_cast<float>(fonts[font]->units_per_EM);
        }
        return glyph;
    }

    /// The character in the face's font, else in one that is already open, else in any that the system has.
    Glyph find(scene::Face face, char32_t character) {
        const std::uint16_t first = main[static_cast<std::size_t>(face)];
        if (const auto index = FT_Get_Char_Index(fonts[first], character)) return load(first, index);
        const auto file = finder->character(face, character);
        if (const int other = file ? open(*file) : -1; other >= 0)
            if (const auto index = FT_Get_Char_Index(fonts[static_cast<std::size_t>(other)], character))
                return load(static_cast<std::uint16_t>(other), index);
        if (character > 0x20 && character != 0xfffd) missing.insert(character);
        if (character != 0xfffd && character != '?') return find(face, character > 0x7f ? 0xfffd : U'?');
        return character == 0xfffd ? find(face, U'?') : load(first, 0);
    }
};

Fonts::Fonts(const FontFinder& finder) : state_(std::make_unique<State>()) {
    State& state = *state_;
    state.finder = &finder;
    FT_Init_FreeType(&state.library);
    int built_in = -1;
    for (std::size_t i = 0; i < kFaces; ++i) {
        const auto file = finder.face(static_cast<scene::Face>(i));
        int font = file ? state.open(*file) : -1;
        if (font < 0) {
            if (built_in < 0) {
                built_in = state.open({});
                messages_.emplace_back(
                    "No usable font was found on this system, so a plain built-in one is shown; install Inter and "
                    "JetBrains Mono (Debian: fonts-inter, fonts-jetbrains-mono) for readable text.");
            }
            font = built_in;
        }
        state.main[i] = static_cast<std::uint16_t>(font);
        state.capital[i] = capital_height_of(state.fonts[static_cast<std::size_t>(font)]);
    }
    for (std::size_t face = 0; face < kFaces; ++face) {
        for (char32_t c = 32; c < 127; ++c) state.ascii[face][c] = state.find(static_cast<scene::Face>(face), c);
    }
}

Fonts::~Fonts() = default;

Glyph Fonts::glyph(scene::Face face, char32_t character) const {
    const auto f = static_cast<std::size_t>(face);
    if (character < 128) return state_->ascii[f][character];
    const std::uint64_t key = (std::uint64_t{f} << 32) | character;
    const auto [found, is_new] = state_->others.try_emplace(key);
    if (is_new) found->second = state_->find(face, character);
    return found->second;
}

float Fonts::width(std::string_view text, scene::Face face, float size) const {
    float em = 0;
    for (std::size_t at = 0; at < text.size();) em += glyph(face, next_character(text, at)).advance;
    return em * size;
}

float Fonts::capital_height(scene::Face face) const {
    return state_->capital[static_cast<std::size_t>(face)];
}

std::string Fonts::family(scene::Face face) const {
    const char* name = state_->fonts[state_->main[static_cast<std::size_t>(face)]]->family_name;
    return name ? name : "";
}

std::string Fonts::missing() const {
    constexpr std::size_t kMost = 8;
    std::string characters;
    std::set<std::string_view> packages;
    std::size_t count = 0;
    for (const char32_t c : state_->missing) {
        if (!state_->told.insert(c).second) continue;
        packages.insert(package_of(c));
        if (++count > kMost) continue;
        if (count > 1) characters += ", ";
        append_character(characters, c);
        characters += fmt::format(" (U+{:04X})", static_cast<std::uint32_t>(c));
    }
    if (count == 0) return {};
    if (count > kMost) characters += fmt::format(" and {} more", count - kMost);
    return fmt::format("No font here has {}, so \uFFFD stands there; a font with {} is in Debian's {}.", characters,
                       count == 1 ? "it" : "them", fmt::join(packages, ", "));
}

std::shared_ptr<FT_FaceRec_> Fonts::open_again(std::uint16_t font) const {
    FT_Library library = nullptr;
    FT_Init_FreeType(&library);
    return {open_font(library, state_->files[font]), [library](FT_Face face) {
                if (face) FT_Done_Face(face);
                FT_Done_FreeType(library);
            }};
}

Bitmap Fonts::rasterise(const Glyph& glyph, float size, float shift) const {
    Bitmap bitmap;
    FT_Face font = state_->fonts[glyph.font];
    FT_Set_Char_Size(font, 0, std::lround(size * 64), 72, 72);
    // Light hinting moves outlines up and down only: sharp baselines, true widths.
    if (FT_Load_Glyph(font, glyph.index, FT_LOAD_TARGET_LIGHT | FT_LOAD_NO_BITMAP) != 0) return bitmap;
    FT_GlyphSlot slot = font->glyph;
    if (slot->format != FT_GLYPH_FORMAT_OUTLINE) return bitmap;
    FT_Outline_Translate(&slot->outline, std::lround(shift * 64), 0);
    if (FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) != 0) return bitmap;

    bitmap.left = slot->bitmap_left;
    bitmap.top = slot->bitmap_top;
    bitmap.width = static_cast<int>(slot->bitmap.width);
    bitmap.height = static_cast<int>(slot->bitmap.rows);
    bitmap.coverage.resize(static_cast<std::size_t>(bitmap.width) * static_cast<std::size_t>(bitmap.height));
    for (int y = 0; y < bitmap.height; ++y) {
        const std::uint8_t* row = slot->bitmap.buffer + y * slot->bitmap.pitch;
        std::copy(row, row + bitmap.width, bitmap.coverage.begin() + std::ptrdiff_t{y} * bitmap.width);
    }
    return bitmap;
}

}  // namespace warptree::paint
