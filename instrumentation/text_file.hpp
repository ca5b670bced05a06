// A file as a text.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace warptree {

/// All bytes of a file; none: it is a folder, or cannot be read.
inline std::optional<std::string> text_of_file(const std::filesystem::path& path) {
    std::error_code none;
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path, none)) return std::nullopt;
    std::stringstream text;
    text << file.rdbuf();
    return file ? std::optional(text.str()) : std::nullopt;
}

}  // namespace warptree
