// Numbers as words.
#include "app/subject/words.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace warptree::study {
namespace {

constexpr std::array<std::string_view, 13> kWords = {"zero",  "one",   "two",  "three", "four",   "five",  "six",
                                                     "seven", "eight", "nine", "ten",   "eleven", "twelve"};

bool is_progression(const std::vector<std::uint32_t>& v) {
    const auto other = [&v](std::uint32_t a, std::uint32_t b) { return b - a != v[1] - v[0]; };
    return std::ranges::adjacent_find(v, other) == v.end();
}

/// To a tenth of a percent, 29.5, or to the hundredth that there is, 6.25; almost all is not 100: 99.96.
std::string tenths_of(double share) {
    const double hundredths = 10'000 * share;
    const bool ends =
        std::abs(hundredths - std::round(hundredths)) < 1e-9 && std::fmod(std::round(hundredths), 10) != 0;
    std::string text = fmt::format("{:.{}f}", 100 * share, ends ? 2 : 1);
    for (int digits = 2; text.starts_with("100.") && share < 1 && digits <= 6; ++digits)
        text = fmt::format("{:.{}f}", 100 * share, digits);
    return text;
}

/// "1.56e4", "-6e-8": without zeros that say nothing.
std::string power_text(double value, int digits) {
    const std::string text = fmt::format("{:.{}e}", value, digits - 1);
    const std::size_t at = text.find('e');
    std::string first = text.substr(0, at);
    if (first.find('.') != first.npos) first.resize(first.find_last_not_of("0.") + 1);
    return fmt::format("{}e{}", first, std::atoi(text.c_str() + at + 1));
}

}  // namespace

std::string grouped(std::uint64_t value) {
    std::string digits = fmt::format("{}", value);
    for (std::size_t at = digits.size(); at > 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

std::string size_name(std::uint64_t n) {
    return std::has_single_bit(n) && n >= 1024 ? fmt::format("2^{}", std::countr_zero(n)) : grouped(n);
}

std::string whole(double value) {
    return grouped(static_cast<std::uint64_t>(value + 0.5));
}

std::string count_word(std::uint64_t value) {
    return value < kWords.size() ? std::string(kWords[value]) : grouped(value);
}

std::string counted(std::uint64_t value, std::string_view singular, std::string_view plural) {
    if (value == 1) return fmt::format("1 {}", singular);
    if (plural.empty()) return fmt::format("{} {}s", grouped(value), singular);
    return fmt::format("{} {}", grouped(value), plural);
}

std::string percent(double share) {
    return tenths_of(share) + " %";
}

std::string percent(std::uint64_t part, std::uint64_t all) {
    return percent(static_cast<double>(part) / static_cast<double>(all));
}

std::string brief_percent(double share) {
    const std::string tenths = tenths_of(share);
    return (tenths.ends_with(".0") ? tenths.substr(0, tenths.size() - 2) : tenths) + " %";
}

std::string times(double factor) {
    return factor < 1000 ? fmt::format("{:.2f}", factor) : grouped(static_cast<std::uint64_t>(factor + 0.5));
}

std::string list_of(const std::vector<std::uint32_t>& sorted) {
    constexpr std::size_t kSpelled = 6;
    const std::size_t n = sorted.size();
    if (n == 0) return "";
    if (n == 1) return fmt::format("{}", sorted[0]);
    if (n >= 3 && sorted[n - 1] - sorted[0] == n - 1) return fmt::format("{} to {}", sorted[0], sorted[n - 1]);
    if (n > kSpelled) {
        if (is_progression(sorted)) {
            return fmt::format("{}, {}, {}, … {}", sorted[0], sorted[1], sorted[2], sorted[n - 1]);
        }
        return fmt::format("{}, {}, … {}", sorted[0], sorted[1], sorted[n - 1]);
    }
    std::string text;
    for (std::size_t i = 0; i < n; ++i) {
        if (i > 0) text += i + 1 == n ? " and " : ", ";
        text += fmt::format("{}", sorted[i]);
    }
    return text;
}

std::string short_value(const std::string& text, std::size_t characters) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.size() <= characters) return text;
    for (int digits = 16; digits > 0 && *end == 0 && std::isfinite(value); --digits) {
        const std::string fixed = fmt::format("{:#.{}g}", value, digits);
        const bool seems_whole = fixed.ends_with('.'), scientific = fixed.find('e') != fixed.npos;
        if (fixed.size() <= characters && !seems_whole && !scientific) return fixed;
        const bool by_power = seems_whole || scientific || std::abs(value) < 0.01;
        if (const std::string brief = power_text(value, digits); by_power && brief.size() <= characters) return brief;
    }
    return "…";
}

std::string block_name(const trace::Launch& launch, std::uint32_t block) {
    const std::string name = "block " + grouped(block);
    if (launch.devices <= 1) return name;
    const std::string device = fmt::format("device {}", launch.device_of_block(block));
    return launch.blocks_a_device() == 1 ? device : device + ", " + name;
}

std::string brief_device(std::string_view name) {
    const std::size_t open = name.find('('), close = name.find(')', open);
    if (close != name.npos) return std::string(name.substr(open + 1, close - open - 1));
    constexpr std::string_view kDigits = "0123456789";
    for (std::size_t begin = 0, end = 0, before = 0; begin < name.size(); before = begin, begin = end + 1) {
        end = std::min(name.find_first_of(" ,", begin), name.size());
        const std::string_view word = name.substr(begin, end - begin);
        const bool number = word.find_first_not_of(kDigits) == word.npos;  // "GT 240"
        if (word.size() > 1 && word.find_first_of(kDigits) != word.npos)
            return std::string(number ? name.substr(before, end - before) : word);
    }
    return std::string(name.substr(0, name.find(',')));
}

std::string capitalised(std::string text) {
    if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

std::string rounded_text(const trace::Rounded& rounded, std::uint64_t n, trace::Type type) {
    if (rounded.values == 0) return {};
    const bool one = rounded.values == 1;
    return fmt::format("{} of {} {} no {}, and the nearest {} taken.{} {}", grouped(rounded.values),
                       counted(n, "value"), one ? "is" : "are", trace::name(type), one ? "was" : "were",
                       rounded.exact.empty() ? "" : fmt::format(" Those given make {} exactly.", rounded.exact),
                       rounded.held_by.empty() ? "No type of this kernel holds them all."
                                               : fmt::format("Held by --type {}.", rounded.held_by));
}

}  // namespace warptree::study
