// Paints scenes as vector files, in which text stays text: as PDF with Cairo, and as SVG.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <cairo.h>

#include "app/paint/shape_painter.hpp"
#include "instrumentation/result.hpp"

namespace warptree::paint {

/// Paints scenes in order over the background colour.
/// scale  pixels a unit; size  of the page, pixels: Cairo's units
/// errors the context is not in order any more; Cairo's own words
Result<void> paint_cairo(std::span<const scene::Scene* const>, Vec size, float scale, const Theme&, const Fonts&,
                         cairo_t*);

/// Writes a stream of Cairo's to the end of a std::vector<std::byte>.
cairo_status_t append_to_bytes(void* bytes, const unsigned char* data, unsigned length);

/// A PDF file, page by page, which holds its fonts, each once. A point for each pixel.
class PdfPages {
public:
    PdfPages();
    ~PdfPages();
    PdfPages(PdfPages&&) noexcept;
    /// As paint_cairo().
    Result<void> add(std::span<const scene::Scene* const>, Vec size, float scale, const Theme&, const Fonts&);
    /// The file; nothing comes after it.
    /// errors  Cairo failed
    Result<std::vector<std::byte>> finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// One of one page.
Result<std::vector<std::byte>> paint_pdf(std::span<const scene::Scene* const>, Vec size, float scale, const Theme&,
                                         const Fonts&);

/// Scenes in order over the background colour, as an SVG file. Fonts are named, not held: where one is missing, another
/// is stretched to the same widths.
/// scale  pixels a unit; size  of the picture, pixels
std::string paint_svg(std::span<const scene::Scene* const>, Vec size, float scale, const Theme&, const Fonts&);

}  // namespace warptree::paint
