// The memory view: one warp's access in the present step, lane by lane, and what all accesses of the step cost.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/scene/scene.hpp"
#include "app/scene/views.hpp"

namespace warptree::scene {

/// Which access is on show: the same place in the kernel and warp in each step, else the one that wastes most.
struct MemoryChoice {
    bool made = false;
    std::uint16_t site = 0;
    std::uint32_t warp = 0;
    bool operator==(const MemoryChoice&) const = default;
};

Scene memory_view(const Subject&, Playhead, const MemoryChoice&, Box, const Measure&, const Target& hover = {});

/// The choice that a target of the view stands for: made only if it is an access of the present step.
MemoryChoice choice_of(const Subject&, Playhead, const Target&);
/// What an access does and costs, a line each.
std::vector<std::string> access_story(const Subject&, Playhead, const Target&);

}  // namespace warptree::scene
