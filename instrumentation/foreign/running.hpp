// What compiles, runs and tries a program, between them.
#pragma once

#include <filesystem>
#include <string>

#include <stdlib.h>

#include "instrumentation/foreign/program.hpp"

namespace warptree::foreign {

/// A folder for one program, gone when that is.
class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "warptree-XXXXXX").string();
        if (mkdtemp(name.data()) != nullptr) path_ = name;
    }
    ~Folder() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

/// errors  as run()
Result<Outcome> run_as_it_is(const Compiled&, const Start&);
/// Whether a note tells of a program that does too much to be shown.
inline bool is_too_much(const Note& note) {
    return note.stopped() || note.kind == "out-of-memory";
}

}  // namespace warptree::foreign
