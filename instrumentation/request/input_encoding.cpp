// Encodings: bytes of any become characters by iconv, and the characters of other scripts that numbers are written with
// become ASCII's.
#include <iconv.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <functional>

#include <fmt/format.h>

#include "instrumentation/refusal.hpp"
#include "instrumentation/request/input_text.hpp"

namespace warptree::kernels {
namespace {

/// Calls each(character) in order.
/// returns  the bytes that were read; fewer than there are: what follows is none of the encoding's
template <class Each>
std::size_t decode(std::string_view bytes, const char* encoding, Each&& each) {
    const char* const native = std::endian::native == std::endian::little ? "UTF-32LE" : "UTF-32BE";
    const auto converter = iconv_open(native, encoding);
    if (std::bit_cast<std::intptr_t>(converter) == -1)
        refuse("it seems to be {}, which this system cannot read; save it as UTF-8", encoding);
    std::array<char32_t, 4096> characters;
    char* from = const_cast<char*>(bytes.data());
    std::size_t left = bytes.size();
    for (bool more = true; more;) {
        char* to = reinterpret_cast<char*>(characters.data());
        std::size_t room = sizeof characters;
        more = iconv(converter, &from, &left, &to, &room) == static_cast<std::size_t>(-1) && errno == E2BIG;
        for (std::size_t i = 0; i < (sizeof characters - room) / sizeof(char32_t); ++i) each(characters[i]);
    }
    iconv_close(converter);
    return bytes.size() - left;
}

struct Mark {
    std::string_view bytes;
    const char* encoding;
};
using namespace std::string_view_literals;
constexpr Mark kMarks[] = {{"\xef\xbb\xbf"sv, "UTF-8"},
                           {"\xff\xfe\0\0"sv, "UTF-32LE"},
                           {"\0\0\xfe\xff"sv, "UTF-32BE"},
                           {"\xff\xfe"sv, "UTF-16LE"},
                           {"\xfe\xff"sv, "UTF-16BE"}};

/// Texts of numbers are nearly all ASCII: where their other bytes are zero, it is one of these. Null: no such pattern.
const char* wide_encoding(std::string_view bytes) {
    bytes = bytes.substr(0, 4096);
    std::array<std::size_t, 4> zeros{};  // by place
    for (std::size_t i = 0; i < bytes.size(); ++i) zeros[i % 4] += bytes[i] == 0;
    const auto nearly = [](std::size_t zero, std::size_t all) { return 8 * zero >= 7 * all; };
    const std::size_t fourth = bytes.size() / 4, half = bytes.size() / 2;
    if (bytes.size() % 4 == 0 && nearly(std::min(zeros[1], zeros[2]), fourth)) {
        if (nearly(zeros[3], fourth) && zeros[0] == 0) return "UTF-32LE";
        if (nearly(zeros[0], fourth) && zeros[3] == 0) return "UTF-32BE";
    }
    if (bytes.size() % 2 != 0) return nullptr;
    if (nearly(zeros[1] + zeros[3], half) && zeros[0] + zeros[2] == 0) return "UTF-16LE";
    if (nearly(zeros[0] + zeros[2], half) && zeros[1] + zeros[3] == 0) return "UTF-16BE";
    return nullptr;
}

/// Characters that stand for one of ASCII's, from the first to the last of a row.
struct Alike {
    char32_t first, last;
    char ascii;
    bool counts = false;  // from ascii on: digits
};
constexpr Alike kAlike[] = {
    {0x00a0, 0x00a0, kGroupBlank}, {0x2007, 0x2007, kGroupBlank}, {0x2009, 0x2009, kGroupBlank},
    {0x202f, 0x202f, kGroupBlank}, {0x0085, 0x0085, '\n'},        {0x2028, 0x2029, '\n'},
    {0x1680, 0x1680, ' '},         {0x2000, 0x200f, ' '},         {0x202a, 0x202e, ' '},
    {0x205f, 0x2069, ' '},         {0x3000, 0x3000, ' '},         {0xfeff, 0xfeff, ' '},
    {0x2010, 0x2015, '-'},         {0x2212, 0x2212, '-'},         {0xfe63, 0xfe63, '-'},
    {0x2018, 0x2019, '\''},        {0x201c, 0x201f, '"'},         {0x00ab, 0x00ab, '"'},
    {0x00bb, 0x00bb, '"'},         {0x060c, 0x060c, ','},         {0x3001, 0x3001, ','},
    {0x061b, 0x061b, ';'},         {0x066b, 0x066b, '.'},         {0x066c, 0x066c, '\''},
    {0x0660, 0x0669, '0', true},   {0x06f0, 0x06f9, '0', true},   {0x0966, 0x096f, '0', true},
    {0x09e6, 0x09ef, '0', true},   {0x0e50, 0x0e59, '0', true},   {0xff01, 0xff5e, '!', true},
    {0x1d7ce, 0x1d7d7, '0', true},
};
char ascii_of(char32_t character) {
    if (character < 0x80) return static_cast<char>(character);
    const auto* alike = std::ranges::find_if(
        kAlike, [character](const Alike& row) { return row.first <= character && character <= row.last; });
    if (alike == std::end(kAlike)) return PlainText::kOther;
    return static_cast<char>(alike->ascii + (alike->counts ? character - alike->first : 0));
}

void append_utf8(std::string& text, char32_t c) {
    const auto add = [&text](char32_t byte) { text += static_cast<char>(byte); };
    if (c < 0x80) return add(c);
    if (c < 0x800) return add(0xc0 | c >> 6), add(0x80 | (c & 0x3f));
    if (c < 0x10000) return add(0xe0 | c >> 12), add(0x80 | (c >> 6 & 0x3f)), add(0x80 | (c & 0x3f));
    add(0xf0 | c >> 18), add(0x80 | (c >> 12 & 0x3f)), add(0x80 | (c >> 6 & 0x3f)), add(0x80 | (c & 0x3f));
}

}  // namespace

PlainText::PlainText(std::string_view bytes) : bytes_(bytes) {
    for (const char c : bytes) has_[static_cast<unsigned char>(c)] = true;
    const bool ascii = std::none_of(has_.begin() + 0x80, has_.end(), std::identity()), zeros = has('\0');
    if (ascii && !zeros) return;
    const auto* mark = std::ranges::find_if(kMarks, [bytes](const Mark& row) { return bytes.starts_with(row.bytes); });
    const bool marked = mark != std::end(kMarks);
    if (marked) bytes_.remove_prefix(mark->bytes.size());
    encoding_ = marked ? mark->encoding : zeros ? wide_encoding(bytes) : nullptr;
    if (encoding_ == nullptr && ascii) return;  // it is refused where its zeros stand
    const auto read = [this](const char* encoding) {
        plain_.clear();
        encoding_ = encoding;
        return decode(bytes_, encoding, [this](char32_t character) {
            plain_ += ascii_of(character);
            has_[static_cast<unsigned char>(plain_.back())] = true;
        });
    };
    if (encoding_ != nullptr) {
        if (const std::size_t good = read(encoding_); good < bytes_.size())
            refuse("{}: the {} text is damaged or cut off here~Save it again, as UTF-8.", place(plain_.size()),
                   encoding_);
        return;
    }
    for (const char* const encoding : {"UTF-8", "WINDOWS-1252", "ISO-8859-1"})
        if (read(encoding) == bytes_.size()) return;
}

std::string PlainText::shown(std::size_t begin, std::size_t end, std::size_t most) const {
    const std::size_t last = std::min(end, begin + most);
    std::string out;
    std::size_t at = 0;
    const auto add = [&](char32_t c) {
        if (at >= begin && at < last) append_utf8(out, c < 0x20 || (c >= 0x7f && c < 0xa0) ? U'?' : c);
        ++at;
    };
    if (encoding_ != nullptr)
        decode(bytes_, encoding_, add);
    else
        for (const char c : bytes_) add(static_cast<unsigned char>(c));
    return last < end ? out + "..." : out;
}

std::string PlainText::place(std::size_t at) const {
    const std::string_view before = view().substr(0, at);
    std::size_t line = 1, begin = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (before[i] != '\n' && (before[i] != '\r' || (i + 1 < view().size() && view()[i + 1] == '\n'))) continue;
        ++line, begin = i + 1;
    }
    return fmt::format("line {}, column {}", line, before.size() - begin + 1);
}

}  // namespace warptree::kernels
