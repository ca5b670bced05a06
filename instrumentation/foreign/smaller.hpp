// A program that does more than can be shown: the numbers in it that may say how much, and smaller ones.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/foreign/program.hpp"

namespace warptree::foreign {

/// A number of a program that may be another one.
struct Change {
    int argument = -1;  // its place among main()'s; negative: it stands in a file
    std::filesystem::path file = {};
    int line = 0;
    std::string name = {}, old = {}, fresh = {};  // "N", "(1 << 26)", "65536"
    std::string is = "is";                        // or what else the line has between the two, in a word
    bool names_file = false;                      // it is not the first one
    bool blocks = false;                          // so many are launched
    std::vector<int> again = {};                  // further lines of the file that have the same
    /// "on line 3 N is (1 << 26); with 65536"
    std::string proposed() const;
    /// "N = 65536 (line 3, now (1 << 26))"
    std::string among_others() const;
    /// "on line 3 N is 65536, not (1 << 26)"
    std::string made() const;
};

inline constexpr std::uint64_t kMostElse = 1 << 14;

/// Likely ones first: the number that is its largest array's, or has it with another one, or two by its power; then the
/// largest there are.
/// elements  of its largest array
/// small     the smaller one, a power of two
/// most      that others become
std::vector<Change> smaller_sizes(const std::vector<std::filesystem::path>& files,
                                  const std::vector<std::string>& arguments, std::uint64_t elements,
                                  std::uint64_t small = 1 << 16, std::uint64_t most = kMostElse);

/// One turn of loops that are counted in tens, as those that measure time; fewer blocks, where their number is named.
std::vector<Change> less_work(const std::vector<std::filesystem::path>& files);

/// A file's text, without what its comments say.
std::string code_of(const std::filesystem::path&);

/// Tries them, in copies of the files. Where the start asks for it, what that did; else what was done, with what is
/// proposed.
Outcome with_smaller(const Compiled&, const Start&, Outcome);

/// A file's text with the change; none: its line has not what it says.
std::optional<std::string> changed_text(const Change&, std::string text);

}  // namespace warptree::foreign
