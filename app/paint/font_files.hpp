// Which font file to use for a face, found on the system at run time: fontconfig where there is one, else the usual
// places of the platform. Nothing is shipped with the app.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/scene/scene.hpp"

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

}  // namespace warptree::paint
