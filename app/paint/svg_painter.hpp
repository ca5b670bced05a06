// Paints scenes as SVG, of which each line of text is a <text> that can be edited. Cairo's own SVG turns letters into
// outlines, whatever is asked for; what a scene needs of SVG is ten elements.
#pragma once

#include <string>

#include "app/paint/shape_painter.hpp"

namespace warptree::paint {

/// Scenes in order over the background colour, as an SVG file. Fonts are named, not held: where one is missing, another
/// is stretched to the same widths.
/// scale  pixels a unit; size  of the picture, pixels
std::string paint_svg(std::span<const scene::Scene* const>, Vec size, float scale, const Theme&, const Fonts&);

}  // namespace warptree::paint
