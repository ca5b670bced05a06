// What a run computes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace warptree::value {

/// One value of all elements; or a value for each element: of those up to it, or of those before it.
enum class Problem : std::uint8_t { kReduction, kInclusiveScan, kExclusiveScan };
inline constexpr std::array<std::string_view, 3> kProblemNames = {"reduction", "inclusive scan", "exclusive scan"};

constexpr std::string_view name(Problem problem) {
    return kProblemNames[static_cast<std::size_t>(problem)];
}

}  // namespace warptree::value
