// A run or a lesson as a file to take along: slides, a handout, a series of pictures, a film, a table of counters.
#pragma once

#include <string>
#include <vector>

#include "app/cli/render.hpp"
#include "app/shell/handout.hpp"
#include "app/shell/offscreen.hpp"

namespace warptree::cli {

struct ExportOptions {
    RenderOptions render;
    bool steps = false;                     // of a lesson: a page for each step, not for each scene
    bool handout = false, answers = false;  // pages to print; with what is right
    bool marks = false;                     // those that were left in lectures, on pages of their own
};
void add_export_options(CLI::App& command, ExportOptions& options);

/// Writes what the file's name asks for by its ending, to a temporary name, then renamed.
/// returns  what was written, a sentence
std::string export_to(const SourceOptions& source, ExportOptions options, const std::string& out);

/// What a lesson's handout has, or a course's.
std::vector<shell::HandoutEntry> handout_of(const ExportOptions&, shell::Pictures&);

}  // namespace warptree::cli
