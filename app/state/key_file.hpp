// Keys of one's own, by a file, keys.toml: `play = "G"`, `redo = ["Ctrl Y", "F2"]`. What is wrong in it is said, and
// the usual key stays. Esc, Enter, Tab, Backspace, Page Down and Page Up keep what they mean: sentences name them, and
// presenters' remotes send them; other keys come beside them.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/keys.hpp"

namespace warptree::state {

/// "Ctrl Shift P", "→" or "Right", "F5", "Space", "+"; none: no key is called so
std::optional<KeyPress> key_named(std::string_view name);
/// As a file has it: "Right".
std::string name_of(const KeyPress&);
/// As the window says it: "→".
std::string shown_name(const KeyPress&);

inline constexpr std::string_view kKeyFile = "keys.toml";  // in the folder of the settings

struct KeyReading {
    std::vector<Binding> keys;
    std::vector<std::string> problems{};  // a sentence each: the line, what is wrong there, what would be right
};
KeyReading read_keys(std::string_view text);
/// returns  none: there is no such file; what cannot be read is a problem, and the usual keys hold
std::optional<KeyReading> read_key_file(const std::filesystem::path&);

/// As such a file, a line an action.
std::string key_file(std::span<const Binding>);

/// A sentence that names usual keys, as "(R)", "Ctrl Z" or "F5", with those that hold.
std::string with_keys(const std::string& text, const AppState&);

}  // namespace warptree::state
