// What is wrong, thrown where it is found and caught where the whole is asked for, so that nothing between hands it up.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "instrumentation/result.hpp"

namespace warptree {

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) {
    throw Refusal{fmt::format(format, std::forward<Args>(args)...)};
}

/// Puts before what a check refuses where that is.
template <class Check>
void within(std::string_view where, Check check) {
    try {
        check();
    } catch (const Refusal& refusal) {
        refuse("{}{}{}", where, where.empty() ? "" : ": ", refusal.why);
    }
}

/// returns  what a check refuses; empty if nothing
template <class Check>
std::string refusal_of(Check check) {
    try {
        check();
        return "";
    } catch (const Refusal& refusal) {
        return refusal.why;
    }
}

}  // namespace warptree
