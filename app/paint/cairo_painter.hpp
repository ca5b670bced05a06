// Draws scenes with Cairo: PNG, SVG and PDF for slides and handouts, without a window or a graphics card.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "app/paint/theme.hpp"
#include "app/scene/scene.hpp"
#include "instrumentation/result.hpp"

namespace warptree::paint {

enum class PageFormat : std::uint8_t { kPng, kSvg, kPdf };

/// Scenes painted on one page, in order, over the background colour.
/// size   units
/// scale  pixels a unit (PNG), points a unit (SVG, PDF)
/// errors the page has no extent or more than 32,767 pixels a side; Cairo failed
Result<std::vector<std::byte>> paint_page(std::span<const scene::Scene> scenes, scene::Vec size, double scale,
                                          PageFormat, const Theme&);

/// One PDF page for each list of scenes: a deck.
Result<std::vector<std::byte>> paint_deck(std::span<const std::vector<scene::Scene>> pages, scene::Vec size,
                                          double scale, const Theme&);

/// Widths as this painter draws them: Inter and JetBrains Mono, or what the system puts in their place.
std::unique_ptr<scene::Measure> cairo_measure();

}  // namespace warptree::paint
