// What toml++ cannot be trusted with: settings and lessons ask this first.
#pragma once

#include <string_view>

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

}  // namespace warptree::lesson
