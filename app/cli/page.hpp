// A run, a lesson or a course as one page for browsers, which opens from a disk and needs no network: the web edition's
// program, its fonts, and what it shows.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/render.hpp"

namespace warptree::cli {

/// Writes the page, to a temporary name, then renamed. What the options name is shown at once.
/// errors  throws Error: the web edition is not there; a comparison of files; what is wrong with the source
/// returns  what was written, a sentence
std::string export_page(const SourceOptions& source, const RenderOptions& options, const std::string& out);

/// What a page begins with: the program's arguments, and files that they name.
struct Opened {
    std::vector<std::string> arguments;
    std::vector<std::pair<std::string, std::string>> files;  // paths in the page, bytes
};
/// The web edition's page, with this in it.
/// errors  throws Error: it is no such page
std::string with_opened(std::string page, const Opened&);

/// Text of 4 characters for each 3 bytes, RFC 4648.
std::string base64(std::string_view bytes);

}  // namespace warptree::cli
