// A value or a sentence that says what is wrong, where, and what would be right.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace warptree {

/// What failed, in one sentence that a user can act on.
struct Error {
    /// kUsage: the request itself is wrong (exit code 2). kFailed: the request was fine, the work was not (exit 1).
    /// kCancelled: whoever asked for it took it back (exit 130).
    enum class Kind { kUsage, kFailed, kCancelled };
    Kind kind = Kind::kFailed;
    std::string message;
};

/// What is wrong, thrown where it is found: see refusal.hpp. A clause or a sentence, as whoever catches it says.
struct Refusal {
    std::string why;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> usage_error(std::string message) {
    return tl::unexpected<Error>(Error{Error::Kind::kUsage, std::move(message)});
}

inline tl::unexpected<Error> failure(std::string message) {
    return tl::unexpected<Error>(Error{Error::Kind::kFailed, std::move(message)});
}

}  // namespace warptree
