// Values as text: one by one out of lists, or the cells of a column.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "instrumentation/refusal.hpp"
#include "instrumentation/request/input_text.hpp"

namespace warptree::kernels {
namespace {

enum class Sign : std::uint8_t { kOfWord, kBlank, kLineEnd, kSeparator, kComment, kSlash, kQuote, kOpens, kCloses };

constexpr std::array<Sign, 256> signs() {
    std::array<Sign, 256> all{};
    const auto set = [&all](std::string_view characters, Sign sign) {
        for (const char c : characters) all[static_cast<unsigned char>(c)] = sign;
    };
    set(" \t\v\f\x1a\x1f", Sign::kBlank), set("\r\n", Sign::kLineEnd), set(",;", Sign::kSeparator);
    set("#", Sign::kComment), set("/", Sign::kSlash), set("\"'", Sign::kQuote), set("([{", Sign::kOpens);
    set(")]}", Sign::kCloses);
    return all;
}

/// Numbers of one text.
class NumberWords {
public:
    NumberWords(const PlainText& text, const Notation& notation) : text_(text), notation_(notation) {}

    Number number(Span span) {
        const std::string_view word = text_.view().substr(span.begin, span.end - span.begin);
        if (notation_.usual())
            if (const auto number = number_named(word)) return *number;
        try {
            const std::string usual =
                notation_.usual() && word.find(' ') == word.npos ? std::string(word) : usual_word(word, notation_);
            if (const auto number = number_named(usual)) return *number;
            bool tiny = false;
            const Number number = unusual_number(usual, tiny);
            if (tiny && tiny_++ == 0) first_tiny_ = span;
            return number;
        } catch (const Refusal& refusal) {
            refuse("{}: '{}' {}", text_.place(span.begin), text_.shown(span.begin, span.end), refusal.why);
        }
    }
    std::string remark() const {
        if (tiny_ == 0) return "";
        return fmt::format("{}: {} is smaller than a double holds and is read as 0{}.", text_.place(first_tiny_.begin),
                           text_.shown(first_tiny_.begin, first_tiny_.end),
                           tiny_ == 1 ? "" : fmt::format("; so are {} more", tiny_ - 1));
    }

private:
    const PlainText& text_;
    Notation notation_;
    Span first_tiny_;
    std::size_t tiny_ = 0;
};

/// Takes numbers out of a list one by one, and knows where it is.
class ListReader {
public:
    ListReader(const PlainText& text, const Notation& notation, std::size_t begin, Progress* progress)
        : text_(text), plain_(text.view()), at_(begin), words_(text, notation), watched_(progress, plain_.size()) {
        if (notation.decimal_comma || notation.comma_groups) signs_[','] = Sign::kOfWord;
        if (notation.blank_groups) signs_[static_cast<unsigned char>(kGroupBlank)] = Sign::kOfWord;
    }

    InputValues read() {
        while (at_ < plain_.size()) {
            watched_.at(at_);
            switch (sign_at(at_)) {
                case Sign::kBlank:
                    ++at_;
                    break;
                case Sign::kLineEnd:
                    end_line(), ++at_;
                    break;
                case Sign::kComment:
                    comment();
                    break;
                case Sign::kSeparator:
                    separator();
                    break;
                case Sign::kOpens:
                    open(at_ + 1);
                    break;
                case Sign::kCloses:
                    close();
                    break;
                case Sign::kQuote:
                    quoted();
                    break;
                case Sign::kSlash:
                    if (begins_comment(at_))
                        comment();
                    else
                        word();
                    break;
                case Sign::kOfWord:
                    if (plain_[at_] == ',')  // a decimal one is within a word
                        separator();
                    else if (plain_[at_] == '%' && (at_ == 0 || sign_at(at_ - 1) != Sign::kOfWord))
                        comment();
                    else
                        word();
                    break;
            }
        }
        end_line();
        if (!open_.empty()) bad(open_.back(), fmt::format("'{}' is not closed", plain_[open_.back()]));
        if (expects_ && plain_[last_separator_] == ',') bad(plain_.size(), "a number has to follow the last separator");
        if (numbers_.empty()) refuse("has no numbers in it; give at least one");
        check_table();
        return {std::move(numbers_), {}, {}, words_.remark()};
    }

private:
    [[noreturn]] void bad(std::size_t at, const std::string& why, std::string_view cure = {}) const {
        refuse("{}: {}{}{}", text_.place(at), why, cure.empty() ? "" : "~", cure);
    }
    Sign sign_at(std::size_t at) const { return signs_[static_cast<unsigned char>(plain_[at])]; }
    bool begins_comment(std::size_t at) const { return plain_[at] == '#' || plain_.substr(at, 2) == "//"; }
    /// Past the word that begins at `at`.
    std::size_t end_of_word(std::size_t at) const {
        while (at < plain_.size()) {
            const Sign sign = sign_at(at);
            // Within a word ' groups digits, and / makes a fraction
            const bool within = sign == Sign::kOfWord ||
                                (plain_[at] == '\'' && at + 1 < plain_.size() && is_digit_or_sign(plain_[at + 1])) ||
                                (sign == Sign::kSlash && !begins_comment(at));
            if (!within) break;
            ++at;
        }
        return at;
    }

