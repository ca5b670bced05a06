// Marks as texts, for the settings.
#pragma once

#include <string>
#include <vector>

#include "app/state/app_state.hpp"

namespace warptree::state {

/// "tree 4 0 2 1 0 0 divergence|8123 0.5 0 0.25 0.75;...": view, step, block, scene, camera (zoom, pan) and lesson;
/// then points, each the shape it goes with and where it is in that and in the picture. The last kMostMarks.
std::vector<std::string> texts_of(const std::vector<Mark>&);
/// Texts that are none are left out.
std::vector<Mark> marks_of(const std::vector<std::string>&);
inline constexpr std::size_t kMostMarks = 500;

}  // namespace warptree::state
