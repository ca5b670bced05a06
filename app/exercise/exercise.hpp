// An exercise in which a student writes the kernel: a text, a file to start from, tests, and conditions on what the
// kernel did. Plain data, read from TOML.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/result.hpp"
#include "instrumentation/text.hpp"

namespace warptree::exercise {

/// A run of the submission.
struct Test {
    std::uint64_t n = 0, seed = 1;       // the first words that main() gets
    std::vector<std::string> more = {};  // and those after them
    std::string input = {};              // what its standard input has
    std::vector<std::string> arguments() const;
    std::string name() const;     // "N = 64, seed 1"
    std::string command() const;  // what main() gets and reads: "64 1, and reads 3 4 5"
    bool operator==(const Test&) const = default;
};

/// What has to hold in each test: see condition.hpp.
struct Condition {
    std::string holds = {};  // "divergent_warps <= 5"
    std::string hint = {};   // said where it does not; "": nothing
};

struct Exercise {
    std::string title = {}, text = {};
    std::string start = "start.cu";          // the file to start from, beside the exercise's own
    std::string problem = {}, op = {};       // what it computes; "": whatever can be judged
    double seconds = 10;                     // that a test may take
    std::vector<Test> tests = {};            // at least one
    std::vector<Condition> conditions = {};  // likewise
};

struct Reading {
    Exercise exercise;
    std::vector<TextProblem> problems;  // none: submissions can be graded
};
/// Reads an exercise, and finds all that is wrong in it.
Reading read(std::string_view text);

/// An exercise that is compiled in, of assets/exercises.
struct Shipped {
    std::string name;  // "simple"
    Exercise exercise;
    std::string start;  // the text of the file to start from
};
/// In teaching order: by the number that their folders' names begin with.
const std::vector<Shipped>& shipped();

/// A shipped exercise, by its name, or a file's, with the text that it starts from.
/// errors  usage: neither there is; all that is wrong in it, a line each
Result<Shipped> open(const std::string& source);

}  // namespace warptree::exercise
