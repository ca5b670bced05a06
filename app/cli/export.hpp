// A run or a lesson as a file to take along: slides, a handout, a series of pictures, a film, a table of counters.
#pragma once

#include <functional>
#include <string>

#include "app/cli/render.hpp"
#include "app/shell/handout.hpp"
#include "app/shell/offscreen.hpp"

namespace warptree::cli {

struct ExportOptions {
    RenderOptions render;
    bool steps = false;                     // of a lesson: a page for each step, not for each scene
    bool handout = false, answers = false;  // pages to print; with what is right
};
void add_export_options(CLI::App& command, ExportOptions& options);

/// Writes what the file's name asks for by its ending, to a temporary name, then renamed.
/// returns  what was written, a sentence
std::string export_to(const SourceOptions& source, const ExportOptions& options, const std::string& out);

/// Takes what the handout has, and the state that it is of.
using HandoutWant = std::function<void(shell::HandoutEntry, const state::AppState&)>;
void go_through_handout(const ExportOptions&, shell::Pictures&, const HandoutWant&);

}  // namespace warptree::cli
