// Where inputs come from: files, pipes, standard input, or what was typed.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "instrumentation/request/input_text.hpp"
#include "instrumentation/trace/manifest.hpp"

namespace warptree::kernels {
namespace {

constexpr std::uintmax_t kLargestFile = std::uintmax_t{1} << 30;  // bytes
constexpr std::size_t kLongestLabel = 120;                        // characters

/// A pipe or a device has no size beforehand, and may have no end.
Result<std::string> read_all(std::istream& in, const std::string& path) {
    std::string text;
    for (std::array<char, 65536> piece; in.read(piece.data(), piece.size()), in.gcount() > 0;) {
        text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
        if (text.size() > kLargestFile)
            return usage_error(
                fmt::format("{} has more than {} bytes, up to which files are read.", path, kLargestFile));
    }
    if (in.bad()) return failure(fmt::format("{} cannot be read.", path));
    return text;
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
    if (!in.is_open())
        return failure(fmt::format("{} cannot be read; check its name and whether you may read it.", path));
    return read_all(in, path);
}

bool is_file_name(const std::string& input) {
    if (input.find('\n') != input.npos) return false;
    const std::string extension = std::filesystem::path(input).extension().string();
    return input.find('/') != input.npos || extension == ".npy" || extension == ".csv" || extension == ".txt" ||
           extension == ".dat";
}
bool exists(const std::string& input) {
    std::error_code ignored;
    return input.size() < 4096 && std::filesystem::exists(input, ignored);
}
/// Whether its first word is meant as a number: "3,1,x" is a list with a mistake in it, "textbok" a mistyped rule. What
/// has several lines, tabs or brackets was pasted.
bool looks_typed(const std::string& input) {
    if (input.find_first_of("\n\t[({") != input.npos) return true;
    try {
        const PlainText text(input);
        const std::string_view plain = text.view();
        const std::size_t begin = plain.find_first_not_of(" \r\"'\x1f");
        if (begin == plain.npos || std::string_view("0123456789+-.,;").find(plain[begin]) != plain.npos) return true;
        bool tiny = false;
        unusual_number(plain.substr(begin, plain.find_first_of(" \r,;\"'\x1f", begin) - begin), tiny);
        return true;
    } catch (const Refusal&) {
        return false;
    }
}
/// "3 // three" has a slash, and names no file.
bool begins_with_number(const std::string& input) {
    const std::size_t begin = std::min(input.find_first_not_of(' '), input.size());
    const std::size_t end = std::min(input.find_first_of(" ,;", begin), input.size());
    return end < input.size() && number_named(std::string_view(input).substr(begin, end - begin)).has_value();
}

/// what  how errors call the bytes; name: what they can be read from again, or ""
Result<Numbers> numbers_in(std::string_view bytes, std::string_view what, const std::string& name,
                           const InputFormat& format, Progress* progress = nullptr) {
    return parse_input(bytes, what, format, progress).map([&name](InputValues&& values) {
        return Numbers(std::move(values.numbers), values.type, name, std::move(values.rests), std::move(values.remark));
    });
}

}  // namespace

Number number_of(double real) {
    const bool whole = std::abs(real) <= 0x1p53 && std::trunc(real) == real;
    return {real, whole ? std::optional(static_cast<std::int64_t>(real)) : std::nullopt};
}

Result<Numbers> read_numbers(const std::string& path, const InputFormat& format, Progress* progress) {
    return read_file(path).and_then(
        [&](const std::string& bytes) { return numbers_in(bytes, path, path, format, progress); });
}

bool is_file_of_values(const std::string& input) {
    return !is_rule(input) && exists(input);
}

Result<Numbers> numbers_of(const std::string& input, const InputFormat& format, Progress* progress) {
    if (exists(input)) return read_numbers(input, format, progress);
    if (is_file_name(input) && !begins_with_number(input))
        return usage_error(fmt::format("There is no file called {}.", input));
    if (looks_typed(input)) return numbers_in(input, "Input", input, format, progress);
    return usage_error(
        fmt::format("There is no input called '{}'. The inputs are {}; values, for example 3,1,7,0; or a file (.npy, "
                    ".csv, text).",
                    input, fmt::join(input_rules(), ", ")));
}

Result<Numbers> read_standard_input(const InputFormat& format) {
    return read_all(std::cin, "standard input").and_then([&](const std::string& bytes) {
        return numbers_in(bytes, "Standard input", "", format);
    });
}

Result<std::optional<std::uint64_t>> input_size(const Request& request) {
    if (is_rule(request.input)) return std::nullopt;
    if (request.numbers) return request.numbers.size();
    return numbers_of(request.input, request.format).map([](const auto& numbers) {
        return std::optional(numbers.size());
    });
}

std::string input_label(const std::string& input) {
    if (is_rule(input)) return input;
    if (input == "-") return "standard input";
    const bool file = exists(input);
    std::string label = file ? "file " + std::filesystem::path(input).filename().string() : input;
    std::ranges::replace_if(
        label, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    if (trace::is_name(label) && (file || label.size() <= kLongestLabel)) return label;
    return file ? "a file" : "values typed in";
}

}  // namespace warptree::kernels
