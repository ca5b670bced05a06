// Reads tokens.
#include "instrumentation/foreign/rewrite/tokens.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace warptree::foreign {
namespace {

bool begins_word(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool in_word(char c) {
    return begins_word(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Reads one token after the other.
class Lexer {
public:
    explicit Lexer(std::string_view text) : text_(text) {}

    std::vector<Token> all() {
        std::vector<Token> tokens;
        bool line_begins = true;
        while (at_ < text_.size()) {
            const std::size_t from = at_;
            const TokenKind kind = next(line_begins);
            std::string word(text_.substr(from, at_ - from));
            if (kind != TokenKind::kComment) {
                const bool space = kind == TokenKind::kSpace;
                line_begins = space ? line_begins || word.find('\n') != word.npos : false;
            }
            tokens.push_back({kind, word, word, {}, {}});
        }
        return tokens;
    }

private:
    bool sees(std::string_view what) const { return text_.substr(at_, what.size()) == what; }
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    TokenKind until(std::size_t end, TokenKind kind) {
        at_ = std::min(end, text_.size());
        return kind;
    }

    TokenKind next(bool line_begins) {
        const char c = peek();
        if (std::isspace(static_cast<unsigned char>(c)) != 0 || sees("\\\n")) return space();
        if (sees("//")) {  // a backslash at its end continues it
            while (at_ < text_.size() && peek() != '\n') at_ += sees("\\\n") ? 2 : 1;
            return until(at_, TokenKind::kComment);
        }
        if (sees("/*")) {
            const std::size_t end = text_.find("*/", at_ + 2);
            return until(end == text_.npos ? end : end + 2, TokenKind::kComment);
        }
        if (c == '#' && line_begins) return directive();
        if (c == '"' || c == '\'') return quoted(c);
        if (begins_word(c)) return word();
        if (std::isdigit(static_cast<unsigned char>(c)) != 0 ||
            (c == '.' && std::isdigit(static_cast<unsigned char>(peek(1))) != 0))
            return number();
        return sign();
    }
    TokenKind space() {
        while (at_ < text_.size() && (std::isspace(static_cast<unsigned char>(peek())) != 0 || sees("\\\n")))
            at_ += sees("\\\n") ? 2 : 1;
        return TokenKind::kSpace;
    }
    TokenKind directive() {
        while (at_ < text_.size() && peek() != '\n') {
            if (sees("/*")) {
                const std::size_t end = text_.find("*/", at_);
                at_ = end == text_.npos ? text_.size() : end + 2;
                continue;
            }
            if (sees("//")) break;
            at_ += sees("\\\n") ? 2 : 1;
        }
        return TokenKind::kDirective;
    }
    TokenKind quoted(char quote) {
        ++at_;
        while (at_ < text_.size() && peek() != quote && peek() != '\n') at_ += peek() == '\\' ? 2 : 1;
        return until(peek() == quote ? at_ + 1 : at_, TokenKind::kText);
    }
    TokenKind word() {
        if (sees("R\"")) {
            const std::size_t open = text_.find('(', at_);
            if (open != text_.npos) {
                const std::string close = ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"";
                const std::size_t end = text_.find(close, open);
                return until(end == text_.npos ? end : end + close.size(), TokenKind::kText);
            }
        }
        while (in_word(peek())) ++at_;
        return TokenKind::kWord;
    }
    TokenKind number() {
        const bool hex = sees("0x") || sees("0X");
        const auto in_exponent = [&] {
            return (peek() == '+' || peek() == '-') &&
                   std::string_view(hex ? "pP" : "eE").find(text_[at_ - 1]) != std::string_view::npos;
        };
        while (in_word(peek()) || peek() == '.' || (peek() == '\'' && in_word(peek(1))) || in_exponent()) ++at_;
        return TokenKind::kNumber;
    }
    TokenKind sign() {
        static constexpr std::string_view kSigns[] = {"<<<", ">>>", "<<=", ">>=", "...", "->*", "->", "++", "--",
                                                      "<<",  ">>",  "<=",  ">=",  "==",  "!=",  "&&", "||", "+=",
                                                      "-=",  "*=",  "/=",  "%=",  "&=",  "|=",  "^=", "::"};
        for (const std::string_view one : kSigns)
            if (sees(one)) return until(at_ + one.size(), TokenKind::kSign);
        return until(at_ + 1, TokenKind::kSign);
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

bool opens(std::string_view word) {
    return word == "(" || word == "[" || word == "{";
}
bool closes(std::string_view word) {
    return word == ")" || word == "]" || word == "}";
}

}  // namespace

bool has(const Words& words, std::string_view word) {
    return words.find(word) != words.end();
}

std::vector<Token> tokens_of(std::string_view text) {
    return Lexer(text).all();
}

Tokens::Tokens(std::string_view text) : tokens_(tokens_of(text)) {
    for (std::size_t i = 0; i < tokens_.size(); ++i)
        if (tokens_[i].kind != TokenKind::kSpace && tokens_[i].kind != TokenKind::kComment) places_.push_back(i);
    // Editors make << < and >> > of what launches
    int launches = 0;
    for (std::size_t n = 0; n < size(); ++n) {
        if ((is(n, {"<<"}) && is(n + 1, {"<"})) || (launches > 0 && is(n, {">>"}) && is(n + 1, {">"}))) {
            token(n).text += token(n + 1).text;
            token(n).out = token(n).text;
            token(n + 1).out.clear();
            places_.erase(places_.begin() + static_cast<std::ptrdiff_t>(n) + 1);
        }
        launches += is(n, {"<<<"}) ? 1 : is(n, {">>>"}) && launches > 0 ? -1 : 0;
    }
}

bool Tokens::is(std::size_t n, std::initializer_list<std::string_view> words) const {
    return std::ranges::find(words, (*this)[n]) != words.end();
}

std::size_t Tokens::match(std::size_t n) const {
    int depth = 0;
    for (std::size_t m = n; m < size(); ++m) {
        if (kind(m) != TokenKind::kSign) continue;
        depth += opens((*this)[m]) ? 1 : closes((*this)[m]) ? -1 : 0;
        if (depth == 0) return m;
    }
    return size() - 1;
}

std::size_t Tokens::match_back(std::size_t n) const {
    int depth = 0;
    for (std::size_t m = n + 1; m-- > 0;) {
        if (kind(m) != TokenKind::kSign) continue;
        depth += closes((*this)[m]) ? 1 : opens((*this)[m]) ? -1 : 0;
        if (depth == 0) return m;
    }
    return 0;
}

std::optional<std::size_t> Tokens::angle(std::size_t n) const {
    constexpr std::size_t kFar = 400;
    int depth = 0, brackets = 0;
    for (std::size_t m = n; m < std::min(n + kFar, size()); ++m) {
        const std::string_view x = (*this)[m];
        if (opens(x)) ++brackets;
        if (closes(x) && --brackets < 0) return std::nullopt;
        if (brackets > 0 || closes(x)) continue;
        if (x == "<") ++depth;
        if (x == ">") --depth;
        if (x == ">>") depth -= 2;
        if (is(m, {";", "&&", "||", "<<<"})) return std::nullopt;
        if (depth <= 0 && (x == ">" || x == ">>")) return m;
    }
    return std::nullopt;
}

std::optional<std::size_t> Tokens::angle_back(std::size_t n) const {
    int depth = 0, brackets = 0;
    for (std::size_t m = n + 1; m-- > 0;) {
        const std::string_view x = (*this)[m];
        if (closes(x)) ++brackets;
        if (opens(x) && --brackets < 0) return std::nullopt;
        if (brackets > 0 || opens(x)) continue;
        if (x == ">") ++depth;
        if (x == ">>") depth += 2;
        if (x == "<" && --depth == 0) return m;
        if (x == ";") return std::nullopt;
    }
    return std::nullopt;
}

std::size_t Tokens::end_of(std::size_t n, std::initializer_list<std::string_view> stops) const {
    int depth = 0;
    for (std::size_t m = n; m < size(); ++m) {
        if (kind(m) != TokenKind::kSign) continue;
        const std::string_view x = (*this)[m];
        if (depth == 0 && is(m, stops)) return m;
        if (opens(x)) ++depth;
        if (closes(x) && --depth < 0) return m;
    }
    return size();
}

std::string Tokens::written(std::size_t first, std::size_t end) const {
    std::string all;
    if (first >= end || end > size()) return all;
    for (std::size_t i = places_[first]; i <= places_[end - 1]; ++i)
        all += tokens_[i].kind == TokenKind::kComment || tokens_[i].kind == TokenKind::kDirective
                   ? " "
                   : tokens_[i].before + tokens_[i].out + tokens_[i].after;
    for (std::size_t at = 0; (at = all.find("\\\n", at)) != all.npos;) all.replace(at, 2, "  ");
    std::ranges::replace(all, '\n', ' ');
    return all;
}

std::string Tokens::plain(std::size_t first, std::size_t end) const {
    std::string all;
    for (std::size_t n = first; n < std::min(end, size()); ++n) all += (*this)[n];
    return all;
}

void Tokens::replace(std::size_t first, std::size_t last, const std::string& text) {
    if (first > last || last >= size()) return;
    std::string lines;
    for (std::size_t i = places_[first]; i <= places_[last]; ++i) {
        Token& token = tokens_[i];
        for (std::string* const now :
             {&token.before, &token.out, &token.after}) {  // lines of others, too, put here before
            lines.append(static_cast<std::size_t>(std::ranges::count(*now, '\n')), '\n');
            now->clear();
        }
    }
    tokens_[places_[first]].out = text;
    tokens_[places_[last]].after = lines;
}

void Tokens::drop(const std::vector<bool>& gone) {
    std::vector<std::size_t> left;
    for (std::size_t n = 0; n < size(); ++n) {
        if (!gone[n]) {
            left.push_back(places_[n]);
            continue;
        }
        token(n).kind = TokenKind::kComment;
        token(n).out.assign(static_cast<std::size_t>(std::ranges::count(token(n).text, '\n')), '\n');
    }
    places_ = std::move(left);
}

std::ptrdiff_t Tokens::line(std::size_t n) const {
    std::ptrdiff_t line = 1;
    for (std::size_t i = 0; n < size() && i < places_[n]; ++i) line += std::ranges::count(tokens_[i].text, '\n');
    return line;
}

void Tokens::wrap(std::size_t first, std::size_t last, std::string_view before, std::string_view after) {
    token(first).before += before;
    token(last).after.insert(0, after);
}

std::string Tokens::text() const {
    std::string all;
    for (const Token& token : tokens_) all += token.before + token.out + token.after;
    return all;
}

}  // namespace warptree::foreign
