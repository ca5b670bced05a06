// Single numbers: as programs write them, and what is near to one.
#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "instrumentation/refusal.hpp"
#include "instrumentation/request/input_text.hpp"

namespace warptree::kernels {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
std::string lower_letters(std::string_view word) {
    std::string lower(word);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

/// As C, Python and C++ write integers of base 2, 8 and 16, and C the reals of base 16: 0x10, 0b101, 0o17, 0x1.8p3.
std::optional<Number> of_another_base(std::string_view lower) {
    const bool negative = lower.starts_with('-');
    if (negative || lower.starts_with('+')) lower.remove_prefix(1);
    const int base = lower.starts_with("0x") ? 16 : lower.starts_with("0o") ? 8 : lower.starts_with("0b") ? 2 : 0;
    if (base == 0) return std::nullopt;
    lower.remove_prefix(2);
    const char* const end = lower.data() + lower.size();
    std::uint64_t whole = 0;
    if (const auto [after, error] = std::from_chars(lower.data(), end, whole, base);
        error == std::errc() && after == end) {
        const double real = static_cast<double>(whole);
        if (whole > std::uint64_t{1} << 63 || (whole == std::uint64_t{1} << 63 && !negative))
            return Number{negative ? -real : real, {}};
        return Number{negative ? -real : real, static_cast<std::int64_t>(negative ? 0 - whole : whole)};
    }
    double real = 0;
    const auto [after, error] = std::from_chars(lower.data(), end, real, std::chars_format::hex);
    if (base != 16 || error != std::errc() || after != end || lower.starts_with('-')) return std::nullopt;
    return number_of(negative ? -real : real);
}

/// Without what programs write around the digits: 1_000, 1'000, 1.0f, 10ull, 2.5d, and Fortran's 1.0d-3.
std::string without_marks(std::string_view lower) {
    std::string bare;
    for (std::size_t i = 0; i < lower.size(); ++i) {
        const bool within = i > 0 && i + 1 < lower.size() && is_digit(lower[i - 1]);
        if ((lower[i] == '_' || lower[i] == '\'') && within && is_digit(lower[i + 1])) continue;
        const bool exponent = lower[i] == 'd' && within && lower[i + 1] != 'd' && !is_letter(lower[i + 1]);
        bare += exponent ? 'e' : lower[i];
    }
    const std::size_t end = bare.find_last_not_of("fdlu") + 1;
    if (end > 0 && bare.size() - end <= 3 && (is_digit(bare[end - 1]) || bare[end - 1] == '.')) bare.resize(end);
    return bare;
}

/// Of digits that a double cannot take: whether they are too small for it, rather than too large.
bool is_tiny(std::string_view word) {
    const std::size_t e = std::min(word.find_first_of("eE"), word.size());
    const std::string_view digits = word.substr(0, e);
    const std::size_t point = std::min(digits.find('.'), digits.size());
    const std::size_t first = std::min(digits.find_first_of("123456789"), digits.size());
    if (e + 1 < word.size() && word[e + 1] == '-' && word.size() - e > 8) return true;
    std::string_view power = word.substr(std::min(e + 1, word.size()));
    if (power.starts_with('+')) power.remove_prefix(1);
    int exponent = 0;
    std::from_chars(power.data(), power.data() + power.size(), exponent);
    return static_cast<std::ptrdiff_t>(point) - static_cast<std::ptrdiff_t>(first) + exponent < 0;
}

/// Words that are near to a number. cure  what to write in their place
struct NearNumber {
    bool (*is)(std::string_view word);
    std::string_view cure;
};
bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}
constexpr NearNumber kNear[] = {
    {[](std::string_view w) {
         return is_one_of(w, {"na", "n/a", "null", "none", "-", "missing", "?", "<na>"});
     },
     "A missing value is nan, or its line is left out."},
    {[](std::string_view w) { return w == "..."; },
     "Values were left out there; have all printed, with NumPy by np.set_printoptions(threshold=np.inf)."},
    {[](std::string_view w) { return w.ends_with('%'); }, "Write 50% as 0.5."},
    {[](std::string_view w) { return w.starts_with("/*"); }, "A comment begins with # or //."},
    {[](std::string_view w) { return is_digit(w[0]) && (w.ends_with('j') || w.ends_with('i')); },
     "It is complex; an input has real numbers, its real part for example."},
    {[](std::string_view w) { return is_digit(w[0]) && w.find(':') != w.npos; },
     "A time is a number of seconds; a range is written out."},
    {[](std::string_view w) { return is_digit(w[0]) && w.find('/') != w.npos && w.size() < 12; },
     "Write a fraction as a decimal, 0.5."},
    {[](std::string_view w) { return is_digit(w[0]) && std::ranges::count(w, '.') > 1; },
     "A number has one point; leave out those between thousands."},
    {[](std::string_view w) {
         return is_digit(w[0]) && (w.find("x10") != w.npos || w.find("*10") != w.npos ||
                                   w.find("\x7f"
                                          "10") != w.npos);
     },
     "Write powers of ten as 1.5e3."},
    {[](std::string_view w) { return is_digit(w[0]) && (w.find('^') != w.npos || w.find("**") != w.npos); },
     "Write a power as its value."},
    {[](std::string_view w) {
         return (is_digit(w[0]) && (is_letter(w.back()) || w.back() == PlainText::kOther)) || w[0] == '$' ||
                w[0] == PlainText::kOther;
     },
     "Write the number alone, without a unit or a letter in it."},
};

}  // namespace

std::optional<Number> number_named(std::string_view word) {
    if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
    const char* const end = word.data() + word.size();
    std::int64_t whole = 0;
    const auto [after_whole, whole_error] = std::from_chars(word.data(), end, whole);
    if (whole_error == std::errc() && after_whole == end)
        return Number{whole == 0 && word.starts_with('-') ? -0.0 : static_cast<double>(whole), whole};
    double real = 0;
    const auto [after_real, real_error] = std::from_chars(word.data(), end, real);
    if (real_error != std::errc() || after_real != end) return std::nullopt;
    return number_of(real);  // 3.0 and 1e3 are whole numbers too
}

Number unusual_number(std::string_view word, bool& tiny) {
    const std::string lower = lower_letters(word);
    if (lower == "true" || lower == "false") return number_of(lower == "true");
    const std::string bare = without_marks(lower);
    for (const std::string& text : {lower, bare}) {
        if (const auto number = of_another_base(text)) return *number;
        if (const auto number = number_named(text)) return *number;
    }
    double real = 0;
    const std::string_view digits = std::string_view(bare).substr(bare.starts_with('+') ? 1 : 0);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), real);
    if (error == std::errc::result_out_of_range && end == digits.data() + digits.size()) {
        tiny = is_tiny(digits);
        if (tiny) return number_of(digits.starts_with('-') ? -0.0 : 0.0);
        refuse("is larger than a double holds, 1.8e308~Write inf, or scale the values.");
    }
    const std::string_view unsigned_word =
        std::string_view(lower).substr(lower.size() > 1 && (lower[0] == '-' || lower[0] == '+') ? 1 : 0);
    for (const NearNumber& near : kNear)
        if (!unsigned_word.empty() && near.is(unsigned_word)) refuse("is not a number~{}", near.cure);
    refuse("is not a number");
}

}  // namespace warptree::kernels
