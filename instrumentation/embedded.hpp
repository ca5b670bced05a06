// Files that the program has within it. Filled by cmake/embed.cmake, in pieces that compilers take as one literal each.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace warptree {

struct Embedded {
    std::string_view name;  // path from the repository's root
    std::string_view text;
};
/// assets/measured/verify.json, assets/results/*.json, assets/lessons/*.toml, assets/programs/*.cu, and of
/// assets/exercises/*/ exercise.toml and start.cu.
extern const std::span<const Embedded> kAssets;

/// Those whose names begin so: their texts by name.
inline std::map<std::string_view, std::string> embedded(std::string_view begin,
                                                        std::span<const Embedded> pieces = kAssets) {
    std::map<std::string_view, std::string> texts;
    for (const Embedded& piece : pieces)
        if (piece.name.starts_with(begin)) texts[piece.name] += piece.text;
    return texts;
}

}  // namespace warptree
