// Reading inputs: numbers typed in, text files, and NumPy's .npy.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "instrumentation/trace/manifest.hpp"
#include "instrumentation/trace/npy.hpp"
#include "instrumentation/trace/validate.hpp"
#include "kernels/inputs.hpp"

namespace warptree::kernels {
namespace {

constexpr std::uintmax_t kLargestFile = std::uintmax_t{1} << 30;  // bytes
constexpr std::size_t kLongestLabel = 120;                        // characters

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool is_separator(char c) {
    return c == ',' || c == ';';
}

/// "3", "-0.5", "+1e9", "nan", "-inf", "infinity", in any case. None where it is something else.
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

/// Takes numbers out of text one by one, and knows where it is.
class NumberReader {
public:
    NumberReader(std::string_view text, std::string_view what) : text_(text), what_(what) {}

    Result<std::vector<Number>> read() {
        std::vector<Number> numbers;
        bool expects = false;  // a separator was seen, and a number has to follow
        for (skip_blank(); at_ < text_.size(); skip_blank()) {
            const std::size_t begin = at_;
            if (is_separator(text_[at_])) {
                if (expects || numbers.empty())
                    return bad(begin, fmt::format("there is no number before '{}'", text_[at_]));
                expects = true;
                ++at_;
                continue;
            }
            while (at_ < text_.size() && !is_space(text_[at_]) && !is_separator(text_[at_]) && text_[at_] != '#') ++at_;
            const std::string_view word = text_.substr(begin, at_ - begin);
            const auto number = number_named(word);
            if (!number) return bad(begin, fmt::format("'{}' is not a number", shortened(word)));
            numbers.push_back(*number);
            if (numbers.size() > kMostInput)
                return bad(begin, fmt::format("there are more than {} numbers", kMostInput));
            expects = false;
        }
        if (expects) return bad(text_.size(), "a number has to follow the last separator");
        if (numbers.empty()) return usage_error(fmt::format("{} has no numbers in it; give at least one.", what_));
        return numbers;
    }

private:
    void skip_blank() {
        while (at_ < text_.size() && (is_space(text_[at_]) || text_[at_] == '#')) {
            if (text_[at_] == '#') {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else {
                ++at_;
            }
        }
    }
    /// What can be printed of a word, up to 40 bytes: no part of a letter, and marks in place of what is no text.
    static std::string shortened(std::string_view word) {
        std::size_t end = std::min<std::size_t>(word.size(), 40);
        while (end > 0 && end < word.size() && (word[end] & 0xc0) == 0x80) --end;
        std::string out(word.substr(0, end));
        const bool text = trace::is_utf8(out);
        for (char& c : out)
            if ((c >= 0 && c < 0x20) || c == 0x7f || (!text && (c & 0x80) != 0)) c = '?';
        return end < word.size() ? out + "..." : out;
    }
    tl::unexpected<Error> bad(std::size_t at, const std::string& why) const {
        std::size_t line = 1, column = 1;
        for (std::size_t i = 0; i < at; ++i) {
            ++column;
            if (text_[i] == '\n') {
                ++line;
                column = 1;
            }
        }
        return usage_error(fmt::format(
            "{}, line {}, column {}: {}. Numbers stand with commas, semicolons or blanks between them, for example "
            "3, 1, 7, 0.",
            what_, line, column, why));
    }

    std::string_view text_, what_;
    std::size_t at_ = 0;
};

// ---- .npy ----

template <class T>
Number number_at(const char* from, bool swapped) {
    std::array<char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), from, sizeof(T));
    if (swapped) std::reverse(bytes.begin(), bytes.end());
    const auto value = std::bit_cast<T>(bytes);
    if constexpr (std::is_floating_point_v<T>) {
        return number_of(value);
    } else {
        Number number{static_cast<double>(value), {}};
        if (std::in_range<std::int64_t>(value)) number.whole = static_cast<std::int64_t>(value);
        return number;
    }
}
Number half_at(const char* from, bool swapped) {
    const std::int64_t bits = *number_at<std::uint16_t>(from, swapped).whole;
    return number_of(value::Float16::to_double(static_cast<std::uint16_t>(bits)));
}

struct Dtype {
    std::string_view name;  // without the byte order
    value::Type type;       // the nearest of ours that holds them
    std::size_t size;
    Number (*read)(const char* from, bool swapped);
};
constexpr std::array<Dtype, 12> kDtypes = {{{"f2", value::Type::kFloat16, 2, half_at},
                                            {"f4", value::Type::kFloat32, 4, number_at<float>},
                                            {"f8", value::Type::kFloat64, 8, number_at<double>},
                                            {"i1", value::Type::kInt8, 1, number_at<std::int8_t>},
                                            {"i2", value::Type::kInt32, 2, number_at<std::int16_t>},
                                            {"i4", value::Type::kInt32, 4, number_at<std::int32_t>},
                                            {"i8", value::Type::kInt64, 8, number_at<std::int64_t>},
                                            {"u1", value::Type::kInt32, 1, number_at<std::uint8_t>},
                                            {"b1", value::Type::kInt32, 1, number_at<std::uint8_t>},
                                            {"u2", value::Type::kInt32, 2, number_at<std::uint16_t>},
                                            {"u4", value::Type::kInt64, 4, number_at<std::uint32_t>},
                                            {"u8", value::Type::kInt64, 8, number_at<std::uint64_t>}}};

Result<Numbers> read_npy(std::string_view file, const std::string& path) try {
    const trace::NpyHeader header = trace::read_npy_header(file);
    const Dtype* dtype = nullptr;
    for (const Dtype& known : kDtypes)
        if (header.dtype.size() == 3 && header.dtype.substr(1) == known.name) dtype = &known;
    if (dtype == nullptr) refuse("its dtype is {}; it has to be a real number's, for example <f4 or <i8", header.dtype);
    if (header.size == 0) refuse("it has no entries; at least one is needed");
    if (header.size > kMostInput) refuse("it has {} entries; up to {} are taken", header.size, kMostInput);
    if (file.size() - header.data_at != header.size * dtype->size)
        refuse("its header promises {} bytes of data, but {} follow", header.size * dtype->size,
               file.size() - header.data_at);
    std::vector<Number> numbers(header.size);
    const bool swapped = header.dtype[0] == '>';
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = dtype->read(file.data() + header.data_at + i * dtype->size, swapped);
    std::vector<std::pair<std::size_t, double>> rests;  // of whole numbers past those of 64 bits with a sign
    for (std::size_t i = 0; dtype->name == "u8" && i < numbers.size(); ++i) {
        if (numbers[i].whole) continue;
        std::array<char, 8> bytes;
        std::memcpy(bytes.data(), file.data() + header.data_at + i * 8, 8);
        if (swapped) std::ranges::reverse(bytes);
        const auto given = static_cast<long double>(std::bit_cast<std::uint64_t>(bytes));  // of 64 bits, too
        if (const auto rest = static_cast<double>(given - numbers[i].real); rest != 0) rests.emplace_back(i, rest);
    }
    return Numbers(std::move(numbers), dtype->type, path, std::move(rests));
} catch (const Refusal& refusal) {
    return usage_error(fmt::format("{} cannot be used as input: {}.", path, refusal.why));
}

Result<std::string> read_file(const std::string& path) {
    std::error_code error;
    const std::filesystem::path file(path);
    if (std::filesystem::is_directory(file, error))
        return usage_error(fmt::format("{} is a folder; name a .npy, .csv or text file.", path));
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    if (!error && size > kLargestFile)
        return usage_error(fmt::format("{} has {} bytes; files of up to {} are read.", path, size, kLargestFile));
    std::ifstream in(file, std::ios::binary);
    std::string text;
    // A pipe or a device has no size beforehand, and may have no end
    for (std::array<char, 65536> piece; in.read(piece.data(), piece.size()), in.gcount() > 0;) {
        text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
        if (text.size() > kLargestFile)
            return usage_error(
                fmt::format("{} has more than {} bytes, up to which files are read.", path, kLargestFile));
    }
    if (!in.is_open() || in.bad())
        return failure(fmt::format("{} cannot be read; check its name and whether you may read it.", path));
    return text;
}

bool is_file_name(const std::string& input) {
    const std::string extension = std::filesystem::path(input).extension().string();
    return input.find('/') != input.npos || extension == ".npy" || extension == ".csv" || extension == ".txt" ||
           extension == ".dat";
}
bool exists(const std::string& input) {
    std::error_code ignored;
    return input.size() < 4096 && std::filesystem::exists(input, ignored);
}
/// Whether its first word is meant as a number: "3,1,x" is a list with a mistake in it, "textbok" a mistyped rule.
bool looks_typed(std::string_view input) {
    const std::size_t begin = input.find_first_not_of(" \t\r\n");
    if (begin == input.npos) return true;
    const char first = input[begin];
    return (first >= '0' && first <= '9') || std::string_view("+-.,;").find(first) != std::string_view::npos ||
           number_named(input.substr(begin, input.find_first_of(" \t\r\n,;", begin) - begin)).has_value();
}

}  // namespace

