// Settings: what the app remembers from one run to the next, in settings.toml. A damaged file is set aside, never
// fatal.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/state/app_state.hpp"
#include "instrumentation/result.hpp"

namespace warptree::state {

struct Settings {
    // Window, in screen coordinates; no position: where the system puts it
    int width = 1600, height = 900;
    int x = kNoPosition, y = kNoPosition;
    bool maximized = false;
    static constexpr int kNoPosition = -100000;

    std::string theme = "dark", lecture_theme = "projector";
    std::string text = "desk", lecture_text = "lecture";
    double scale = 1;
    std::string speaker =
        "auto";                 // the speaker's window comes with the lecture: "yes", "no"; "auto": on a second monitor
    std::size_t projector = 0;  // the lecture's monitor, from 1; 0: not the first, where there are two
    bool strip = false;         // of the lecture: running lines and one number
    bool greeted = false;       // has pressed keys before
    bool animate = true;
    bool repetitions = false;  // shown step by step
    double speed = 1;
    std::string view = "tree";
    bool all_steps = true;  // of the warps' view
    bool errors = false;    // on the tree
    std::string edition;    // of the book: "4e", "5e"; empty: both
    study::AccuracyPicture accuracy = study::AccuracyPicture::kWorst;
    study::CoarsenChoice coarsening;
    double left = 0, right = 0, bottom = 0;  // shares of the window that panels take; 0: the usual

    kernels::Request run{.n = 16, .warp_size = 4};
    std::string file;                       // the trace file on show; empty: that run
    std::size_t step = 0;                   // where it stands: of the first column, counted over all launches
    std::uint32_t shown = 0;                // the block on show
    std::string lesson;                     // its name or file; empty: none
    std::size_t scene = 0;                  // of it, from 0
    std::vector<std::string> answers;       // (scenes,) what was given; after it "!" once it was revealed, "+" if right
    std::vector<kernels::Request> compare;  // the comparison's other columns
    bool by_time = false;
    std::vector<std::string> results;  // files of measured times that were opened, with what was tuned
    study::LadderChoice ladder;        // but for its device,
    std::string folder;                // where was saved last; empty: nowhere yet
    std::string device;                // which is named: what was measured, or the file of it; empty: the first

    bool operator==(const Settings&) const = default;
};

/// $XDG_CONFIG_HOME/warptree/settings.toml, else ~/.config/…; on Windows %APPDATA%/warptree/settings.toml.
/// returns  an empty path where none of these is set
std::filesystem::path settings_path();

struct LoadedSettings {
    Settings settings;
    std::vector<std::string> messages;  // for the user: what was wrong, where the damaged file is now
};

/// Reads settings. A missing file gives the usual ones; one that cannot be understood is renamed to
/// settings.toml.damaged (or .damaged.2, …) and gives the usual ones; unknown keys are ignored.
LoadedSettings load_settings(const std::filesystem::path& path);

/// Writes them: to a temporary file beside, synced, renamed.
/// errors  the folder cannot be made or the file not be written, and why
Result<void> save_settings(const Settings& settings, const std::filesystem::path& path);

/// What to remember of a state, in place of the same part of `before`.
Settings remembered(const AppState& state, Settings before);
/// A state to start from.
AppState state_from(const Settings& settings);

}  // namespace warptree::state
