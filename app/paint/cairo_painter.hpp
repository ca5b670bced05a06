// Paints scenes with Cairo, on whatever surface it has: the PDF's pages, and tests.
#pragma once

#include <span>

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

}  // namespace warptree::paint
