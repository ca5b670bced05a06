// Finding fonts with fontconfig, or by the platform's usual paths where it is missing.
#include "app/paint/fonts.hpp"

#include <array>
#include <span>

#ifdef WARPTREE_HAS_FONTCONFIG
#include <fontconfig/fontconfig.h>

#include <memory>
#endif

namespace warptree::paint {
namespace {

using scene::Face;

#ifdef WARPTREE_HAS_FONTCONFIG

struct Destroy {
    void operator()(FcPattern* p) const { FcPatternDestroy(p); }
    void operator()(FcCharSet* c) const { FcCharSetDestroy(c); }
};
using Pattern = std::unique_ptr<FcPattern, Destroy>;

std::string text_of(FcPattern* pattern, const char* field) {
    FcChar8* value = nullptr;
    if (FcPatternGetString(pattern, field, 0, &value) != FcResultMatch) return {};
    return reinterpret_cast<const char*>(value);
}

/// Asks fontconfig for a family in the weight of a face; for any family that has `character` if it is not 0.
Pattern match(const char* family, Face face, char32_t character) {
    Pattern pattern(FcPatternCreate());
    FcPatternAddString(pattern.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>(family));
    FcPatternAddInteger(pattern.get(), FC_WEIGHT, is_bold(face) ? FC_WEIGHT_DEMIBOLD : FC_WEIGHT_REGULAR);
    FcPatternAddInteger(pattern.get(), FC_SLANT, FC_SLANT_ROMAN);
    FcPatternAddBool(pattern.get(), FC_SCALABLE, FcTrue);
    if (character != 0) {
        const std::unique_ptr<FcCharSet, Destroy> wanted(FcCharSetCreate());
        FcCharSetAddChar(wanted.get(), character);
        FcPatternAddCharSet(pattern.get(), FC_CHARSET, wanted.get());
    }
    FcConfigSubstitute(nullptr, pattern.get(), FcMatchPattern);
    FcDefaultSubstitute(pattern.get());
    FcResult result = FcResultNoMatch;
    return Pattern(FcFontMatch(nullptr, pattern.get(), &result));
}

std::optional<FontFile> file_of(FcPattern* pattern) {
    if (!pattern) return std::nullopt;
    FontFile file{text_of(pattern, FC_FILE), 0, text_of(pattern, FC_FAMILY)};
    int index = 0;
    if (FcPatternGetInteger(pattern, FC_INDEX, 0, &index) == FcResultMatch) file.index = index;
    FcBool scalable = FcFalse;
    FcPatternGetBool(pattern, FC_SCALABLE, 0, &scalable);
    if (file.path.empty() || !scalable) return std::nullopt;
    return file;
}

class SystemFonts : public FontFinder {
public:
    SystemFonts() { ready_ = FcInit() == FcTrue; }

    std::optional<FontFile> face(Face face) const override {
        if (!ready_) return std::nullopt;
        static constexpr std::array kSans = {"Inter", "Noto Sans", "DejaVu Sans", "Liberation Sans"};
        static constexpr std::array kMono = {"JetBrains Mono", "Noto Sans Mono", "DejaVu Sans Mono", "Liberation Mono"};
        for (const char* family : is_mono(face) ? std::span(kMono) : std::span(kSans)) {
            const Pattern found = match(family, face, 0);
            auto file = file_of(found.get());
            // fontconfig always answers with something: take it only if it is the family that was asked for.
            if (file && file->family == family) return file;
        }
        return file_of(match(is_mono(face) ? "monospace" : "sans-serif", face, 0).get());
    }

    std::optional<FontFile> character(Face face, char32_t character) const override {
        if (!ready_) return std::nullopt;
        const Pattern found = match(is_mono(face) ? "monospace" : "sans-serif", face, character);
        FcCharSet* has = nullptr;
        if (!found || FcPatternGetCharSet(found.get(), FC_CHARSET, 0, &has) != FcResultMatch) return std::nullopt;
        if (!FcCharSetHasChar(has, character)) return std::nullopt;
        return file_of(found.get());
    }

private:
    bool ready_ = false;
};

#else

/// Where fonts usually are, without fontconfig: the web edition's own, Windows, macOS, and plain Unix folders.
struct Candidate {
    const char* path;
    bool mono, bold;
};
constexpr Candidate kCandidates[] = {
    {"/fonts/Inter-Regular.otf", false, false},
    {"/fonts/Inter-SemiBold.otf", false, true},
    {"/fonts/JetBrainsMono-Regular.ttf", true, false},
    {"/fonts/JetBrainsMono-SemiBold.ttf", true, true},
    {"C:/Windows/Fonts/Inter-Regular.ttf", false, false},
    {"C:/Windows/Fonts/segoeui.ttf", false, false},
    {"C:/Windows/Fonts/seguisb.ttf", false, true},
    {"C:/Windows/Fonts/consola.ttf", true, false},
    {"C:/Windows/Fonts/consolab.ttf", true, true},
    {"C:/Windows/Fonts/seguisym.ttf", false, false},
    {"/System/Library/Fonts/SFNS.ttf", false, false},
    {"/System/Library/Fonts/HelveticaNeue.ttc", false, false},
    {"/System/Library/Fonts/SFNSMono.ttf", true, false},
    {"/System/Library/Fonts/Menlo.ttc", true, false},
    {"/System/Library/Fonts/Apple Symbols.ttf", false, false},
    {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", false, false},
    {"/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf", false, true},
    {"/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf", true, false},
    {"/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf", true, true},
};

class SystemFonts : public FontFinder {
public:
    std::optional<FontFile> face(Face face) const override {
        std::optional<FontFile> best;
        for (const Candidate& candidate : kCandidates) {
            std::error_code ignored;
            if (candidate.mono != is_mono(face) || !std::filesystem::exists(candidate.path, ignored)) continue;
            FontFile file{candidate.path, 0, std::filesystem::path(candidate.path).stem().string()};
            if (candidate.bold == is_bold(face)) return file;
            if (!best) best = std::move(file);
        }
        return best;
    }
    /// Without an index of characters, the symbol font of the platform is the only guess.
    std::optional<FontFile> character(Face, char32_t) const override {
        for (const char* path :
             {"/fonts/DejaVuSans.ttf", "C:/Windows/Fonts/seguisym.ttf", "/System/Library/Fonts/Apple Symbols.ttf",
              "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"}) {
            std::error_code ignored;
            if (std::filesystem::exists(path, ignored))
                return FontFile{path, 0, std::filesystem::path(path).stem().string()};
        }
        return std::nullopt;
    }
};

#endif

}  // namespace

const FontFinder& system_fonts() {
    static const SystemFonts fonts;
    return fonts;
}

}  // namespace warptree::paint
