// What a press means in a layout: shortcuts go by the letter that is printed on the key, and where the layout has no
// Latin letters, by the key's place.
#include "app/state/keyboard.hpp"

#include <utility>

namespace warptree::state {
namespace {

constexpr char32_t kFirstForeign = 0x370;  // Greek; Latin letters with marks stand before

bool is_letter(char32_t c) {
    return c >= U'a' && c <= U'z';
}
bool is_digit(char32_t c) {
    return c >= U'0' && c <= U'9';
}
char32_t lower(char32_t c) {
    return c >= U'A' && c <= U'Z' ? c + 32 : c;
}

/// What a shortcut calls the key that made a character. Digits that need Shift, as in France, are found without it,
/// unless the character has a meaning of its own: - and +.
char32_t shortcut_of(char32_t c, const KeyDown& down) {
    if (const int digit = digit_of(c); digit >= 0) return U'0' + static_cast<char32_t>(digit);
    if (c >= kFirstForeign && is_letter(down.place)) return down.place;
    const bool own = c < 0x80 && std::u32string_view(U" +-=.?[]^").find(c) != std::u32string_view::npos;
    return is_digit(down.place) && !down.shift && !own ? down.place : lower(c);
}

}  // namespace

int digit_of(char32_t c) {
    for (const char32_t zero : {U'0', U'\u0660', U'\u06f0', U'\u0966', U'\uff10'})
        if (c >= zero && c < zero + 10) return static_cast<int>(c - zero);
    return -1;
}

std::optional<KeyPress> Keyboard::key(const KeyDown& down) {
    last_ = down;
    repeated_ = down.repeated;
    if (down.alt) return last_ = {}, std::nullopt;  // the system's, or the way to another character
    if (down.named != Named::kNone) return last_ = {}, KeyPress{down.named, 0, down.control, down.shift};
    if (!down.control) return std::nullopt;
    last_ = {};
    const char32_t c = down.printed == 0 ? down.place : shortcut_of(down.printed, down);
    if (c == 0) return std::nullopt;
    return KeyPress{Named::kNone, c, true, down.shift};
}

KeyPress Keyboard::character(char32_t c) {
    const KeyDown down = std::exchange(last_, {});
    repeated_ = down.repeated;
    const char32_t shortcut = shortcut_of(c, down);
    return {Named::kNone, shortcut, false, down.shift && (is_letter(shortcut) || shortcut == U' '), c};
}

}  // namespace warptree::state
