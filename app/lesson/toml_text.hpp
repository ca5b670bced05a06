// TOML by toml++, which settings and lessons are: what is wrong with its place, and what toml++ cannot be trusted with.
#pragma once

#include <string>
#include <string_view>

#include <toml++/toml.h>

#include "instrumentation/text.hpp"

namespace warptree::lesson {

/// Whether the keys of a TOML text nest so deep that reading them would use up the stack: dots of numbers and keys,
/// those in quotes left out.
inline bool nests_too_deep(std::string_view text) {
    constexpr int kMostDots = 1000;
    int dots = 0;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote == '"' && c == '\\') {
            ++i;
        } else if (c == quote) {
            quote = 0;
        } else if (quote == 0 && (c == '"' || c == '\'')) {
            quote = c;
        } else if (quote == 0 && c == '.') {
            ++dots;
        }
    }
    return dots > kMostDots;
}

/// Thrown by parse_toml().
struct BadToml {
    TextPlace place;
    std::string why;
};

inline TextPlace place_of(const toml::source_region& region) {
    return {region.begin.line, region.begin.column};
}

inline toml::table parse_toml(std::string_view text) try {
    if (const BadText bad = bad_text(text); !bad.why.empty()) throw BadToml{bad.place, bad.why};
    if (nests_too_deep(text)) throw BadToml{{}, "its keys nest too deep"};
    return toml::parse(text);
} catch (const toml::parse_error& error) {
    throw BadToml{place_of(error.source()), std::string(error.description())};
}

}  // namespace warptree::lesson
