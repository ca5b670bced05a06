// Files that a program opens to read and that are not there: its folder is empty but for what it was given.
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <dlfcn.h>
#include <fmt/format.h>

#include "instrumentation/foreign/runner/state.hpp"

namespace {

using Opens = std::FILE*(const char*, const char*);

/// What the C library, and through it std::ifstream, calls: these take its place, as the runner comes first.
std::FILE* open_or_note(const char* function, const char* name, const char* mode, const void* caller) {
    auto* const opens = reinterpret_cast<Opens*>(dlsym(RTLD_NEXT, function));
    std::FILE* const file = opens == nullptr ? nullptr : opens(name, mode);
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
