// Commas that separate, are decimal points, or group digits: 3,1,7,0 and 1,5; 2,25 and 1,234.5. What a text shows
// decides; where it shows two things, both are named.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "instrumentation/refusal.hpp"
#include "instrumentation/request/input_text.hpp"

namespace warptree::kernels {
namespace {

/// How many digits stand at the beginning.
std::size_t digits_at(std::string_view word, std::size_t at) {
    return std::min(word.find_first_not_of("0123456789", at), word.size()) - at;
}

/// What a word with commas within may be.
struct WordShape {
    bool decimal = false;  // 1,5 and 1.234,5 and 1 234,5
    bool groups = false;   // 1,234 and 1,234,567.8
    bool marked = false;   // hardly a list: two kinds of marks, or a group that begins with zeros
};
/// Ends after groups of three digits that follow `mark`; where there are none, at `at`.
std::size_t after_groups(std::string_view word, std::size_t at, char mark) {
    while (at < word.size() && word[at] == mark && digits_at(word, at + 1) == 3) at += 4;
    return at;
}
bool ends_number(std::string_view word, std::size_t at) {
    if (at < word.size() && (word[at] == 'e' || word[at] == 'E')) {
        ++at;
        if (at < word.size() && (word[at] == '-' || word[at] == '+')) ++at;
        if (digits_at(word, at) == 0) return false;
        at += digits_at(word, at);
    }
    return at == word.size();
}
WordShape shape_of(std::string_view word) {
    WordShape shape;
    if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
    const std::size_t head = digits_at(word, 0);
    if (head == 0) return shape;
    std::size_t at = head;
    if (head < word.size() && head <= 3 && word[0] != '0' && std::string_view(".' \x1f").find(word[head]) != word.npos)
        at = after_groups(word, head, word[head]);
    if (at < word.size() && word[at] == ',' && digits_at(word, at + 1) > 0) {
        shape.decimal = ends_number(word, at + 1 + digits_at(word, at + 1));
        shape.marked = at > head;
    }
    if (head > 3 || word[0] == '0') return shape;
    at = after_groups(word, head, ',');
    if (at == head) return shape;
    for (std::size_t i = head; i < at; i += 4) shape.marked |= word[i + 1] == '0';
    const bool point = at < word.size() && word[at] == '.';
    if (point) at += 1 + digits_at(word, at + 1);
    shape.groups = ends_number(word, at);
    shape.marked |= shape.groups && point;
    return shape;
}

/// Whether digits are grouped by a mark: 1.234 and 1.234.567, with a comma and decimals behind it or not.
bool is_grouped(std::string_view word, char mark) {
    if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
    const std::size_t head = digits_at(word, 0), at = after_groups(word, head, mark);
    if (head == 0 || head > 3 || at == head) return false;
    return at == word.size() || ((word[at] == ',' || word[at] == '.') && word[at] != mark &&
                                 ends_number(word, at + 1 + digits_at(word, at + 1)));
}

class Commas {
public:
    explicit Commas(const PlainText& text) : text_(text) {}

    /// One that has no blank in it, nor a separator at its ends.
    /// returns  false: what follows cannot change what commas are
    bool take(Span span) {
        const std::string_view word = text_.view().substr(span.begin, span.end - span.begin);
        ++words_;
        some_blank_groups_ |= word.find(kGroupBlank) != word.npos;
        if (word.find(',') == word.npos) {
            if (word.find('.') != word.npos && !is_grouped(word, '.') && point_.end == 0) point_ = span;
            return true;
        }
        const WordShape shape = shape_of(word);
        if (with_comma_.end == 0) with_comma_ = span;
        all_decimal_ &= shape.decimal, all_groups_ &= shape.groups, marked_ |= shape.marked;
        return all_decimal_ || all_groups_;
    }
    /// Words with single blanks between them: "3 1 7 0", "1 234,5". Of several all have to be numbers with grouped
    /// digits.
    void take_cell(Span span) {
        const std::string_view cell = text_.view().substr(span.begin, span.end - span.begin);
        if (cell.find(' ') == cell.npos) return;
        if (spaced_.end == 0) spaced_ = span;
        all_spaced_ &= is_grouped(cell, ' ');
        spaced_marks_ |= cell.find(" 0") != cell.npos || cell.find(',') != cell.npos;
    }
    void breaks_at_blanks() { other_blanks_ = true; }
    // What stands between words.
    bool otherwise = false;  // semicolons, tabs, quotes: no commas
    bool blanks = false, lines = false, commas = false;

