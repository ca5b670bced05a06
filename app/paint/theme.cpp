// The values of the themes. One table a theme, in the order of scene::Role.
#include "app/paint/theme.hpp"

#include <algorithm>

namespace warptree::paint {
namespace {

using scene::Role;

constexpr Colour rgb(std::uint32_t hex) {
    return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8), static_cast<std::uint8_t>(hex)};
}

struct Row {
    Role role;
    std::uint32_t fill;
    std::uint32_t text;
};

constexpr Theme make_theme(std::string_view name, std::string_view label, bool dark, float ground, float stripe,
                           const Row (&rows)[static_cast<std::size_t>(Role::kCount)]) {
    Theme theme;
    theme.name = name;
    theme.label = label;
    theme.dark = dark;
    theme.hatch_ground = ground;
    theme.hatch_stripe = stripe;
    for (const Row& row : rows) {
        theme.fills[static_cast<std::size_t>(row.role)] = rgb(row.fill);
        theme.texts[static_cast<std::size_t>(row.role)] = rgb(row.text);
    }
    return theme;
}

constexpr Row kDark[] = {
    {Role::kBackground, 0x0b0f14, 0x0b0f14}, {Role::kPanel, 0x151a23, 0x151a23},
    {Role::kRaised, 0x1e2635, 0x1e2635},     {Role::kRaisedHover, 0x252e3f, 0x252e3f},
    {Role::kLine, 0x343f54, 0x8b97ac},       {Role::kText, 0xf0f3f8, 0xf0f3f8},
    {Role::kTextDim, 0xb4bfd0, 0xb4bfd0},    {Role::kTextFaint, 0x93a0b5, 0x93a0b5},
    {Role::kActive, 0xf2a93b, 0xf2a93b},     {Role::kOnActive, 0x1a1206, 0x1a1206},
    {Role::kDivergent, 0xe8654e, 0xf4836e},  {Role::kOnDivergent, 0xffffff, 0xffffff},
    {Role::kIdle, 0x74829a, 0x98a4b8},       {Role::kWritten, 0x2b78cb, 0x6fb1f0},
    {Role::kOnWritten, 0xffffff, 0xffffff},  {Role::kSegment, 0x35b58a, 0x3fc598},
    {Role::kOnSegment, 0x04150e, 0x04150e},  {Role::kBook, 0xb79df0, 0xc0a9f4},
    {Role::kWrong, 0xf25fae, 0xff86c3},      {Role::kAccent, 0x2b78cb, 0x6fb1f0},
    {Role::kOnAccent, 0xffffff, 0xffffff},
};

constexpr Row kLight[] = {
    {Role::kBackground, 0xe4e8ee, 0xe4e8ee}, {Role::kPanel, 0xfbfcfe, 0xfbfcfe},
    {Role::kRaised, 0xe9edf3, 0xe9edf3},     {Role::kRaisedHover, 0xdce3ed, 0xdce3ed},
    {Role::kLine, 0xc3ccd8, 0x566173},       {Role::kText, 0x11161f, 0x11161f},
    {Role::kTextDim, 0x3f4a5a, 0x3f4a5a},    {Role::kTextFaint, 0x566173, 0x566173},
    {Role::kActive, 0xbb6e00, 0x945400},     {Role::kOnActive, 0x140c00, 0x140c00},
    {Role::kDivergent, 0xb83a0a, 0xb33c0b},  {Role::kOnDivergent, 0x1d0700, 0x1d0700},
    {Role::kIdle, 0x737f90, 0x566173},       {Role::kWritten, 0x0067a8, 0x0062a0},
    {Role::kOnWritten, 0xffffff, 0xffffff},  {Role::kSegment, 0x009067, 0x006f50},
    {Role::kOnSegment, 0x00120c, 0x00120c},  {Role::kBook, 0x7040b8, 0x6a39b2},
    {Role::kWrong, 0xc2107a, 0xa80a63},      {Role::kAccent, 0x0067a8, 0x0062a0},
    {Role::kOnAccent, 0xffffff, 0xffffff},
};

constexpr Row kProjector[] = {
    {Role::kBackground, 0xe3e8ef, 0xe3e8ef}, {Role::kPanel, 0xffffff, 0xffffff},
    {Role::kRaised, 0xeef1f5, 0xeef1f5},     {Role::kRaisedHover, 0xdbe2eb, 0xdbe2eb},
    {Role::kLine, 0x8f9aaa, 0x3a4350},       {Role::kText, 0x000000, 0x000000},
    {Role::kTextDim, 0x20262e, 0x20262e},    {Role::kTextFaint, 0x3a4350, 0x3a4350},
    {Role::kActive, 0xbb6d00, 0x7a4400},     {Role::kOnActive, 0x000000, 0x000000},
    {Role::kDivergent, 0xb93800, 0x9a2e00},  {Role::kOnDivergent, 0x000000, 0x000000},
    {Role::kIdle, 0x5a6676, 0x3a4350},       {Role::kWritten, 0x00558f, 0x004f86},
    {Role::kOnWritten, 0xffffff, 0xffffff},  {Role::kSegment, 0x008860, 0x005c40},
    {Role::kOnSegment, 0x000000, 0x000000},  {Role::kBook, 0x5a2ca3, 0x55279c},
    {Role::kWrong, 0xb0006a, 0x940055},      {Role::kAccent, 0x00558f, 0x004f86},
    {Role::kOnAccent, 0xffffff, 0xffffff},
};

constexpr Theme kThemes[] = {
    make_theme("dark", "Dark", true, 0.16f, 0.68f, kDark),
    make_theme("light", "Light", false, 0.12f, 0.5f, kLight),
    make_theme("projector", "Projector", false, 0.08f, 0.55f, kProjector),
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