Number number_of(double real) {
    const bool whole = std::abs(real) <= 0x1p53 && std::trunc(real) == real;
    return {real, whole ? std::optional(static_cast<std::int64_t>(real)) : std::nullopt};
}

Result<std::vector<Number>> parse_numbers(std::string_view text, std::string_view what) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    return NumberReader(text, what).read();
}

Result<Numbers> read_numbers(const std::string& path) {
    const auto text = read_file(path);
    if (!text) return tl::unexpected(text.error());
    if (path.ends_with(".npy") || text->starts_with("\x93NUMPY")) return read_npy(*text, path);
    return parse_numbers(*text, path).map([&](auto&& all) { return Numbers(std::move(all), {}, path); });
}

bool is_file_of_values(const std::string& input) {
    return !is_rule(input) && exists(input);
}

Result<Numbers> numbers_of(const std::string& input) {
    if (exists(input)) return read_numbers(input);
    if (is_file_name(input)) return usage_error(fmt::format("There is no file called {}.", input));
    if (looks_typed(input))
        return parse_numbers(input, "Input").map([&](auto&& all) { return Numbers(std::move(all), {}, input); });
    return usage_error(
        fmt::format("There is no input called '{}'. The inputs are {}; values, for example 3,1,7,0; or a file (.npy, "
                    ".csv, text).",
                    input, fmt::join(input_rules(), ", ")));
}

Result<std::optional<std::uint64_t>> input_size(const Request& request) {
    if (is_rule(request.input)) return std::nullopt;
    if (request.numbers) return request.numbers.size();
    return numbers_of(request.input).map([](const auto& numbers) { return std::optional(numbers.size()); });
}

std::string input_label(const std::string& input) {
    if (is_rule(input)) return input;
    const bool file = exists(input);
    std::string label = file ? "file " + std::filesystem::path(input).filename().string() : input;
    std::ranges::replace_if(label, is_space, ' ');
    const bool text = trace::is_utf8(label) && refusal_of([&label] { trace::check_text("", label, true); }).empty();
    if (text && (file || label.size() <= kLongestLabel)) return label;
    return file ? "a file" : "values typed in";
}

}  // namespace warptree::kernels
