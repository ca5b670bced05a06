// The listing, and the lecture's code.
#pragma once

#include "app/kit/kit.hpp"

namespace warptree::scene {

/// The condition of the branch that a step's line stands in, with the stride put in: "threadIdx.x % 2 == 0"; "" where
/// the line stands in no `if`.
std::string branch_condition(const Subject&, std::size_t step);
/// What a step's branch costs the block: "One of two warps takes the branch with one of four lanes; ...".
std::string branch_sentence(const Subject&, std::size_t step);
/// The kernel's listing with the running line marked, the branch's outcome by lane, and the legend.
Scene listing_view(const Subject&, Playhead, Box, const Measure&, const Target& hover = {});

/// What stands below the listing: the branch with its lanes. height  what is left for it
Section branch_section(Pen&, const Subject&, Playhead, float width, float height);

/// Of the lecture's code: the lines that the present step runs, too.
struct LargeNumber {
    std::string text, called;  // "62.5 %", "efficiency so far"; no text: there is none yet
};
/// As many lines as the box takes: those that the step runs, then lines before them, in a fainter ink.
Scene lecture_code(const Subject&, Playhead, const LargeNumber&, Box, const Measure&);

}  // namespace warptree::scene
