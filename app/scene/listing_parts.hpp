// Below the listing: the branch's outcome by lane.
#pragma once

#include "app/scene/kit.hpp"

namespace warptree::scene {

/// The condition of the branch that a step's line stands in, with the stride put in: "threadIdx.x % 2 == 0".
/// returns  "" where the line stands in no `if`
std::string branch_condition(const Subject&, std::size_t step);

/// What a step's branch costs the block: "One of two warps takes the branch with one of four lanes; ...".
std::string branch_sentence(const Subject&, std::size_t step);

/// The branch with its lanes.
/// height  what is left for it
Section branch_section(Pen&, const Subject&, Playhead, float width, float height);

}  // namespace warptree::scene
