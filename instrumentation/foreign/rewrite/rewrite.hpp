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
    bool may_record_less = false;      // where it does not compile
    std::vector<std::string> kernels;  // functions that it defines
};
/// What records: of kNothing the compiler's messages name the user's own types.
enum class Recording { kAll, kLess, kNothing };  // kLess: neither structs' members nor chars and shorts
/// sources  the user's files
/// folders  where included files are looked for, after the file's own
/// macros   of the command line: NAME or NAME=VALUE
/// returns  the sources and their own headers, which they include by `name`, in the order in which they are read
/// errors   a file that cannot be read
Result<std::vector<Rewritten>> rewrite(const std::vector<std::filesystem::path>& sources,
                                       const std::vector<std::filesystem::path>& folders,
                                       const std::vector<std::string>& macros, Recording);

/// A text alone.
std::string rewritten(std::string_view text);

}  // namespace warptree::foreign
