// Themes: what colour each role has. Three of them: dark, light, and projector (light, strongest contrast).
// Hues of the lanes, cells and segments are those of Okabe and Ito, told apart by colour-blind eyes, darkened or
// lightened until they stand out from the theme's ground; theme_test.cpp computes every ratio.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "app/kit/scene.hpp"

namespace warptree::paint {

struct Colour {
    std::uint8_t r = 0, g = 0, b = 0;
    bool operator==(const Colour&) const = default;
};

/// Colours of every role, twice: as the fill or line of a shape, and as text on a panel. They differ where a hue that
/// is strong enough for a shape (3:1) would be too weak for letters (4.5:1).
struct Theme {
    std::string_view name;   // "dark": in settings and on the command line
    std::string_view label;  // "Dark": on the screen
    bool dark = false;
    std::array<Colour, static_cast<std::size_t>(scene::Role::kCount)> fills{};
    std::array<Colour, static_cast<std::size_t>(scene::Role::kCount)> texts{};
    float hatch_ground = 0.16f;  // opacity of a hatched shape's ground
    float hatch_stripe = 0.7f;   // and of its stripes, over that ground

    Colour fill(scene::Role role) const { return fills[static_cast<std::size_t>(role)]; }
    Colour text(scene::Role role) const { return texts[static_cast<std::size_t>(role)]; }
};

std::span<const Theme> themes();

/// The theme of that name, or null.
const Theme* find_theme(std::string_view name);

/// The theme of that name, or the dark one.
const Theme& theme_or_default(std::string_view name);

}  // namespace warptree::paint
