// What a command refuses is thrown where it is found; cli::run() says it and gives it its exit code.
#pragma once

#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "instrumentation/result.hpp"

namespace warptree::cli {

/// What was typed is wrong.
template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) {
    throw Error{Error::Kind::kUsage, fmt::format(format, std::forward<Args>(args)...)};
}

/// The value; in place of one its error is thrown.
template <class Value>
Value taken(Result<Value> result) {
    if (!result) throw std::move(result.error());
    if constexpr (!std::is_void_v<Value>) return *std::move(result);
}

}  // namespace warptree::cli