    Notation notation(std::string_view decimal) const {
        Notation out;
        if (spaced_.end > 0 && all_spaced_ && (spaced_marks_ || otherwise))
            two_readings(spaced_, "the values " + instead(spaced_, " ", " and "), "the number " + number(spaced_),
                         "Write " + instead(spaced_, " ", "; ") + " or " + number(spaced_) + ".");
        if (!all_decimal_ && !all_groups_) return out;
        out.blank_groups = some_blank_groups_ && !other_blanks_ && (otherwise || lines || with_comma_.end > 0);
        if (with_comma_.end == 0) return out;
        const bool apart = otherwise || blanks;
        if (decimal == "comma") return out.decimal_comma = true, out;
        if (decimal == "point") return out.comma_groups = apart && all_groups_, out;
        const bool is_decimal = all_decimal_ && point_.end == 0;
        if (all_decimal_ && !all_groups_ && !is_decimal && apart)
            refuse("{}: '{}' has a decimal comma and '{}' a decimal point~Write all of them with one of the two.",
                   text_.place(with_comma_.begin), word_of(with_comma_), word_of(point_));
        if (!is_decimal && !all_groups_) return out;
        if (apart && !commas) {
            if (is_decimal && all_groups_)
                two_readings(with_comma_, "the number " + instead(with_comma_, ",", ""),
                             "the number " + number(with_comma_), kByOption);
            return (is_decimal ? out.decimal_comma : out.comma_groups) = true, out;
        }
        if (lines || (commas && words_ > 1) || marked_)
            two_readings(
                with_comma_, "the values " + instead(with_comma_, ",", " and "),
                "the number " + (is_decimal ? number(with_comma_) : instead(with_comma_, ",", "")),
                is_decimal ? std::string(kByOption)
                           : "Write " + instead(with_comma_, ",", ", ") + " or " + instead(with_comma_, ",", "") + ".");
        return out;
    }

private:
    static constexpr std::string_view kByOption =
        "Say which: --decimal point takes the first, --decimal comma the second. Or write it so.";
    std::string_view word_of(Span span) const {
        return text_.view().substr(span.begin, std::min<std::size_t>(span.end - span.begin, 40));
    }
    std::string instead(Span span, std::string_view mark, std::string_view by) const {
        std::string out;
        for (const char c : word_of(span)) out += c == mark[0] ? std::string(by) : std::string(1, c);
        return out;
    }
    /// With a decimal comma, and without what groups digits.
    std::string number(Span span) const {
        std::string out;
        for (const char c : word_of(span))
            if (c == ',' || (c != '.' && c != ' ' && c != '\'' && c != kGroupBlank)) out += c == ',' ? '.' : c;
        return out;
    }
    [[noreturn]] void two_readings(Span span, const std::string& first, const std::string& second,
                                   std::string_view cure) const {
        refuse("{}: '{}' can be {} or {}~{}", text_.place(span.begin), text_.shown(span.begin, span.end), first, second,
               cure);
    }

    const PlainText& text_;
    Span with_comma_, point_, spaced_;  // the first of each
    bool all_decimal_ = true, all_groups_ = true, marked_ = false, some_blank_groups_ = false, other_blanks_ = false;
    bool all_spaced_ = true, spaced_marks_ = false;
    std::size_t words_ = 0;
};

}  // namespace

std::string usual_word(std::string_view word, const Notation& notation) {
    const bool points = word.find('.') != word.npos;
    if (notation.decimal_comma && points && !is_grouped(word, '.'))
        refuse("has a decimal point, where others have decimal commas");
    const bool blanks = is_grouped(word, ' ');
    std::string out;
    for (const char c : word) {
        const bool groups = c == kGroupBlank || (c == ' ' && blanks) || (c == ',' && notation.comma_groups) ||
                            (c == '.' && notation.decimal_comma);
        if (!groups) out += c == ',' && notation.decimal_comma ? '.' : c;
    }
    return out;
}

namespace {

constexpr std::array<bool, 256> kBetween = [] {
    std::array<bool, 256> all{};
    for (const char c : std::string_view(" \t\v\f\r\n;,#[](){}")) all[static_cast<unsigned char>(c)] = true;
    return all;
}();

/// Gives words of a list to Commas, with what stands between them.
class ListWords {
public:
    ListWords(const PlainText& text, Commas& commas) : text_(text), plain_(text.view()), commas_(commas) {}

