// A comparison of two expressions of `+ - * /`, log2, ceil, floor, numbers and facts of a whole run:
// "global_ld_sectors <= n / 8 + 1". Facts are the totals in the JSON of `warptree report`, and those of facts.hpp, here
// of all steps; "active_warps@2" is of step 2.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "app/subject/subject.hpp"
#include "instrumentation/result.hpp"

namespace warptree::lesson {

/// Names that stand for what is known beside the run: "seed".
using GivenNames = std::span<const std::pair<std::string_view, double>>;

struct Compared {
    bool holds = false;
    int line = 0;       // of the kernel, where it fails; 0: not known, or of no line
    std::string found;  // the figures: "divergent_warps is 27"
};

/// errors  it says nothing that can be held against a run: which part, and what would be right
Result<void> check_comparison(std::string_view text, GivenNames given = {});
/// text  that was checked
Compared compare(std::string_view text, const study::RunFacts&, GivenNames given = {});

}  // namespace warptree::lesson
