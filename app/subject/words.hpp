// Numbers as words: how captions, labels and stories spell counts, shares and lists of threads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/trace/trace.hpp"

namespace warptree::study {

/// "2,048".
std::string grouped(std::uint64_t value);
/// An N: "2^24", or its digits where it is below 1024 or no power of two.
std::string size_name(std::uint64_t n);
/// "zero" to "twelve" in words, above that grouped digits.
std::string count_word(std::uint64_t value);
/// "one thread", "12 threads" (digits, grouped, but for one).
std::string counted(std::uint64_t value, std::string_view singular, std::string_view plural = {});
/// A measured figure to the next whole number.
std::string whole(double value);
/// A share of one as "75.0 %"; to a hundredth where that is all of it, "6.25 %", or where a tenth would make it 100.
std::string percent(double share);
std::string percent(std::uint64_t part, std::uint64_t all);
/// The same without ".0": "75 %", "12.5 %".
std::string brief_percent(double share);
/// How many times as fast: "2.67", from a thousand on "2,341".
std::string times(double factor);
/// "0, 2, 4 and 6"; "0 to 63"; a long progression as "0, 2, 4, … 126"; a long irregular list likewise, by its ends.
std::string list_of(const std::vector<std::uint32_t>& sorted);
/// A value's text in at most `characters`: whole, or with fewer digits, which is seen: "1.56e4" of 15561.41, "1.000" of
/// 0.99999994. "…" where not even one digit fits, and of what is no number.
std::string short_value(const std::string& text, std::size_t characters);
/// The word of a device's name that tells it from others: "H100" of "NVIDIA H100 80GB HBM3", "G80" where that stands in
/// brackets.
std::string brief_device(std::string_view name);
/// Where a block stands in its launch: "block 3"; of a run on several devices "device 1", or, where each has several
/// blocks, "device 1, block 5", counted over all.
std::string block_name(const trace::Launch&, std::uint32_t block);
/// First letter in upper case (ASCII).
std::string capitalised(std::string text);

/// What of its values the type could not hold: "1 of 2 values is no float32, and the nearest was taken. ..."; ""
/// nothing.
std::string rounded_text(const trace::Rounded&, std::uint64_t n, trace::Type);

}  // namespace warptree::study
