// The kernel files' own text, compiled in so that the program shows what it ran. Filled by cmake/embed.cmake.
#pragma once

#include <span>
#include <string_view>

namespace warptree::kernels {

struct Listing {
    std::string_view name;  // path from the repository's root
    std::string_view text;
};
extern const std::span<const Listing> kListings;
/// assets/measured/verify.json, assets/results/*.json and assets/lessons/*.toml, with CUDA plain.ptx too, in pieces
/// that compilers take as one literal each.
extern const std::span<const Listing> kAssets;

}  // namespace warptree::kernels
