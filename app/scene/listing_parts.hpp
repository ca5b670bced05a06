// The parts of the listing's panel: lines broken to its width, and the branch's outcome by lane.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/kit.hpp"

namespace warptree::scene {

enum class Syntax : std::uint8_t { kPlain, kKeyword, kComment, kProbe };

/// Part of a line in one style, at a column.
struct Run {
    std::size_t column = 0;
    std::string text;
    Syntax syntax = Syntax::kPlain;
};

/// One row of the panel: a line of the file, or what is left of one that was too long.
struct ListingRow {
    int line = 0;
    bool continued = false;
    std::vector<Run> runs;
};

/// The kernel function's lines, broken to `columns` characters; indents halved when that is narrow.
std::vector<ListingRow> listing_rows(const Subject&, std::size_t columns);

/// Lines on which something was recorded in the present step, in the block on show.
std::set<int> lines_run(const Subject&, Playhead);

/// The condition of the branch that a step's line stands in, with the stride put in: "threadIdx.x % 2 == 0".
/// returns  "" where the line stands in no `if`
std::string branch_condition(const Subject&, std::size_t step);

/// What a step's branch costs the block: "One of two warps takes the branch with one of four lanes; ...".
std::string branch_sentence(const Subject&, std::size_t step);

/// Below the listing the branch with its lanes.
/// height  what is left for it
Section branch_section(Pen&, const Subject&, Playhead, float width, float height);

}  // namespace warptree::scene
