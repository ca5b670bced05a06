// From what a keyboard reports to presses of keys, in any layout. It reports each press twice: as a key, by its place,
// and then, where it made one, as a character: what Shift, dead keys and input methods have made. A press becomes one
// KeyPress, so that none acts twice: keys that make no character by themselves, all others with their character.
#pragma once

#include <optional>

#include "app/state/keys.hpp"

namespace warptree::state {

/// A key that goes down.
struct KeyDown {
    Named named = Named::kNone;
    char32_t printed = 0;  // on it in the user's layout, without Shift; 0: not known
    char32_t place = 0;    // on it in the layout of the United States; 0: not known
    bool control = false, shift = false, alt = false, repeated = false;
};

class Keyboard {
public:
    /// returns  nothing where a character may follow, or the key means nothing
    std::optional<KeyPress> key(const KeyDown& down);
    KeyPress character(char32_t c);
    /// Of the press that was returned last: the key is held down.
    bool repeated() const { return repeated_; }

private:
    KeyDown last_;  // whose character may follow
    bool repeated_ = false;
};

/// 0 to 9 in any of the usual scripts; -1: no digit.
int digit_of(char32_t c);

}  // namespace warptree::state
