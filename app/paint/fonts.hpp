// Fonts: advances for the layout of scenes, and pictures of glyphs for the painter, both from FreeType.
//
// Widths are linear in the size (unhinted advances), so a scene laid out once fits at every scale; the painter sets
// each glyph to a quarter of a pixel. A glyph is rasterised when first drawn at a size: text is crisp at any scale,
// no atlas is built ahead, and any character that any font of the system has can be shown.
//
// Which file serves a face is found at run time: by fontconfig where there is one, else in the usual places of the
// platform. Nothing is shipped with the app.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/kit/scene.hpp"

struct FT_FaceRec_;  // FreeType's, of its FT_Face

namespace warptree::paint {

inline bool is_mono(scene::Face face) {
    return face == scene::Face::kMono || face == scene::Face::kMonoBold;
}
/// A bold face has the weight 600.
inline bool is_bold(scene::Face face) {
    return face == scene::Face::kSansBold || face == scene::Face::kMonoBold;
}

struct FontFile {
    std::filesystem::path path;
    long index = 0;      // of the face in the file; upper 16 bits: the named instance of a variable font
    std::string family;  // for messages
};

/// Finds fonts. A test puts an empty one in place of the system's.
class FontFinder {
public:
    virtual ~FontFinder() = default;
    /// The best file for a face: Inter or JetBrains Mono, else Noto, DejaVu, Liberation, else whatever the system
    /// calls its sans or monospace font.
    virtual std::optional<FontFile> face(scene::Face) const = 0;
    /// A file that has this character, in the style of the face; nothing where no font has it.
    virtual std::optional<FontFile> character(scene::Face, char32_t) const = 0;
};

/// The system's finder; one for the whole run.
const FontFinder& system_fonts();

/// One character in one font.
struct Glyph {
    std::uint16_t font = 0;  // which loaded font; see Fonts::rasterise
    std::uint32_t index = 0;
    float advance = 0;  // em
};

/// Coverage of one glyph, 0..255, rows from the top.
struct Bitmap {
    int left = 0, top = 0;  // pixels: from the pen to the left edge; from the baseline up to the top edge
    int width = 0, height = 0;
    std::vector<std::uint8_t> coverage;
};

/// Not thread-safe: one a thread.
class Fonts : public scene::Measure {
public:
    /// Loads the four faces. Never fails: where the system has no font at all, Dear ImGui's built-in one serves.
    explicit Fonts(const FontFinder& finder = system_fonts());
    ~Fonts() override;
    Fonts(const Fonts&) = delete;
    Fonts& operator=(const Fonts&) = delete;

    float width(std::string_view text, scene::Face face, float size) const override;
    Glyph glyph(scene::Face face, char32_t character) const;
    /// Height of a capital, em.
    float capital_height(scene::Face face) const;
    /// The name that a face's font gives its family, for files that name fonts; "" where it has none.
    std::string family(scene::Face face) const;
    /// A loaded font opened once more, for who changes its size or keeps it for longer than this is there; null where
    /// its file is gone.
    std::shared_ptr<FT_FaceRec_> open_again(std::uint16_t font) const;
    /// size   pixels of the em
    /// shift  pixels to the right, 0..1
    Bitmap rasterise(const Glyph& glyph, float size, float shift) const;
    /// A sentence about characters that no font has: which, and what to install; each is named once. "": all are there.
    std::string missing() const;
    /// What the user should know: fonts that were not found. Usually empty.
    const std::vector<std::string>& messages() const { return messages_; }

private:
    struct State;
    std::unique_ptr<State> state_;
    std::vector<std::string> messages_;
};

}  // namespace warptree::paint
