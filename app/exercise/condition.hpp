// Conditions on what a submission did: a word, "correct", "no race", or a comparison (app/lesson/comparison.hpp), in
// which `n` and `seed` are the test's.
#pragma once

#include <string>
#include <string_view>

#include "app/exercise/exercise.hpp"
#include "app/subject/subject.hpp"
#include "instrumentation/foreign/program.hpp"

namespace warptree::exercise {

/// Of a condition in a test.
struct Holding {
    bool holds = true;
    int line = 0;     // of the submission, where it fails; 0: not known, or of no line
    std::string why;  // it does not: half a sentence
};

/// errors  it says nothing that can be held against a run: which part, and what would be right
Result<void> check_condition(std::string_view text);

/// text     a condition that was checked
/// outcome  of the test; its run was moved into the facts
Holding judge_condition(std::string_view text, const Exercise&, const Test&, const foreign::Outcome& outcome,
                        const study::RunFacts&);

}  // namespace warptree::exercise
