// Files that a program opens, and that are not there: its folder is empty but for what it was given. Those that it
// writes get the folder that their name has, as nothing made it: a program starts no mkdir here.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>

#include <dlfcn.h>
#include <fmt/format.h>

#include "instrumentation/foreign/runner/state.hpp"

namespace {

using Opens = std::FILE*(const char*, const char*);

/// What the C library, and through it std::ifstream, calls: these take its place, as the runner comes first.
std::FILE* open_or_note(const char* function, const char* name, const char* mode, const void* caller) {
    auto* const opens = reinterpret_cast<Opens*>(dlsym(RTLD_NEXT, function));
    std::FILE* file = opens == nullptr ? nullptr : opens(name, mode);
    if (file == nullptr && errno == ENOENT && name != nullptr && mode != nullptr &&
        std::string_view("wa").find(mode[0]) != std::string_view::npos) {
        std::error_code ignored;
        std::filesystem::create_directories(std::filesystem::path(name).parent_path(), ignored);
        file = opens(name, mode);
    }
    if (file == nullptr && name != nullptr && mode != nullptr && mode[0] == 'r') {
        const int error = errno;
        warptree::foreign::note("missing-file", warptree::foreign::line_of_address(caller),
                                fmt::format("{} cannot be read ({}): it runs in an empty folder; --data FILE puts a "
                                            "file there",
                                            name, std::strerror(error)));
        errno = error;
    }
    return file;
}

}  // namespace

extern "C" {
std::FILE* fopen(const char* name, const char* mode) {
    return open_or_note("fopen", name, mode, __builtin_return_address(0));
}
std::FILE* fopen64(const char* name, const char* mode) {
    return open_or_note("fopen64", name, mode, __builtin_return_address(0));
}
}
