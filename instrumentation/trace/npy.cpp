// Headers of .npy files: a magic string, a version, a length, and a dictionary in Python's notation.
#include "instrumentation/trace/npy.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "instrumentation/refusal.hpp"
#include "instrumentation/trace/manifest.hpp"

namespace warptree::trace {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kLongestHeader = 4096;  // bytes; NumPy's own for such arrays have 128

/// Reads {'descr': '<u2', 'fortran_order': False, 'shape': (12,), } in any order of keys.
class DictionaryParser {
public:
    explicit DictionaryParser(std::string_view text) : rest_(text) {}

    NpyHeader parse() {
        const auto is_text = [](unsigned char c) { return c == '\n' || (c >= 0x20 && c != 0x7f); };
        if (!std::ranges::all_of(rest_, is_text) || !is_utf8(rest_)) bad("it has characters that are no text");
        if (!take('{')) bad("it does not begin with {");
        while (!take('}')) {
            const std::string_view key = quoted();
            if (key.empty() || !take(':')) bad("a key and a colon were expected");
            entry(key);
            if (!take(',') && !next_is('}')) bad("a comma was expected");
        }
        skip_space();
        if (!rest_.empty()) bad("there is more after the dictionary");
        if (seen_ != 7) bad("it needs descr, fortran_order and shape");
        return header_;
    }

private:
    [[noreturn]] static void bad(std::string_view why) { refuse("its .npy header is damaged: {}", why); }

    void skip_space() {
        while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n')) rest_.remove_prefix(1);
    }
    bool next_is(char wanted) {
        skip_space();
        return !rest_.empty() && rest_[0] == wanted;
    }
    bool take(char wanted) {
        if (!next_is(wanted)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool take_word(std::string_view word) {
        skip_space();
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }
    /// A string in single or double quotes; empty if there is none.
    std::string_view quoted() {
        skip_space();
        if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) return {};
        const std::size_t end = rest_.find(rest_[0], 1);
        if (end == std::string_view::npos) return {};
        const std::string_view text = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        return text;
    }

    /// What stands in brackets, with these: the fields of a structured dtype, [('value', '<f4'), ('index', '<i4')].
    /// Empty if they are not closed.
    std::string_view bracketed() {
        int open = 0;
        for (std::size_t i = 0; i < rest_.size(); ++i) {
            open += rest_[i] == '[' || rest_[i] == '(' ? 1 : rest_[i] == ']' || rest_[i] == ')' ? -1 : 0;
            if (open > 0) continue;
            const std::string_view text = rest_.substr(0, i + 1);
            rest_.remove_prefix(i + 1);
            return text;
        }
        return {};
    }

    /// Reads one value.
    void entry(std::string_view key) {
        const int bit = key == "descr" ? 1 : key == "fortran_order" ? 2 : key == "shape" ? 4 : 0;
        if (bit == 0 || (seen_ & bit) != 0) bad("a key is unknown or stands twice");
        seen_ |= bit;
        if (bit == 4) return shape();
        if (bit == 1) {
            header_.dtype = next_is('[') || next_is('(') ? bracketed() : quoted();
            if (header_.dtype.empty()) bad("the dtype is neither a text nor a list");
        } else if (take_word("True")) {
            header_.fortran_order = true;
        } else if (!take_word("False")) {
            bad("fortran_order is neither True nor False");
        }
    }

    void shape() {
        if (!take('(')) bad("the shape is not a tuple");
        while (!take(')')) {
            const bool named = take_word("np.int64(") || take_word("numpy.int64(");
            skip_space();
            std::uint64_t size = 0;
            const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
            if (error != std::errc()) bad("the shape has an entry that is no whole number of 64 bits");
            rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
            take('L');
            header_.shape.push_back(size);
            if ((named && !take(')')) || (!take(',') && !next_is(')'))) bad("the shape is not a tuple of numbers");
        }
    }

    std::string_view rest_;
    NpyHeader header_;
    int seen_ = 0;  // descr 1, fortran_order 2, shape 4
};

}  // namespace

std::uint64_t NpyHeader::size() const {
    std::uint64_t size = 1;
    for (const std::uint64_t extent : shape) {
        if (extent != 0 && size > std::numeric_limits<std::uint64_t>::max() / extent)
            refuse("its shape {} is too large", shape_text());
        size *= extent;
    }
    return size;
}

std::string NpyHeader::shape_text() const {
    return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

std::string_view npy_dtype(value::Type type) {
    static constexpr std::array<std::string_view, 12> kDtypes = {
        // in order of types
        "<f4",
        "<i4",
        "|i1",
        "<i8",
        "<f2",
        "<u2",
        "<f8",
        "<u4",
        "<u8",
        "[('value', '<f4'), ('index', '<i4')]",
        "[('value', '<i4'), ('index', '<i4')]",
        "[('a', '<i2'), ('b', '<i2'), ('c', '<i2'), ('d', '<i2')]"};
    return kDtypes[static_cast<std::size_t>(type)];
}

std::string npy_header(std::string_view dtype, std::uint64_t size) {
    const char* const quote = dtype.starts_with('[') ? "" : "'";
    std::string text =
        fmt::format("{{'descr': {}{}{}, 'fortran_order': False, 'shape': ({},), }}", quote, dtype, quote, size);
    constexpr std::size_t kBefore = 10;  // magic, version, length
    text.resize((kBefore + text.size() + 1 + 63) / 64 * 64 - kBefore - 1, ' ');
    text += '\n';
    std::string header(kMagic);
    header += {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
    return header + text;
}

std::size_t npy_data_at(std::span<const char, kNpyPrefix> prefix) {
    if (std::string_view(prefix.data(), kMagic.size()) != kMagic) refuse("it is not a .npy file");
    const auto byte = [prefix](std::size_t i) {
        return static_cast<std::size_t>(static_cast<unsigned char>(prefix[i]));
    };
    const std::size_t version = byte(6);
    if (version < 1 || version > 3 || byte(7) != 0)
        refuse("it is in version {}.{} of the .npy format; 1.0 to 3.0 are known", version, byte(7));
    const std::size_t before = version == 1 ? 10 : 12;
    std::size_t length = byte(8) | byte(9) << 8;
    if (version > 1) length |= byte(10) << 16 | byte(11) << 24;
    if (length > kLongestHeader) refuse("its .npy header claims {} bytes; up to {} are read", length, kLongestHeader);
    if (before + length < kNpyPrefix) refuse("its .npy header is empty");
    return before + length;
}

NpyHeader read_npy_header(std::string_view file) {
    if (file.size() < kNpyPrefix) refuse("it is too short for a .npy file");
    const std::size_t data_at = npy_data_at(std::span<const char, kNpyPrefix>(file.data(), kNpyPrefix));
    if (file.size() < data_at) refuse("its .npy header is cut off");
    const std::size_t before = file[6] == 1 ? 10 : 12;
    NpyHeader header = DictionaryParser(file.substr(before, data_at - before)).parse();
    header.data_at = data_at;
    return header;
}

}  // namespace warptree::trace
