// How texts and files become numbers, for input_*.cpp alone. What is wrong is thrown: see instrumentation/refusal.hpp.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/request/inputs.hpp"

namespace warptree::kernels {

/// Shows how far in a text a reader is, and throws where it is to stop.
class Watched {
public:
    struct Cancelled {};

    Watched(Progress* progress, std::size_t bytes) : progress_(progress) {
        if (progress != nullptr) progress->all = bytes;
    }
    void at(std::size_t byte) {
        constexpr std::size_t kEvery = 65536;  // bytes
        if (progress_ == nullptr || byte < next_) return;
        next_ = byte + kEvery;
        progress_->done = byte;
        if (progress_->cancel) throw Cancelled();
    }

private:
    Progress* progress_;
    std::size_t next_ = 0;
};

// ---- input_encoding.cpp ----

/// Blanks that group digits where people write 1 234,5: no-break space, narrow no-break space and their like.
inline constexpr char kGroupBlank = '\x1f';

/// A text with one byte for each character, whatever it came in: UTF-8, UTF-16, UTF-32 or Latin-1. Digits, signs,
/// blanks and separators of other scripts become ASCII's, what else is not ASCII becomes kOther. Refers to the bytes it
/// was made of.
class PlainText {
public:
    static constexpr char kOther = '\x7f';

    /// errors  a Refusal: characters that are damaged or cut off
    explicit PlainText(std::string_view bytes);
    std::string_view view() const { return encoding_ == nullptr ? bytes_ : plain_; }
    /// Whether a character stands in it anywhere.
    bool has(char c) const { return has_[static_cast<unsigned char>(c)]; }
    /// What can be printed of some characters, as they came: marks in place of what is no text.
    std::string shown(std::size_t begin, std::size_t end, std::size_t most = 40) const;
    /// "line 1, column 5"
    std::string place(std::size_t at) const;

private:
    std::string_view bytes_;
    const char* encoding_ = nullptr;  // null: ASCII alone
    std::string plain_;
    std::array<bool, 256> has_{};
};

// ---- input_kinds.cpp ----

/// What a file is that holds no values as text: "a PNG picture; ..." with the cure; "" where it may be text.
std::string kind_of_file(std::string_view bytes);
/// errors  a Refusal: characters near its beginning that no text has
void refuse_binary(const PlainText&);

// ---- input_npy.cpp ----

/// column  of an array of two dimensions: counted from 1
InputValues read_npy(std::string_view file, std::string_view column);

// ---- input_number.cpp ----

/// "3", "-0.5", "+1e9", "nan", "-inf", "infinity", in any case. None where it is something else.
std::optional<Number> number_named(std::string_view word);
/// Of all else what is clear: 1.0f, 0x10, 1_000, true; or why it is no number, and what would be: after ~ the cure, if
/// there is one.
/// tiny  set where it is smaller than a double holds, and is 0
Number unusual_number(std::string_view word, bool& tiny);

// ---- input_commas.cpp ----

/// What commas and blanks within words are.
struct Notation {
    bool decimal_comma = false, comma_groups = false, blank_groups = false;
    bool usual() const { return !decimal_comma && !comma_groups && !blank_groups; }
};
/// A word of a notation, as number_named takes it.
std::string usual_word(std::string_view word, const Notation&);

/// Some characters of a text.
struct Span {
    std::size_t begin = 0, end = 0;
};
/// What a text shows of its notation, word by word.
/// decimal    "comma", "point", or "": by what stands there
/// errors     a Refusal that names both where there are two readings
Notation notation_of(const PlainText&, std::size_t begin, std::string_view decimal);
/// The same of the cells of a column, between which something else than commas stands.
Notation notation_of(const PlainText&, std::span<const Span> cells, std::string_view decimal);

// ---- input_table.cpp ----

/// The cells of a chosen column; or, where no column is chosen, where the values begin: after a header of one cell.
struct Column {
    std::size_t begin = 0;
    std::string header = {};  // that was passed over
    bool table = false;       // cells are what there is
    std::vector<Span> cells = {};
};
/// errors  a Refusal: several columns, of which none is chosen; none of that name; a line without it
Column column_of(const PlainText&, std::string_view column, std::string_view decimal);

}  // namespace warptree::kernels
