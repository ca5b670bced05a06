// From options to the app: a picture of its view, or its window.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "app/cli/source.hpp"
#include "app/state/app_state.hpp"

namespace CLI {
class App;
}

namespace warptree::cli {

/// As typed; checked by render_picture.
struct RenderOptions {
    std::string step = "last";  // 0: before the launch; 1..: after so many steps; "last"
    std::string size = "1920x1080";
    std::string view;  // empty: tree, or compare where runs are compared
    std::map<std::string, std::string, std::less<>>
        look;  // options of state::field_rows(), of a flag "true"; "": not given
    bool lecture = false, speaker = false;
    std::string compare;  // see source.hpp; empty: none
    std::string lesson;   // its name or file; empty: none
    std::string scene;    // empty: the first
    bool question = false;
    std::vector<std::string> results;
    std::vector<state::Mark> marks;  // on the pictures
};
/// What is drawn, and how it looks.
void add_look_options(CLI::App& command, RenderOptions& options);
/// The same, and which moment.
void add_render_options(CLI::App& command, RenderOptions& options);

/// Writes the app's view of the source as a PNG, SVG or PDF file, as its name ends: to a temporary name, then renamed.
void render_picture(const SourceOptions& source, const RenderOptions& options, const std::string& out);

struct WindowOptions {
    bool announce = false;
    std::string lesson;
    std::vector<std::string> results;
};
void add_window_options(CLI::App& command, WindowOptions& options);

/// Opens the window on the source, or as it was left last time.
/// returns  the exit code
int open_window(const SourceOptions& source, const WindowOptions& options);

}  // namespace warptree::cli
