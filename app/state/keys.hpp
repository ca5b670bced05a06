// Which key does what. One table: the window looks keys up in it, and the overlay of all keys prints it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/app_state.hpp"

namespace warptree::state {

/// Keys that make no character.
enum class Named : std::uint8_t {
    kNone,
    kRight,
    kLeft,
    kUp,
    kDown,
    kPageUp,
    kPageDown,
    kHome,
    kEnd,
    kTab,
    kEnter,
    kBackspace,
    kEscape,
    kF1,
    kF2,
    kF3,
    kF4,
    kF5,
    kF6,
    kF7,
    kF8,
    kF9,
    kF10,
    kF11,
    kF12,
};

/// One key going down: a named key, or the character that it made (letters in lower case; Shift is told of letters and
/// of Space alone: what it makes of other keys is another character). See keyboard.hpp.
struct KeyPress {
    Named named = Named::kNone;
    char32_t character = 0;
    bool control = false;
    bool shift = false;
    char32_t typed = 0;  // the same as text; 0: as above
    char32_t text() const { return typed != 0 ? typed : control ? 0 : character; }
    /// Whether they are the same key.
    bool operator==(const KeyPress& o) const {
        return named == o.named && character == o.character && control == o.control && shift == o.shift;
    }
};

struct Binding {
    KeyPress press;
    Command command;
    std::string name;       // of the action, in a file of keys: see key_file.hpp
    std::string keys;       // as the overlay prints it; empty: another way to say the row before
    std::string_view does;  // what happens, likewise
    bool lecture = false;   // only there, in place of what the key means elsewhere
};

/// The usual ones, in the overlay's order.
std::span<const Binding> bindings();
/// Those that hold.
std::span<const Binding> bindings(const AppState&);
/// The first key of a command, as menus say it; "": it has none.
std::string key_of(const Command&, const AppState&);

/// Those that the overlay prints, in groups.
struct KeyGroup {
    std::string_view title;
    std::vector<const Binding*> rows;
};
std::vector<KeyGroup> key_groups(std::span<const Binding> = bindings());

/// What a key means; nothing where it has no meaning. In an open menu, arrows move and Space and Enter choose.
std::optional<Command> command_for(const KeyPress& press, const AppState& state);

}  // namespace warptree::state
