// Grades submissions: each is compiled once, run once a test behind its fence, and held against the conditions.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/exercise/exercise.hpp"
#include "instrumentation/foreign/program.hpp"

namespace warptree::exercise {

/// Of a condition, over all tests.
struct Verdict {
    bool holds = true;
    int line = 0;           // of the submission, where it first fails; 0: not known
    std::string why;        // half a sentence
    std::size_t test = 0;   // the first in which it fails
    std::size_t fails = 0;  // in how many
};

struct Graded {
    std::string file;
    std::string refused = {};  // why nothing can be said of the conditions: "it does not compile: …"; "": it can
    int line = 0;              // of that; 0: not known
    std::vector<Verdict> verdicts = {};  // (conditions,); refused: none
    std::size_t held() const;
    bool passes() const { return refused.empty() && held() == verdicts.size(); }
};

/// Why a condition does not hold: "line 9, divergent_warps <= 5: divergent_warps is 27 (N = 256, seed 1)".
struct Reason {
    std::string text, hint = {};
};
std::vector<Reason> reasons(const Exercise&, const Graded&);

/// One submission; never fails.
/// home  as foreign::compile() takes it
Graded grade(const Exercise&, const std::string& file, const std::filesystem::path& home);

struct Grading {
    unsigned jobs = 1;                                // how many at once
    std::function<void(std::size_t done)> told = {};  // called after each, by one thread at a time
    std::function<bool()> stops = {};                 // whether the rest is to be left
};
/// returns  in the order of the files, whatever ends first; of a grading that was stopped the rest is empty
std::vector<Graded> grade_all(const Exercise&, std::span<const std::string> files, const std::filesystem::path& home,
                              const Grading&);

}  // namespace warptree::exercise