    void read(std::size_t begin) {
        bool more = true;
        for (at_ = begin; at_ < plain_.size() && more;) {
            const char c = plain_[at_];
            if (c == '#' || plain_.substr(at_, 2) == "//") {
                at_ = std::min(plain_.find('\n', at_), plain_.size());
            } else if (c == '"') {
                const std::size_t end = std::min(plain_.find('"', at_ + 1), plain_.size());
                commas_.otherwise = true;
                more = end == at_ + 1 || take({at_ + 1, end});
                at_ = std::min(end + 1, plain_.size());
            } else if (is_between(c)) {
                between(c);
                ++at_;
            } else {
                Span word{at_, at_};
                while (word.end < plain_.size() && !is_end(word.end)) ++word.end;
                at_ = word.end;
                more = take_pieces(word);
            }
        }
        end_cell();
    }

private:
    static bool is_between(char c) { return kBetween[static_cast<unsigned char>(c)]; }
    bool is_end(std::size_t at) const {
        const char c = plain_[at];
        if (is_between(c)) return c != ',';
        return c == '"' || (c == '/' && plain_.substr(at, 2) == "//");
    }
    void between(char c) {
        const bool line = c == '\n' || c == '\r';
        commas_.otherwise |= words_ > 0 && (c == ';' || c == '\t');
        commas_.commas |= c == ',' && at_ > 0 && plain_[at_ - 1] != '"';
        new_line_ |= line;
        if (line || c == ';' || c == '\t' || c == ',') end_cell();
    }
    /// Without commas and blanks at its ends; at no-break blanks that group nothing it is several.
    bool take_pieces(Span word) {
        while (word.end > word.begin && (plain_[word.end - 1] == ',' || plain_[word.end - 1] == kGroupBlank))
            commas_.commas |= plain_[--word.end] == ',';
        while (word.begin < word.end && plain_[word.begin] == kGroupBlank) ++word.begin;
        const std::string_view all = plain_.substr(word.begin, word.end - word.begin);
        if (all.find(kGroupBlank) == all.npos || is_grouped(all, kGroupBlank)) return all.empty() || take(word);
        commas_.breaks_at_blanks();
        for (std::size_t end = word.begin; word.begin < word.end; word.begin = end + 1) {
            end = std::min(plain_.find(kGroupBlank, word.begin), word.end);
            if (end > word.begin && !take({word.begin, end})) return false;
        }
        return true;
    }
    bool take(Span word) {
        commas_.lines |= words_ > 0 && new_line_;
        commas_.blanks |= cell_.end > cell_.begin;
        if (cell_.end == cell_.begin) cell_ = word;
        cell_.end = word.end;
        ++words_, new_line_ = false;
        return commas_.take(word);
    }
    void end_cell() {
        commas_.take_cell(cell_);
        cell_ = {};
    }

    const PlainText& text_;
    std::string_view plain_;
    Commas& commas_;
    std::size_t at_ = 0, words_ = 0;
    Span cell_;  // words with blanks between them
    bool new_line_ = false;
};

}  // namespace

Notation notation_of(const PlainText& text, std::size_t begin, std::string_view decimal) {
    const std::string_view rest = text.view().substr(begin);
    const bool marks = text.has(',') || text.has(';') || text.has('\t') || text.has(kGroupBlank);
    if (!marks && (!text.has(' ') || rest.find(" 0") == rest.npos)) return {};
    Commas commas(text);
    ListWords(text, commas).read(begin);
    return commas.notation(decimal);
}

Notation notation_of(const PlainText& text, std::span<const Span> cells, std::string_view decimal) {
    Commas commas(text);
    commas.otherwise = true;
    for (const Span& cell : cells)
        if (!commas.take(cell)) break;
    return commas.notation(decimal);
}

}  // namespace warptree::kernels
