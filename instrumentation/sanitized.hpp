// For tests: whether this build runs under AddressSanitizer, many times slower. There the longest tests do less; the
// build without does all of it.
#pragma once

namespace warptree {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// Under ThreadSanitizer, which looks at threads: what comes about without them is others' to test.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool kThreadsAlone = true;
#else
inline constexpr bool kThreadsAlone = false;
#endif

}  // namespace warptree
