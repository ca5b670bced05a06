// Settings: what the app remembers from one run to the next, in settings.toml. A damaged file is set aside, never
// fatal.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/state/app_state.hpp"
#include "instrumentation/json/json.hpp"
#include "instrumentation/result.hpp"

namespace warptree::state {

/// Where the window stands, in screen coordinates; no position: where the system puts it.
struct WindowPlace {
    static constexpr int kNoPosition = -100000;
    int width = 1600, height = 900;
    int x = kNoPosition, y = kNoPosition;
    bool maximized = false;
};

/// What was remembered.
struct Settings {
    AppState state;  // to start from
    WindowPlace window;
    Json kept = Json::object();         // as the file has it, with what a newer version wrote there
    std::vector<std::string> messages;  // for the user: what was wrong, where the damaged file is now

    Settings() {
        state.request = {.n = 16, .warp_size = 4};
        state.greeted = false;  // a first start shows the hint of the keys
    }
};

/// $XDG_CONFIG_HOME/warptree/settings.toml, else ~/.config/…; on Windows %APPDATA%/warptree/settings.toml.
/// returns  an empty path where none of these is set
std::filesystem::path settings_path();

/// keys.toml beside it: see key_file.hpp. returns  an empty path likewise
std::filesystem::path keys_path();

/// Reads settings. A missing file gives the usual ones; one that cannot be understood is renamed to
/// settings.toml.damaged (or .damaged.2, …) and gives the usual ones; unknown keys are ignored.
Settings load_settings(const std::filesystem::path& path);

/// A state to start from, of what was remembered.
/// errors  throws a Refusal: what is wrong
AppState state_from(const Json& kept);

/// What to remember of a state and its window, in place of the same part of `before`.
Json remembered(const AppState&, const WindowPlace&, Json before = Json::object());

/// Writes it: to a temporary file beside, synced, renamed.
/// errors  the folder cannot be made or the file not be written, and why
Result<void> save_settings(const Json& kept, const std::filesystem::path& path);

}  // namespace warptree::state
