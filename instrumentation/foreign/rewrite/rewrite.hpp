// A user's CUDA file as C++ that g++ compiles against ../cuda/: line for line, so that messages and lines are the
// user's.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "instrumentation/result.hpp"

namespace warptree::foreign {

struct Rewritten {
    std::string name;  // of the file to write
    std::string text;
    std::filesystem::path path;  // the user's file
    bool source = false;         // else a header of one
    bool has_main = false;
    std::vector<std::string> kernels;  // functions that it defines
};
/// sources  the user's files
/// folders  where included files are looked for, after the file's own
/// plain    nothing records: for the compiler's messages, which then name the user's own types
/// returns  the sources and their own headers, which they include by `name`, in the order in which they are read
/// errors   a file that cannot be read
Result<std::vector<Rewritten>> rewrite(const std::vector<std::filesystem::path>& sources,
                                       const std::vector<std::filesystem::path>& folders, bool plain = false);

/// A text alone.
std::string rewritten(std::string_view text);

}  // namespace warptree::foreign