    void comment() {
        constexpr std::string_view kSpreadsheets[] = {"#N/A",   "#DIV/0!", "#VALUE!", "#REF!",
                                                      "#NAME?", "#NUM!",   "#NULL!"};
        for (const std::string_view error : kSpreadsheets)
            if (plain_.substr(at_).starts_with(error))
                bad(at_, fmt::format("'{}' is a spreadsheet's error", error),
                    "Mend that cell; a missing value is nan, or its line is left out.");
        at_ = std::min(plain_.find_first_of("\r\n", at_), plain_.size());
    }
    void separator() {
        if (skipping_) return void(++at_);
        const bool semicolon_too = plain_[at_] == ';' && !numbers_.empty() && closed_;
        if ((expects_ || numbers_.empty()) && !semicolon_too)
            bad(at_, fmt::format("there is no number before '{}'", plain_[at_]));
        expects_ = true;
        last_separator_ = at_++;
    }
    void end_line() {
        continued_ |= expects_ && cells_ > 0 && plain_[last_separator_] == ',';
        if (cells_ == 0) return;
        if (lines_++ == 0) columns_ = cells_;
        ragged_ |= cells_ != columns_;
        cells_ = 0;
        if (expects_ && plain_[last_separator_] == ';') expects_ = false;
    }
    void take(Span span) {
        if (closed_) bad(span.begin, "there is more after the list", "A list is one, between its brackets.");
        const Number number = words_.number(span);
        if (cells_++ == 0) {
            if (lines_ == 0) first_index_ = number.whole.value_or(-1);
            indexed_ &= number.whole && *number.whole == first_index_ + static_cast<std::int64_t>(lines_);
        }
        whole_ &= number.whole.has_value();
        numbers_.push_back(number);
        if (numbers_.size() > kMostInput) bad(span.begin, fmt::format("there are more than {} numbers", kMostInput));
        expects_ = false;
    }
    void word() {
        const Span span{at_, end_of_word(at_)};
        at_ = span.end;
        if (skipping_) return;
        const bool called = at_ < plain_.size() && plain_[at_] == '(' && !is_digit_or_sign(plain_[span.begin]);
        if (called && !open_.empty()) {  // np.float32(1.5)
            const std::size_t end = std::min(plain_.find(')', at_), plain_.size() - 1);
            const Span inner{at_ + 1, end};
            at_ = end + 1;
            return take(inner);
        }
        if (called) return open(at_ + 1);  // np.array([...])
        if (numbers_.empty() && open_.empty()) {
            const std::size_t next = std::min(plain_.find_first_not_of(" \t", at_), plain_.size());
            if (next < plain_.size() && plain_[next] == '=') return void(at_ = next + 1);  // x = [...]
        }
        take(span);
    }
    static bool is_digit_or_sign(char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.'; }

    void open(std::size_t after) {
        if (!numbers_.empty() || closed_)
            bad(after - 1, closed_ ? "a second list begins here" : "a list begins here, after values",
                "An input is one list; rows are joined, with NumPy by a.ravel().");
        open_.push_back(after - 1);
        at_ = after;
    }
    void close() {
        constexpr std::string_view kOpening = "([{", kClosing = ")]}";
        if (open_.empty() || kOpening[kClosing.find(plain_[at_])] != plain_[open_.back()])
            bad(at_, fmt::format("'{}' closes nothing", plain_[at_]));
        open_.pop_back();
        bracketed_ = closed_ = true;
        skipping_ = !open_.empty();  // dtype=float32)
        expects_ = false;
        ++at_;
    }
    void quoted() {
        const std::size_t end = plain_.find(plain_[at_], at_ + 1);
        if (end == plain_.npos) bad(at_, "this quote is not closed");
        const std::string_view inner = plain_.substr(at_ + 1, end - at_ - 1);
        const bool all = numbers_.empty() && plain_.find(plain_[at_], end + 1) == plain_.npos &&
                         inner.find_first_of(",; ") != inner.npos;
        if (all) {  // "3, 1, 7, 0"
            signs_[static_cast<unsigned char>(plain_[at_])] = Sign::kBlank;
            return;
        }
        std::size_t begin = at_ + 1, last = end;
        while (begin < last && plain_[begin] == ' ') ++begin;
        while (last > begin && plain_[last - 1] == ' ') --last;
        take({begin, last});
        at_ = end + 1;
    }

    /// Of several lines with as many values: whole ones are a list in lines; others, and those with an index before
    /// them, are a table.
    void check_table() const {
        const bool index = indexed_ && lines_ > 2 && (first_index_ == 0 || first_index_ == 1);
        if (bracketed_ || continued_ || ragged_ || lines_ < 2 || columns_ < 2 || (whole_ && !index)) return;
        refuse(
            "has {} columns in {} lines{}, where one is needed: choose one, --column {}; or write all values on one "
            "line",
            columns_, lines_, index ? ", the first an index" : "", columns_);
    }

    const PlainText& text_;
    std::string_view plain_;
    std::size_t at_ = 0;
    NumberWords words_;
    Watched watched_;
    std::array<Sign, 256> signs_ = signs();
    std::vector<Number> numbers_;
    std::vector<std::size_t> open_;  // where
    bool expects_ = false;           // a separator was seen, and a number has to follow
    std::size_t last_separator_ = 0;
    bool closed_ = false, bracketed_ = false, skipping_ = false;
    // Lines that have values, and what these have in common
    std::size_t lines_ = 0, columns_ = 0, cells_ = 0;
    bool ragged_ = false, continued_ = false, whole_ = true, indexed_ = true;
    std::int64_t first_index_ = 0;
};

InputValues read_cells(const PlainText& text, const Column& column, std::string_view decimal, Progress* progress) {
    Watched watched(progress, text.view().size());
    NumberWords words(text, notation_of(text, column.cells, decimal));
    InputValues values;
    if (column.cells.size() > kMostInput) refuse("has more than {} values", kMostInput);
    values.numbers.reserve(column.cells.size());
    for (const Span& cell : column.cells) {
        watched.at(cell.begin);
        values.numbers.push_back(words.number(cell));
    }
    values.remark = words.remark();
    return values;
}

InputValues read_text(std::string_view bytes, const InputFormat& format, Progress* progress) {
    const PlainText text(bytes);
    refuse_binary(text);
    const Column column = column_of(text, format.column, format.decimal);
    InputValues values =
        column.table ? read_cells(text, column, format.decimal, progress)
                     : ListReader(text, notation_of(text, column.begin, format.decimal), column.begin, progress).read();
    if (!column.header.empty() && format.column.empty())
        values.remark = fmt::format("'{}' is taken for a header.{}{}", column.header, values.remark.empty() ? "" : " ",
                                    values.remark);
    return values;
}

}  // namespace

Result<InputValues> parse_input(std::string_view bytes, std::string_view what, const InputFormat& format,
                                Progress* progress) try {
    try {
        if (bytes.starts_with("\x93NUMPY")) return read_npy(bytes, format.column);
        if (const std::string kind = kind_of_file(bytes); !kind.empty()) refuse("it is {}", kind);
    } catch (const Refusal& refusal) {
        return usage_error(fmt::format("{} cannot be used as input: {}.", what, refusal.why));
    }
    InputValues values = read_text(bytes, format, progress);
    if (!values.remark.empty()) values.remark = fmt::format("{}: {}", what, values.remark);
    return values;
} catch (const Watched::Cancelled&) {
    return tl::unexpected<Error>(Error{Error::Kind::kCancelled, fmt::format("{} was not read to its end.", what)});
} catch (const Refusal& refusal) {
    const std::size_t cure = std::min(refusal.why.find('~'), refusal.why.size());
    const std::string why = refusal.why.substr(0, cure);
    if (why.starts_with("it ")) return usage_error(fmt::format("{} cannot be used as input: {}.", what, why));
    if (!why.starts_with("line ")) return usage_error(fmt::format("{} {}.", what, why));
    return usage_error(
        fmt::format("{}, {}.{}", what, why,
                    cure == refusal.why.size()
                        ? " Numbers stand with commas, semicolons or blanks between them, for example 3, 1, 7, 0."
                    : cure + 1 < refusal.why.size() ? " " + refusal.why.substr(cure + 1)
                                                    : ""));
}

}  // namespace warptree::kernels
