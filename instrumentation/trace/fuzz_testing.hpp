// What libFuzzer's targets share: changes that leave a file well formed, so that what is changed is read and not
// refused at its first byte.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "instrumentation/trace/manifest.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);
#ifndef __clang__  // GCC tells of these as well; libFuzzer does not listen
extern "C" [[gnu::used]] inline void __sanitizer_cov_trace_cmpf(float, float) {}
extern "C" [[gnu::used]] inline void __sanitizer_cov_trace_cmpd(double, double) {}
#endif

namespace warptree::fuzzing {

using Random = std::minstd_rand;

/// Stops where a text that people are shown is empty or not UTF-8.
inline void expect_sentence(std::string_view text) {
    if (!text.empty() && trace::is_utf8(text)) return;
    std::fprintf(stderr, "not a sentence: '%.*s'\n", static_cast<int>(text.size()), text.data());
    std::abort();
}

/// libFuzzer's own changes, of up to 16 bytes more.
inline void change_bytes(std::string& text, std::size_t from = 0) {
    const std::size_t size = text.size();
    text.resize(size + 16);
    text.resize(from +
                LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()) + from, size - from, size + 16 - from));
}

/// A number near to another, or at the end of some type.
inline std::uint64_t another(std::uint64_t number, Random& random) {
    constexpr std::uint64_t kEnds[] = {0, 1, 2, 4, 32, 255, 1024, 65535, 1u << 31, 0xffffffff, ~std::uint64_t{0}};
    switch (random() % 4) {
        case 0:
            return kEnds[random() % std::size(kEnds)];
        case 1:
            return number + 1;
        case 2:
            return number - 1;
        default:
            return number ^ (std::uint64_t{1} << (random() % 64));
    }
}

/// Where words of one sort stand: numbers, or texts in quotes.
inline std::vector<std::pair<std::size_t, std::size_t>> words(std::string_view text, bool numbers) {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool begins = numbers ? std::isdigit(static_cast<unsigned char>(text[at])) != 0 : text[at] == '"';
        if (!begins) continue;
        std::size_t end = numbers ? text.find_first_not_of("0123456789", at) : text.find('"', at + 1);
        end = end == text.npos ? text.size() : end + (numbers ? 0 : 1);
        found.emplace_back(at, end - at);
        at = end;
    }
    return found;
}

/// Changes a text of lines, as manifest.json and settings.toml are: a number, a word in quotes, a line, or bytes.
inline void change_text(std::string& text, Random& random) {
    const unsigned what = random() % 8;
    const auto found = words(text, what < 4);
    if (what == 7 || found.empty()) return change_bytes(text);
    if (what < 6) {
        const auto [at, size] = found[random() % found.size()];
        const auto [other, other_size] = found[random() % found.size()];
        const std::string by = what < 3 ? std::to_string(another(std::strtoull(text.c_str() + at, nullptr, 10), random))
                                        : text.substr(other, other_size);
        text.replace(at, size, by);
        return;
    }
    const std::size_t begin = text.find('\n', random() % text.size());
    if (begin == text.npos) return change_bytes(text);
    const std::string line = text.substr(begin, text.find('\n', begin + 1) - begin);
    if (random() % 2 == 0)
        text.erase(begin, line.size());
    else
        text.insert(begin, line);
}

/// The same as what libFuzzer asks of a target's own mutator.
inline std::size_t change_text(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    Random random(seed);
    std::string text(reinterpret_cast<const char*>(data), size);
    change_text(text, random);
    if (text.size() > most) return LLVMFuzzerMutate(data, size, most);
    std::memcpy(data, text.data(), text.size());
    return text.size();
}

/// A file that is nowhere but in memory, for those that take a path or a descriptor.
class MemoryFile {
public:
    explicit MemoryFile(std::string_view contents = {}) : descriptor(::memfd_create("fuzzed", 0)) {
        if (::write(descriptor, contents.data(), contents.size()) != static_cast<::ssize_t>(contents.size()))
            std::abort();
    }
    MemoryFile(const MemoryFile&) = delete;
    ~MemoryFile() { ::close(descriptor); }
    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor); }

    const int descriptor;
};

/// Changes entries of a column, which keeps its length: one entry, or some to what others are.
inline void change_entries(std::string& bytes, std::size_t from, std::size_t size, Random& random) {
    const std::size_t count = size == 0 ? 0 : (bytes.size() - from) / size;
    if (count == 0) return;
    char* const entries = bytes.data() + from;
    const std::size_t at = random() % count, other = random() % count;
    const unsigned what = random() % 3;
    if (what == 0)
        return void(std::memmove(entries + at * size, entries + other * size,
                                 size * std::min(count - std::max(at, other), 1 + random() % std::size_t{8})));
    if (what == 1)
        return void(at == other
                        ? nullptr
                        : std::swap_ranges(entries + at * size, entries + (at + 1) * size, entries + other * size));
    std::uint64_t number = 0;
    std::memcpy(&number, entries + at * size, std::min<std::size_t>(size, 8));
    number = another(number, random);
    std::memcpy(entries + at * size, &number, std::min<std::size_t>(size, 8));
}

}  // namespace warptree::fuzzing
