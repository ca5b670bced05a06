// Names of files and texts from anywhere, before anything reads them.
#pragma once

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace warptree {

inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

inline std::string lower_case(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return text;
}

/// "Runs/A.CSV" -> ".csv"; "" of a name without one.
inline std::string ending_of(const std::filesystem::path& path) {
    return lower_case(path.extension().string());
}

/// A text that is a number from its first character to its last.
/// format  of floating-point numbers
template <class Number, class... Format>
std::optional<Number> number_in(std::string_view text, Format... format) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number, format...);
    return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

/// Where a byte of a text stands: both from 1, columns in characters.
struct TextPlace {
    std::size_t line = 1, column = 1;
    bool operator==(const TextPlace&) const = default;
};
inline TextPlace place_in(std::string_view text, std::size_t at) {
    const std::string_view before = text.substr(0, at), line = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
    const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    return {static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1,
            static_cast<std::size_t>(std::ranges::count_if(line, begins)) + 1};
}
/// "line 3, column 7"; of column 0 the line alone
inline std::string said(const TextPlace& place) {
    return place.column == 0 ? fmt::format("line {}", place.line)
                             : fmt::format("line {}, column {}", place.line, place.column);
}
/// What is wrong in a text, and where; line 0: nobody knows.
struct TextProblem {
    TextPlace at;
    std::string text;
    bool operator==(const TextProblem&) const = default;
};
inline std::string said(const TextProblem& problem) {
    return problem.at.line == 0 ? problem.text : fmt::format("{}: {}", said(problem.at), problem.text);
}

/// How many bytes from the first on are UTF-8 (RFC 3629); all of them: the text is.
inline std::size_t utf8_size(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const auto byte = [&](std::size_t i) {
            return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
        };
        const unsigned first = byte(0), second = byte(1);
        const std::size_t size = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        if (size == 0 || first > 0xF4) return at;
        for (std::size_t i = 1; i < size; ++i)
            if ((byte(i) & 0xC0) != 0x80) return at;
        if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return at;  // overlong; surrogates
        if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return at;
        at += size;
    }
    return at;
}

/// What keeps bytes from being a text of ours, and the cure; "" where nothing does.
inline TextProblem bad_text(std::string_view text) {
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) return {{}, "it is UTF-16; save it as UTF-8"};
    if (const auto zero = text.find('\0'); zero != text.npos)
        return {place_in(text, zero), "a byte 0, as UTF-16 and files that are no text have them; save it as UTF-8"};
    const std::size_t good = utf8_size(text);
    if (good == text.size()) return {};
    const auto byte = static_cast<unsigned char>(text[good]);
    return {place_in(text, good), fmt::format("the byte 0x{:02X} is not UTF-8{}; save the file as UTF-8", byte,
                                              byte >= 0xA0 ? ", but may be Latin-1" : "")};
}

}  // namespace warptree
