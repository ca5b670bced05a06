// Inputs: the arrays that kernels reduce; made by a named rule, typed in, or read from a file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/request/request.hpp"
#include "instrumentation/result.hpp"
#include "instrumentation/trace/run.hpp"
#include "instrumentation/value/operator.hpp"

namespace warptree::kernels {

inline constexpr std::uint64_t kMostInput = std::uint64_t{1} << 24;  // elements

/// textbook  3 1 7 0 4 1 6 3 5 2 8 1 2 6 4 7, over and over: the sketch's sixteen values, exact in every type
/// ramp      0, 1, 2, ... (exact in float32 up to 2^24; wraps around in int8, rounds in halves)
/// ones      1, 1, 1, ...
/// teams     2 6 4 7 3 5 1 8, then 9, 10, ...: the last eight of a World Cup by final place, see world_cup.hpp
/// random    integers 0..99 from the seed, the same on every system
/// For what roundings do to sums; integers take the whole part. All but the last are made from the seed:
/// uniform       from 0 to 1
/// mixed         from 2^-12 to 2^12, as many of each size
/// alternating   from 1 to 2, then from -2 to -1
/// ascending     from 0 to 1, from 1 to 2, ...; descending: the same numbers from the last to the first
/// one-and-tiny  1, then half of what is just lost beside it: 2^-25 of float32
std::span<const std::string_view> input_rules();
bool is_rule(std::string_view input);
/// How a rule begins, in a few words: "3 1 7 0 4 1 6 3 …".
std::string_view rule_remark(std::string_view rule);

/// A number that was read; up to 2^53 it is also whole where it has no fraction.
Number number_of(double real);

/// What was read.
struct InputValues {
    std::vector<Number> numbers;
    std::optional<value::Type> type;                         // a .npy's own, or the nearest of ours that holds it
    std::vector<std::pair<std::size_t, double>> rests = {};  // see Numbers
    std::string remark = {};                                 // what was not taken as it stands there: a sentence, or ""
};

/// The values of bytes from anywhere: a .npy; or text in UTF-8, UTF-16 or Latin-1 with numbers as "3,1,7,0", "3 1 7 0",
/// "1e-3; nan; -inf; -0.0", "[3, 1, 7, 0]", "1,5; 2,25", a header, and comments from # or // to a line's end.
/// what    how errors call it: "Input", a file's name
/// progress  kept up to date, and looked at, in bytes; null: nobody watches
/// errors    usage: what stands at which line and column in place of a number; two readings; other kinds of files;
///           kCancelled
Result<InputValues> parse_input(std::string_view bytes, std::string_view what, const InputFormat& = {},
                                Progress* progress = nullptr);
/// The numbers of a file.
Result<Numbers> read_numbers(const std::string& path, const InputFormat& = {}, Progress* = nullptr);
/// What an input names which is no rule: a file if there is one of that name, else values typed in.
/// errors  neither; more than kMostInput
Result<Numbers> numbers_of(const std::string& input, const InputFormat& = {}, Progress* = nullptr);
/// All of standard input, which no name is of: it is read once.
Result<Numbers> read_standard_input(const InputFormat& = {});
/// Whether an input that is no rule is a file's name.
bool is_file_of_values(const std::string& input);

/// What a run reduced: of pairs the values, of matrices the entry that a number became. Empty where it has no input.
Numbers numbers_of(const trace::Run&);

/// What of a request's numbers its type cannot hold: whole ones and a file's are held as they are, others to as many
/// digits as they were written with, which all of 0.1 is not in any type.
trace::Rounded rounded(const Request&);

/// N where it follows from the input; none: any N will do (a rule).
Result<std::optional<std::uint64_t>> input_size(const Request&);

/// What a trace says of its input: the rule, the values as typed while they are short, or the file's name.
std::string input_label(const std::string& input);

/// Whether they are n, and all can be elements; it looks at none but the first that cannot.
Result<void> check_numbers(const std::string& input, std::uint64_t n, value::Type type, value::Op op,
                           const Numbers& numbers);

/// numbers  of an input that is no rule, where they are known; none: they are read from what it names
/// returns  (n,) elements of value_type(type, op), each knowing its place where argmin or argmax keep that; or a
/// sentence that lists what an input can be
Result<value::Values> make_input(const std::string& input, std::uint64_t n, value::Type type, value::Op op,
                                 std::uint64_t seed, const Numbers& numbers = {});

}  // namespace warptree::kernels
