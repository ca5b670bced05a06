// Facts of a run by name: what questions ask for, and what their wrong answers are. A name is a row of the table, of a
// step ("active_warps"), of all steps up to it ("active_warps_so_far"), or of another step ("active_warps@2").
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "app/subject/subject.hpp"
#include "instrumentation/result.hpp"

namespace warptree::lesson {

struct Fact {
    std::string text{};    // "1,024", "62.5 %"
    double number = 0;     // 1024, 0.625
    std::string called{};  // "active warps"
    bool whole = true;     // a number that can be typed
    bool open = false;     // on the screen before any step: nothing to predict
};

/// step    from 1, counted over the run; where the name says no other
/// errors  no such fact, and which there are; a step that the run has not
Result<Fact> fact(std::string_view name, const study::RunFacts&, std::size_t step);
/// Whether there is such a fact.
/// errors  as above, of the name alone
Result<void> check_fact(std::string_view name);
/// Whether it follows the steps: one of each, told by no other.
/// errors  as above; of the run or the launch; of a step that it names
Result<void> check_follows(std::string_view name);

/// A text with facts for their names in braces: "{active_warps} of {n}".
/// errors  what fact_of says of one of them
Result<std::string> with_facts(std::string_view text,
                               const std::function<Result<std::string>(std::string_view name)>& fact_of);

/// A text with what facts are called for their names: "bank conflicts == 0" of "shared_conflicts == 0".
std::string in_words(std::string_view text);

}  // namespace warptree::lesson
