// Reads UTF-8 one character at a time; damaged bytes become U+FFFD, never a crash. And writes it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warptree::paint {

/// The character at `at`, which moves past it. Needs at < text.size().
inline char32_t next_character(std::string_view text, std::size_t& at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(at++);
    if (lead < 0x80) return lead;
    const int extra = lead >= 0xf0 && lead < 0xf5   ? 3
                      : lead >= 0xe0 && lead < 0xf0 ? 2
                      : lead >= 0xc2 && lead < 0xe0 ? 1
                                                    : 0;
    if (extra == 0) return 0xfffd;
    char32_t character = lead & (0x3fu >> extra);
    for (int i = 0; i < extra; ++i) {
        if (at >= text.size() || (byte(at) & 0xc0u) != 0x80u) return 0xfffd;
        character = (character << 6) | (byte(at++) & 0x3fu);
    }
    const bool overlong = (extra == 2 && character < 0x800) || (extra == 3 && character < 0x10000);
    const bool surrogate = character >= 0xd800 && character < 0xe000;
    return overlong || surrogate || character > 0x10ffff ? 0xfffd : character;
}

inline void append_character(std::string& text, char32_t c) {
    if (c < 0x80) {
        text += static_cast<char>(c);
        return;
    }
    const int extra = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    text += static_cast<char>((0xff00u >> (extra + 1) & 0xffu) | c >> (6 * extra));
    for (int i = extra - 1; i >= 0; --i) text += static_cast<char>(0x80u | (c >> (6 * i) & 0x3fu));
}

}  // namespace warptree::paint
