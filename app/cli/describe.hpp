// The command line, described to other programs: a manual page, and what shells complete.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace warptree::cli {

/// The manual page in man's macros: all commands and their options.
std::string man_page(const CLI::App&);

/// A script with which a shell completes commands, their options, and names of kernels, lessons, exercises and views.
/// shell  "bash", "zsh" or "fish"
std::string completion(const CLI::App&, const std::string& shell);

}  // namespace warptree::cli
