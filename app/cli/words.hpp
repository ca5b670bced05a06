// The words of a command line, whatever command they are of: what is looked at before anything runs.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warptree::cli {

/// errors  usage: an option, or a word alone, that is given and empty, as a script gives it whose variable is not set
void refuse_empty_words(std::span<char* const> words);

/// Lists with commas as one list: {"a,b", "c"} -> {"a", "b", "c"}.
/// flag    how messages call it: "KERNEL"
/// errors  usage: an empty one, one that is there twice
std::vector<std::string> listed(const std::vector<std::string>& words, std::string_view flag);

/// Looks at what --out names before there is anything to write; empty: nothing is to be written.
/// endings  that its files have, the usual one first, which a name without an ending means
/// errors   usage: another ending; failed: the file cannot be written there
void check_out(const std::string& out, std::initializer_list<std::string_view> endings);

}  // namespace warptree::cli
