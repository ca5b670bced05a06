// Paints scenes as vector files, in which text stays text: as PDF with Cairo, and as SVG.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/paint/shape_painter.hpp"
#include "instrumentation/result.hpp"

namespace warptree::paint {

/// A PDF file, page by page, which holds its fonts, each once. A point for each pixel.
class PdfPages {
public:
    PdfPages();
    ~PdfPages();
    PdfPages(PdfPages&&) noexcept;
    /// Scenes in order over the background colour.
    /// scale  points a unit; size  of the page, points
    /// errors Cairo's own words
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
