// The values of the themes: one table, in the order of scene::Role.
#include "app/paint/theme.hpp"

#include <algorithm>
#include <iterator>

namespace warptree::paint {
namespace {

using scene::Role;

constexpr Colour rgb(std::uint32_t hex) {
    return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8), static_cast<std::uint8_t>(hex)};
}

/// A role's colours in each theme: as a fill, and as text.
struct Row {
    Role role;
    std::uint32_t colours[3][2];
};

constexpr Row kRows[] = {
    // dark, light, projector
    {Role::kBackground, {{0x0b0f14, 0x0b0f14}, {0xe4e8ee, 0xe4e8ee}, {0xe3e8ef, 0xe3e8ef}}},
    {Role::kPanel, {{0x151a23, 0x151a23}, {0xfbfcfe, 0xfbfcfe}, {0xffffff, 0xffffff}}},
    {Role::kRaised, {{0x1e2635, 0x1e2635}, {0xe9edf3, 0xe9edf3}, {0xeef1f5, 0xeef1f5}}},
    {Role::kRaisedHover, {{0x252e3f, 0x252e3f}, {0xdce3ed, 0xdce3ed}, {0xdbe2eb, 0xdbe2eb}}},
    {Role::kLine, {{0x343f54, 0x8b97ac}, {0xc3ccd8, 0x566173}, {0x8f9aaa, 0x3a4350}}},
    {Role::kText, {{0xf0f3f8, 0xf0f3f8}, {0x11161f, 0x11161f}, {0x000000, 0x000000}}},
    {Role::kTextDim, {{0xb4bfd0, 0xb4bfd0}, {0x3f4a5a, 0x3f4a5a}, {0x20262e, 0x20262e}}},
    {Role::kTextFaint, {{0x93a0b5, 0x93a0b5}, {0x566173, 0x566173}, {0x3a4350, 0x3a4350}}},
    {Role::kActive, {{0xf2a93b, 0xf2a93b}, {0xbb6e00, 0x945400}, {0xbb6d00, 0x7a4400}}},
    {Role::kOnActive, {{0x1a1206, 0x1a1206}, {0x140c00, 0x140c00}, {0x000000, 0x000000}}},
    {Role::kDivergent, {{0xe8654e, 0xf4836e}, {0xb83a0a, 0xb33c0b}, {0xb93800, 0x9a2e00}}},
    {Role::kOnDivergent, {{0xffffff, 0xffffff}, {0x1d0700, 0x1d0700}, {0x000000, 0x000000}}},
    {Role::kIdle, {{0x74829a, 0x98a4b8}, {0x737f90, 0x566173}, {0x5a6676, 0x3a4350}}},
    {Role::kWritten, {{0x2b78cb, 0x6fb1f0}, {0x0067a8, 0x0062a0}, {0x00558f, 0x004f86}}},
    {Role::kOnWritten, {{0xffffff, 0xffffff}, {0xffffff, 0xffffff}, {0xffffff, 0xffffff}}},
    {Role::kSegment, {{0x35b58a, 0x3fc598}, {0x009067, 0x006f50}, {0x008860, 0x005c40}}},
    {Role::kOnSegment, {{0x04150e, 0x04150e}, {0x00120c, 0x00120c}, {0x000000, 0x000000}}},
    {Role::kBook, {{0xb79df0, 0xc0a9f4}, {0x7040b8, 0x6a39b2}, {0x5a2ca3, 0x55279c}}},
    {Role::kWrong, {{0xf25fae, 0xff86c3}, {0xc2107a, 0xa80a63}, {0xb0006a, 0x940055}}},
    {Role::kAccent, {{0x2b78cb, 0x6fb1f0}, {0x0067a8, 0x0062a0}, {0x00558f, 0x004f86}}},
    {Role::kOnAccent, {{0xffffff, 0xffffff}, {0xffffff, 0xffffff}, {0xffffff, 0xffffff}}},
};
static_assert(std::size(kRows) == static_cast<std::size_t>(Role::kCount), "colours of each role");

/// column  of the rows
constexpr Theme with_colours(Theme theme, std::size_t column) {
    for (const auto& [role, colours] : kRows) {
        theme.fills[static_cast<std::size_t>(role)] = rgb(colours[column][0]);
        theme.texts[static_cast<std::size_t>(role)] = rgb(colours[column][1]);
    }
    return theme;
}

constexpr Theme kThemes[] = {
    with_colours({.name = "dark", .label = "Dark", .dark = true, .hatch_ground = 0.16f, .hatch_stripe = 0.68f}, 0),
    with_colours({.name = "light", .label = "Light", .hatch_ground = 0.12f, .hatch_stripe = 0.5f}, 1),
    with_colours({.name = "projector", .label = "Projector", .hatch_ground = 0.08f, .hatch_stripe = 0.55f}, 2),
};

}  // namespace

std::span<const Theme> themes() {
    return kThemes;
}

const Theme* find_theme(std::string_view name) {
    const auto* found = std::ranges::find(kThemes, name, &Theme::name);
    return found == std::end(kThemes) ? nullptr : found;
}

const Theme& theme_or_default(std::string_view name) {
    const Theme* theme = find_theme(name);
    return theme ? *theme : kThemes[0];
}

}  // namespace warptree::paint
